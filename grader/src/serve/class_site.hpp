/// @file
/// Serves a class in a browser. Each student hands in, and sees the queue, points, feedback and the board.
/// The instructor sees the class's page. docs/serve.md describes the API.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "serve/class_pages.hpp"
#include "serve/grading_queue.hpp"
#include "serve/links.hpp"
#include "serve/site.hpp"

namespace grader {

class ClassSite final : public Site {
 public:
  /// @param name the class's name
  /// @param workers number of hand-ins that are graded in parallel
  ClassSite(const Kit& kit, const Toolchain& toolchain, std::string name, ClassLinks& links,
            GradingQueue::Labs& labs, int workers);

  std::optional<std::string> owner_of(const std::string& token) override;
  std::string refusal() const override;
  SiteLimits limits() const override;
  std::string page() const override;
  const std::vector<Asset>& assets() const override;
  ApiAnswer answer(const ApiRequest& request) override;
  /// Null for any path but "/api/1/events".
  std::unique_ptr<SiteEvents> events(const ApiRequest& request) override;

  /// The state of the queue as JSON for a person: {"waiting", "running", "own"}.
  nlohmann::json queue_json(const std::string& person);
  GradingQueue& queue() { return queue_; }
  ClassPages& pages() { return pages_; }
  const GradingQueue::Labs& labs() const { return labs_; }

 private:
  ApiAnswer routed(const ApiRequest& request);
  ApiAnswer of_lab(const ApiRequest& request, std::size_t lab, std::string rest);
  ApiAnswer describe(const std::string& person);
  ApiAnswer hand_in(const ApiRequest& request, std::size_t lab);
  /// Stores a hand-in and puts it into the queue. @return the receipt
  nlohmann::json receive(const std::string& student, std::size_t lab,
                         const std::vector<SubmissionFile>& files, const std::vector<std::string>& ignored);
  /// @param rest the end of the path, after the lab and the level: git's request
  ApiAnswer of_git(const ApiRequest& request, std::size_t lab, const std::string& rest);
  ApiAnswer take_back(const std::string& student, std::size_t lab, const std::string& attempt);
  ApiAnswer history(const std::string& student, std::size_t lab);
  ApiAnswer feedback(const std::string& student, std::size_t lab, const std::string& file);
  ApiAnswer board(const std::string& person, std::size_t lab);
  ApiAnswer html_of(const std::string& page, const std::string& problem) const;
  /// Finds the lab of a path "LAB/LEVEL…", and removes these two parts from `path`.
  std::optional<std::size_t> lab_of(std::string& path) const;

  /// The persons whose links are valid now: the instructor, and the students of class files that have not
  /// expired.
  std::shared_ptr<const std::set<std::string>> people();

  const Kit& kit_;
  const std::string name_;
  ClassLinks& links_;
  GradingQueue::Labs& labs_;
  ClassPages pages_;
  GradingQueue queue_;
  std::mutex people_mutex_;                             ///< protects the following members
  std::vector<std::shared_ptr<const ClassFile>> open_;  ///< the class files from which people_ was made
  std::shared_ptr<const std::set<std::string>> people_;
};

}  // namespace grader
