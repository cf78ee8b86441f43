/// @file
/// The pages that show all gradings of a class: the board of each lab, and the instructor's page. A thread
/// makes them again after gradings. Several gradings in a short time cause only one update.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "course/leaderboard.hpp"
#include "serve/class_lab.hpp"

namespace grader {

struct ClassPage {
  int number = 0;  ///< number of times that the page was made; 0: not yet
  std::optional<Leaderboard> board;
  std::string board_page, instructor_page;  ///< HTML
  std::string problem;                      ///< why the last update failed; else empty
};

class ClassPages {
 public:
  using Labs = std::vector<std::unique_ptr<ClassLab>>;
  ClassPages(const Kit& kit, const Toolchain& toolchain, Labs& labs);
  ~ClassPages();
  ClassPages(const ClassPages&) = delete;
  ClassPages& operator=(const ClassPages&) = delete;

  void update(std::size_t lab);
  std::shared_ptr<const ClassPage> of(std::size_t lab);

 private:
  void work();
  ClassPage make(std::size_t lab);

  const Kit& kit_;
  const Toolchain& toolchain_;
  Labs& labs_;
  /// The gradings of a lab's references. They are made once, after the first hand-in.
  struct References {
    std::optional<Grading> solution;
    std::vector<Reference> named;
    std::vector<std::string> remarks;
  };
  std::vector<std::optional<References>> references_;  ///< only the thread uses them
  std::mutex mutex_;                                   ///< protects the following members
  std::condition_variable wanted_;
  std::set<std::size_t> dirty_;
  std::vector<std::shared_ptr<const ClassPage>> pages_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace grader
