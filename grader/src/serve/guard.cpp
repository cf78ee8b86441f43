#include "serve/guard.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include "base/error.hpp"

namespace grader {

Guard::Guard(int port, std::string token)
    : name_(fmt::format("grader{}", port)),
      token_(std::move(token)),
      hosts_{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)} {}

std::string Guard::refusal_of_place(const Caller& caller) const {
  if (caller.host != hosts_[0] && caller.host != hosts_[1])
    return fmt::format("This is {}, not the host that the request names.", hosts_[0]);
  if (!caller.origin.empty() && caller.origin != "http://" + caller.host)
    return "The request comes from a page of another origin.";
  return "";
}

std::string Guard::refusal(const Caller& caller) const {
  if (const std::string why = refusal_of_place(caller); !why.empty()) return why;
  if (!caller.site.empty() && caller.site != "same-origin" && caller.site != "none")
    return "The request comes from a page of another site.";
  const std::string bearer = "Bearer ";
  if (caller.authorization.starts_with(bearer) && is_token(caller.authorization.substr(bearer.size())))
    return "";
  const std::string before = name_ + "=";
  for (std::size_t at = 0; at < caller.cookie.size();) {
    const std::size_t end = std::min(caller.cookie.find("; ", at), caller.cookie.size());
    const std::string one = caller.cookie.substr(at, end - at);
    if (one.starts_with(before) && is_token(one.substr(before.size()))) return "";
    at = end + 2;
  }
  return "The token is missing: open the address that grader serve printed.";
}

bool Guard::is_token(const std::string& text) const {
  // The time must not depend on the first difference.
  unsigned char differs = text.size() != token_.size();
  for (std::size_t i = 0; i < std::min(text.size(), token_.size()); ++i)
    differs = static_cast<unsigned char>(differs | (text[i] ^ token_[i]));
  return differs == 0;
}

std::string Guard::cookie() const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", name_, token_);
}

std::string Guard::address() const {
  return fmt::format("http://{}/?token={}", hosts_[0], token_);
}

std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw Error(ErrorKind::environment, "The system gives no random bytes, which the token is made of.");
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

}  // namespace grader
