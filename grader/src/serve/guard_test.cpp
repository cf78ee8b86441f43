#include "serve/guard.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Guard guard(8347, [](const std::string& text) { return same_token(text, "0123456789abcdef"); });

Caller own() {
  return {.host = "127.0.0.1:8347", .cookie = "other=1; grader8347=0123456789abcdef"};
}

TEST(Guard, LetsItsOwnPageAndProgramsWithTheTokenPass) {
  Caller caller = own();
  EXPECT_THAT(guard.refusal(caller), IsEmpty());
  caller.origin = "http://127.0.0.1:8347";
  caller.site = "same-origin";
  EXPECT_THAT(guard.refusal(caller), IsEmpty());
  EXPECT_THAT(guard.refusal({.host = "localhost:8347", .authorization = "Bearer 0123456789abcdef"}),
              IsEmpty());
}

TEST(Guard, RefusesARequestWithoutTheToken) {
  for (const char* cookie : {"", "grader8347=", "grader8347=0123456789abcde", "grader8347=0123456789abcdeF",
                             "grader1=0123456789abcdef", "xgrader8347=0123456789abcdef"}) {
    Caller caller = own();
    caller.cookie = cookie;
    EXPECT_THAT(guard.refusal(caller), HasSubstr("token")) << cookie;
  }
}

TEST(Guard, RefusesAnotherPageOfTheSameBrowser) {
  Caller caller = own();
  for (const char* origin : {"https://evil.example", "null", "http://127.0.0.1:80", "http://localhost:8347",
                             "http://127.0.0.1:8347.evil.example"}) {
    caller.origin = origin;
    EXPECT_THAT(guard.refusal(caller), HasSubstr("another origin")) << origin;
  }
  caller.origin = "";
  caller.site = "cross-site";
  EXPECT_THAT(guard.refusal(caller), HasSubstr("another site"));
  caller.site = "same-site";  // another port of this machine
  EXPECT_THAT(guard.refusal(caller), HasSubstr("another site"));
}

TEST(Guard, RefusesANameThatPointsToTheLoopback) {
  Caller caller = own();
  for (const char* host :
       {"", "evil.example:8347", "127.0.0.1", "127.0.0.1:8348", "127.0.0.1:8347.evil.example"}) {
    caller.host = host;
    EXPECT_THAT(guard.refusal(caller), HasSubstr("not the host")) << host;
  }
}

TEST(Guard, KnowsTheAddressOfAReverseProxy) {
  const Guard proxied(
      8347, [](const std::string& text) { return text == "a"; }, "https://labs.example.org");
  Caller caller = {
      .host = "labs.example.org", .origin = "https://labs.example.org", .authorization = "Bearer a"};
  EXPECT_THAT(proxied.refusal(caller), IsEmpty());
  EXPECT_THAT(proxied.cookie("a"), HasSubstr("Secure"));
  EXPECT_EQ(proxied.address("a"), "https://labs.example.org/?token=a");
  caller.origin = "http://labs.example.org";
  EXPECT_THAT(proxied.refusal(caller), HasSubstr("another origin"));
  caller = {.host = "evil.example", .authorization = "Bearer a"};
  EXPECT_THAT(proxied.refusal(caller), HasSubstr("not the host"));
}

TEST(Guard, MakesAnotherTokenEachTime) {
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

TEST(Guard, TakesTheTokenAsGitsPassword) {
  EXPECT_EQ(as_bearer("Basic Z2l0OjAxMjM0NTY3ODlhYmNkZWY="),
            "Bearer 0123456789abcdef");  // git:0123456789abcdef
  EXPECT_EQ(as_bearer("Basic YTpiYw=="), "Bearer bc");
  EXPECT_EQ(as_bearer("Bearer x"), "Bearer x");
  for (const char* broken : {"Basic ", "Basic =", "Basic \xff", "Basic A", "Basic Og=="})
    EXPECT_EQ(as_bearer(broken).substr(7), "") << broken;
}

}  // namespace
}  // namespace grader
