#include "serve/class_pages.hpp"

#include <algorithm>
#include <chrono>

#include "base/utc.hpp"
#include "model/drawn.hpp"
#include "process/process.hpp"
#include "report/class_page.hpp"
#include "report/leaderboard_page.hpp"

namespace grader {

ClassPages::ClassPages(const Kit& kit, const Toolchain& toolchain, Labs& labs)
    : kit_(kit),
      toolchain_(toolchain),
      labs_(labs),
      references_(labs.size()),
      pages_(labs.size(), std::make_shared<const ClassPage>()) {
  for (std::size_t i = 0; i < labs.size(); ++i) dirty_.insert(i);
  thread_ = std::thread([this] { work(); });
}

ClassPages::~ClassPages() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    wanted_.notify_all();
  }
  thread_.join();
}

void ClassPages::update(std::size_t lab) {
  const std::lock_guard lock(mutex_);
  dirty_.insert(lab);
  wanted_.notify_all();
}

std::shared_ptr<const ClassPage> ClassPages::of(std::size_t lab) {
  const std::lock_guard lock(mutex_);
  return pages_[lab];
}

void ClassPages::work() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (dirty_.empty()) {
      wanted_.wait(lock);
      continue;
    }
    const std::size_t lab = *dirty_.begin();
    dirty_.erase(dirty_.begin());
    const int number = pages_[lab]->number + 1;
    ClassPage page = *pages_[lab];
    lock.unlock();
    const auto begin = Clock::now();
    try {
      page = make(lab);
    } catch (const std::exception& e) {
      page.problem = e.what();
    }
    page.number = number;
    const auto took = Clock::now() - begin;
    lock.lock();
    pages_[lab] = std::make_shared<const ClassPage>(std::move(page));
    // Making the pages reads every grading of the class. With this pause, it takes at most a fifth of a
    // processor from the workers.
    wanted_.wait_for(lock, 4 * took, [&] { return stop_; });
  }
}

ClassPage ClassPages::make(std::size_t i) {
  ClassLab& lab = *labs_[i];
  Records records(kit_.state() / "records.sqlite");
  const CourseOptions options = lab.options();
  OnRecord none;
  GradedClass graded;
  if (!lab.find().all.empty()) graded = grade_course(kit_, lab.lab, records, options, none, {});
  std::vector<Mark> all = marks(options.course, graded.attempts);
  add_answers(all, graded.attempts, records, lab.lab, lab.level);
  if (!graded.attempts.empty() && !references_[i] && !interrupted()) {
    References its;
    const Lab drawn = with_drawn_sizes(lab.lab, class_secret(kit_, lab.lab, options));
    its.solution = reference_grading(kit_, toolchain_, drawn, lab.level, options.backend);
    its.named = graded_references(kit_, toolchain_, drawn, options, its.solution, its.remarks);
    references_[i] = std::move(its);
  }
  const References none_graded;
  const References& references = references_[i] ? *references_[i] : none_graded;
  ClassReport report{.lab = lab.lab,
                     .attempts = graded.attempts,
                     .marks = all,
                     .made_at = utc_now(),
                     .backend = options.backend};
  report.reference = references.solution ? &*references.solution : nullptr;
  report.remarks = graded.remarks;
  report.remarks.insert(report.remarks.end(), references.remarks.begin(), references.remarks.end());
  if (const std::string problem = lab.problem(); !problem.empty()) report.remarks.push_back(problem);
  ClassPage page;
  page.board =
      class_board(kit_, lab.lab, options.course, graded.attempts, report.reference, references.named);
  report.board = &*page.board;
  const ClassSimilarity similarity =
      compare_class(kit_, lab.lab, lab.level, options.course, hand_ins_of(graded.attempts));
  report.similarity = &similarity;
  page.board_page = leaderboard_page(lab.lab, *page.board, report.made_at);
  page.instructor_page = class_page(report);
  return page;
}

}  // namespace grader
