#include "serve/guard.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include "base/error.hpp"

namespace grader {

std::string as_bearer(const std::string& authorization) {
  const std::string basic = "Basic ";
  if (!authorization.starts_with(basic)) return authorization;
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, value = 0;
  for (const char c : authorization.substr(basic.size())) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) break;  // "=" at the end
    value = (value << 6 | static_cast<unsigned>(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(value >> bits & 0xff);
  }
  return "Bearer " + out.substr(std::min(out.find(':'), out.size() - 1) + 1);
}

Guard::Guard(int port, std::function<bool(const std::string&)> is_token, const std::string& address)
    : name_(fmt::format("grader{}", port)), is_token_(std::move(is_token)) {
  if (!address.empty()) origins_.push_back(address);
  origins_.push_back(fmt::format("http://127.0.0.1:{}", port));
  origins_.push_back(fmt::format("http://localhost:{}", port));
}

std::string Guard::refusal_of_place(const Caller& caller) const {
  for (const std::string& origin : origins_) {
    if (caller.host != origin.substr(origin.find("//") + 2)) continue;
    if (caller.origin.empty() || caller.origin == origin) return "";
    return "The request comes from a page of another origin.";
  }
  return fmt::format("This is {}, not the host that the request names.",
                     origins_.front().substr(origins_.front().find("//") + 2));
}

std::string Guard::refusal(const Caller& caller) const {
  if (const std::string why = refusal_of_place(caller); !why.empty()) return why;
  if (!caller.site.empty() && caller.site != "same-origin" && caller.site != "none")
    return "The request comes from a page of another site.";
  if (!token_of(caller).empty()) return "";
  return "The token is missing: open the address that grader serve printed.";
}

std::string Guard::token_of(const Caller& caller) const {
  const std::string bearer = "Bearer ";
  if (caller.authorization.starts_with(bearer)) {
    const std::string token = caller.authorization.substr(bearer.size());
    if (is_token_(token)) return token;
  }
  const std::string before = name_ + "=";
  for (std::size_t at = 0; at < caller.cookie.size();) {
    const std::size_t end = std::min(caller.cookie.find("; ", at), caller.cookie.size());
    const std::string one = caller.cookie.substr(at, end - at);
    if (one.starts_with(before) && is_token_(one.substr(before.size()))) return one.substr(before.size());
    at = end + 2;
  }
  return "";
}

std::string Guard::cookie(const std::string& token) const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict{}", name_, token,
                     origins_.front().starts_with("https://") ? "; Secure" : "");
}

std::string Guard::address(const std::string& token) const {
  return fmt::format("{}/?token={}", origins_.front(), token);
}

bool same_token(const std::string& a, const std::string& b) {
  unsigned char differs = a.size() != b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differs = static_cast<unsigned char>(differs | (a[i] ^ b[i]));
  return differs == 0;
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
