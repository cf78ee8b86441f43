/// @file
/// Decides which requests the workbench answers: those of a browser that has opened the address with the
/// token. Pages of other origins get no answer.
#pragma once
#include <string>

namespace grader {

/// The headers by which a request identifies its sender. Empty: the header is missing.
struct Caller {
  std::string host = {}, origin = {}, site = {};  ///< the headers Host, Origin and Sec-Fetch-Site
  std::string cookie = {};                        ///< Cookie
  std::string authorization = {};                 ///< "Bearer TOKEN": for programs
};

class Guard {
 public:
  /// @param port of the server
  Guard(int port, std::string token);

  /// Why a request is refused, in one sentence; empty: it is allowed. A request of another page in the same
  /// browser names that page's origin, or lacks the cookie (SameSite=Strict). A host name that an attacker's
  /// DNS resolves to the loopback address is not a name of this server.
  std::string refusal(const Caller& caller) const;
  /// The same without a check of the token, for the request that carries the token in its address.
  std::string refusal_of_place(const Caller& caller) const;

  bool is_token(const std::string& text) const;
  /// The cookie's value for Set-Cookie. Browsers ignore the port of cookies, so the cookie's name contains
  /// it.
  std::string cookie() const;
  std::string address() const;  ///< with the token

 private:
  std::string name_, token_, hosts_[2];
};

/// 32 hexadecimal digits from the system's source of randomness. @throws Error (environment)
std::string random_token();

}  // namespace grader
