/// @file
/// Decides which requests a server answers: those of a browser that opened the address with a token. Pages of
/// other origins get no answer.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace grader {

/// The headers that identify the sender of a request. A missing header is empty.
struct Caller {
  std::string host = {}, origin = {}, site = {};  ///< the headers Host, Origin and Sec-Fetch-Site
  std::string cookie = {};                        ///< Cookie
  std::string authorization = {};                 ///< "Bearer TOKEN": for programs
};

/// For an Authorization of the kind Basic, "Bearer PASSWORD": git sends the password of its address in this
/// form. Any other text is returned unchanged.
std::string as_bearer(const std::string& authorization);

class Guard {
 public:
  /// @param port the server's port
  /// @param is_token whether a text is a token
  /// @param address address of a reverse proxy before the server, "https://labs.example.org"; empty without
  ///   one
  Guard(int port, std::function<bool(const std::string&)> is_token, const std::string& address = {});

  /// Why a request is refused, in one sentence. Empty if it is allowed. A request of another page in the same
  /// browser names that page's origin, or lacks the cookie (SameSite=Strict). A host name that an attacker's
  /// DNS resolves to the loopback address is not a name of this server.
  std::string refusal(const Caller& caller) const;
  /// Does the same without checking the token, for the request whose address contains the token.
  std::string refusal_of_place(const Caller& caller) const;
  /// The first token in a request. Empty if it has none.
  std::string token_of(const Caller& caller) const;

  /// The cookie for Set-Cookie. Browsers send cookies to all ports of a host, so the cookie's name contains
  /// the port.
  std::string cookie(const std::string& token) const;
  std::string address(const std::string& token) const;  ///< address of the page, with the token

 private:
  std::string name_;
  std::function<bool(const std::string&)> is_token_;
  std::vector<std::string> origins_;  ///< the first one is in the printed address
};

/// 32 hexadecimal digits from the system's source of randomness. @throws Error (environment)
std::string random_token();
/// Whether two texts are equal. The time does not depend on where they first differ.
bool same_token(const std::string& a, const std::string& b);

}  // namespace grader
