/// @file
/// The API of the workbench, version 1 (docs/serve.md): takes a request's path and body, and returns JSON.
/// Sockets and permissions are in server.hpp and guard.hpp.
#pragma once
#include <string>

#include "serve/jobs.hpp"
#include "serve/site.hpp"
#include "serve/student_files.hpp"

namespace grader {

/// Sends the events of one open page: changes of its lab's files, and the lines of the running job.
class PageEvents final : public SiteEvents {
 public:
  PageEvents(const Kit& kit, const Lab& lab, int level, Jobs& jobs);
  std::string next() override;

 private:
  std::string changed_files();

  StudentFiles files_;
  Jobs& jobs_;
  std::uint64_t last_job_event_;
  std::string stamp_;
  std::map<std::string, std::string> known_;  ///< digests by file name
};

class Workbench final : public Site {
 public:
  /// @param token the token that gives access
  Workbench(const Kit& kit, const Catalog& catalog, std::string token);

  std::optional<std::string> owner_of(const std::string& token) override;
  std::string refusal() const override {
    return "The token is wrong: open the address that grader serve printed.";
  }
  SiteLimits limits() const override { return {largest_shown + (64 << 10), 16, 16}; }
  std::string page() const override;
  const std::vector<Asset>& assets() const override;
  ApiAnswer answer(const ApiRequest& request) override;
  /// Null for any path but "/api/1/labs/LAB/LEVEL/events".
  std::unique_ptr<SiteEvents> events(const ApiRequest& request) override;

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
  const std::string token_;
  Jobs jobs_;
};

}  // namespace grader
