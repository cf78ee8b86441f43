/// @file
/// Who may speak to the workbench: a browser that has opened the address with the token, and no page of another origin.
#pragma once
#include <string>

namespace grader {

/// What a request says of itself. Empty: it says nothing.
struct Caller {
  std::string host = {}, origin = {}, site = {};  ///< the headers Host, Origin and Sec-Fetch-Site
  std::string cookie = {};                        ///< Cookie
  std::string authorization = {};                 ///< "Bearer TOKEN": for programs
};

class Guard {
 public:
  /// @param port  that the server has
  Guard(int port, std::string token);

  /// Why a request is refused, in one sentence; empty: it may pass.
  /// A request of another page in the same browser names its origin, or is sent without the cookie (SameSite=Strict).
  /// A name that an attacker's DNS points to the loopback is no name of this server.
  std::string refusal(const Caller& caller) const;
  /// The same without the token, for the request that brings it.
  std::string refusal_of_place(const Caller& caller) const;

  bool is_token(const std::string& text) const;
  /// The cookie's value for Set-Cookie. Cookies know no ports, so its name has the port.
  std::string cookie() const;
  std::string address() const;  ///< with the token

 private:
  std::string name_, token_, hosts_[2];
};

/// 32 hexadecimal digits from the system's source of randomness. @throws Error (environment)
std::string random_token();

}  // namespace grader
