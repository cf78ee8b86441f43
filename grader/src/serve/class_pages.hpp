/// @file
/// What a class sees of all its gradings: the board of each lab, and the instructor's page. A thread updates them after
/// gradings; several gradings in a short time share one making.
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
  int number = 0;  ///< grows with each making; 0: not made yet
  std::optional<Leaderboard> board;
  std::string board_page, instructor_page;  ///< HTML
  std::string problem;                      ///< why the last making failed
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
  /// The gradings of a lab's references. The first hand-in causes them, and they are made once.
  struct References {
    std::optional<Grading> solution;
    std::vector<Reference> named;
    std::vector<std::string> remarks;
  };
  std::vector<std::optional<References>> references_;  ///< of the thread alone
  std::mutex mutex_;                                   ///< protects the following members
  std::condition_variable wanted_;
  std::set<std::size_t> dirty_;
  std::vector<std::shared_ptr<const ClassPage>> pages_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace grader
