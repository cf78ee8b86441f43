#include "course/identity.hpp"

#include "course/test_hand_ins.hpp"

namespace grader {
namespace {

using namespace class_testing;

const std::map<std::string, Student> enrolled = {
    {"ada", {.id = "ada", .name = "Ada Lovelace"}},
    {"12345", {.id = "12345", .name = "Lovelace-King, Ada María"}},
    {"bob", {.id = "bob", .name = "Bob Smith", .number = "77", .email = "bob@example.org"}},
    {"b2", {.id = "b2", .name = "Bob Smith", .number = "78"}}};

std::string id_of(const Person& person) {
  return ids_of({person}, enrolled).front();
}

TEST(Identity, NumbersAndLoginsDecideBeforeNames) {
  EXPECT_EQ(id_of({.name = "Ada Lovelace", .number = "78"}), "b2");
  EXPECT_EQ(id_of({.name = "", .number = "", .logins = {"x", "Bob@Example.org"}}), "bob");
  EXPECT_EQ(id_of({.name = "Anna", .number = "", .logins = {"ada"}}), "ada");
  EXPECT_EQ(id_of({.name = "ada", .number = ""}), "ada");
}

TEST(Identity, ANumberOfAnotherKindIsNoId) {
  EXPECT_EQ(id_of({.name = "Zoe", .number = "12345"}), "Zoe");
  EXPECT_EQ(id_of({.name = "Ada María Lovelace-King", .number = "12345"}), "12345");
}

TEST(Identity, NamesAreReadInEveryOrderAndOnlyWhereTheyAreClear) {
  for (const char* const name : {"Ada Lovelace", "lovelaceada", "Lovelace, Ada", "ADA LOVELACE"})
    EXPECT_EQ(id_of({.name = name, .number = "1"}), "ada") << name;
  EXPECT_EQ(id_of({.name = "lovelacekingadamaría", .number = "1"}), "12345");
  EXPECT_EQ(ids_of({{.name = "żółćиван", .number = "1"}}, {{"z", {.id = "z", .name = "ИВАН ŻÓŁĆ"}}})[0], "z");
  EXPECT_EQ(id_of({.name = "Bob Smith", .number = "1"}), "Bob Smith") << "two students have it";
  EXPECT_THAT(
      ids_of({{.name = "Ada Lovelace", .number = "1"}, {.name = "Ada Lovelace", .number = "2"}}, enrolled),
      ElementsAre("Ada Lovelace 1", "Ada Lovelace 2"));
}

TEST(Identity, IsFitForAFilesName) {
  EXPECT_EQ(id_of({.name = "../../etc/x", .number = "1"}), "_._.._etc_x");
  EXPECT_EQ(id_of({.name = "\x1b[2J", .number = "1"}), "?[2J");
}

}  // namespace
}  // namespace grader
