/// @file
/// The API of the workbench, version 1 (docs/serve.md): takes a request's path and body, and returns JSON.
/// Sockets and permissions are in server.hpp and guard.hpp.
#pragma once
#include <string>

#include "serve/jobs.hpp"
#include "serve/student_files.hpp"

namespace grader {

struct ApiRequest {
  std::string method, path, body;
  std::string base;  ///< If-Match, without quotes: the digest of the version that a save replaces
};

struct ApiAnswer {
  int status = 200;
  std::string body;
  std::string type = "application/json";
};

/// The events of one open page: changes of its lab's files, and the lines of the running job.
class PageEvents {
 public:
  PageEvents(const Kit& kit, const Lab& lab, int level, Jobs& jobs);
  /// The next events in the format of server-sent events; empty if none occurred within 200 ms.
  std::string next();

 private:
  std::string changed_files();

  StudentFiles files_;
  Jobs& jobs_;
  std::uint64_t last_job_event_;
  std::string stamp_;
  std::map<std::string, std::string> known_;  ///< digests by name
};

class Workbench {
 public:
  Workbench(const Kit& kit, const Catalog& catalog);

  /// Never throws an Error: a failure becomes the answer {"error", "next", "kind"} with an error status.
  ApiAnswer answer(const ApiRequest& request);
  /// Null for a path that is not "/api/1/labs/LAB/LEVEL/events".
  std::unique_ptr<PageEvents> events(const std::string& path);
  Jobs& jobs() { return jobs_; }

 private:
  struct Place;  ///< a lab and level, and the rest of the path

  ApiAnswer routed(const ApiRequest& request);
  std::optional<Place> place_of(const std::string& path) const;
  ApiAnswer of_level(const ApiRequest& request, const Place& place);
  ApiAnswer of_file(const ApiRequest& request, const Place& place, const std::string& name);
  ApiAnswer describe(const Place& place) const;
  ApiAnswer start(const Place& place, const std::string& verb, const std::string& options);
  ApiAnswer page_of_kit(const std::string& path) const;
  ApiAnswer view_of(const Place& place) const;
  fs::path view_file(const Lab& lab, int level) const;

  const Kit& kit_;
  const Catalog& catalog_;
  Jobs jobs_;
};

}  // namespace grader
