/// @file
/// What a server serves: the workbench, or a class. server.hpp handles HTTP, and a site implements the API.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace grader {

struct ApiRequest {
  std::string method, path, body;
  std::string base = {};         ///< If-Match, without quotes: the digest of the version that a save replaces
  std::string git_service = {};  ///< the query's `service`, which names git's request
  std::string person = {};       ///< the owner of the request's token, as Site::owner_of() returns it
};

struct ApiAnswer {
  int status = 200;
  std::string body;
  std::string type = "application/json";
  bool runs_scripts = false;  ///< whether it is a page with a script, which runs in a separate origin
};

/// The source of the events that one open page receives.
class SiteEvents {
 public:
  virtual ~SiteEvents() = default;
  /// The next events in the format of server-sent events. Empty if there are none within 200 ms.
  virtual std::string next() = 0;
};

/// A file of the site's page, with the address /app/NAME.
struct Asset {
  const char* name;
  const char* text;
  const char* type;
};

struct SiteLimits {
  std::size_t body;         ///< most bytes of a request
  int pages, pages_of_one;  ///< pages that may be open at once: in all, and of one person
};

class Site {
 public:
  virtual ~Site() = default;
  /// The person to whom the token was given. No value for any other text.
  virtual std::optional<std::string> owner_of(const std::string& token) = 0;
  /// The sentence for a person without a valid token.
  virtual std::string refusal() const = 0;
  virtual SiteLimits limits() const = 0;
  virtual std::string page() const = 0;
  virtual const std::vector<Asset>& assets() const = 0;
  /// Answers a request. Never throws an Error: a failure becomes the answer {"error", "next", "kind"} with an
  /// error status.
  virtual ApiAnswer answer(const ApiRequest& request) = 0;
  /// The source of a page's events. Null for a path that has no events.
  virtual std::unique_ptr<SiteEvents> events(const ApiRequest& request) = 0;
};

}  // namespace grader
