#include "grade/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "build/compiler.hpp"
#include "grade/steps.hpp"
#include "model/drawn.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

// -- grader LAB -------------------------------------------------------------------------------------------------------

constexpr CaseStep case_of_grade[] = {
    {"not on another backend", steps::other_backend},
    {"not with headers of others", steps::forbidden_header},
    {"not without a program", steps::nothing_compiled},
    {"not where a part is to do", steps::part_to_do},
    {"not after two time-outs", steps::enough_time_outs},
    {"data", steps::make_data},
    {"program", steps::choose_program},
    {"run", steps::run_program},
    {"verdict", steps::judge_run},
    {"the kernel that was asked for", steps::judge_counts},
    {"times", steps::keep_times},
};

/// The steps for cases that are right so far. Before these steps, no other work may run in parallel with a
/// timed case.
constexpr CaseStep case_that_is_right[] = {
    {"no findings", steps::judge_no_findings},
};

constexpr Step list_of_grade[] = {
    {"record", steps::begin_record},
    {"headers", steps::look_at_headers},
    {"oracle, started", steps::start_oracle},
    {"program", steps::compile},
    {"programs of macros", steps::compile_macros},
    {"oracle", steps::take_oracle},
    {"protection", steps::note_protection},
    {"profile", steps::note_profile},
    {"cases", steps::take_cases},
    {"runs", [](Work& work) { run_cases(work, case_of_grade); }},
    {"programs for the checker", steps::compile_checked},
    {"second looks, started", steps::start_looks},
    {"second looks", [](Work& work) { run_cases(work, case_that_is_right); }},
    {"results", steps::keep_results},
    {"points", steps::give_points},
};

// -- grader check LAB -------------------------------------------------------------------------------------------------

constexpr CaseStep case_of_check[] = {
    {"not on another backend", steps::other_backend},
    {"not without a program", steps::nothing_compiled},
    {"not where a part is to do", steps::part_to_do},
    {"not after two time-outs", steps::enough_time_outs},
    {"program", steps::choose_program},
    {"run and verdict", steps::run_under_checker},
};

constexpr Step list_of_check[] = {
    {"record", steps::begin_record},
    {"compute-sanitizer", steps::need_sanitizer},
    {"oracle, started", steps::start_oracle},
    {"program", steps::compile},
    {"programs of macros, started", steps::start_macros},
    {"oracle", steps::take_oracle},
    {"protection", steps::note_protection},
    {"blind spots", steps::note_blind_spots},
    {"cases", steps::take_cases},
    {"looks, started", steps::start_looks},
    {"looks", [](Work& work) { run_cases(work, case_of_check); }},
    {"results", steps::keep_results},
    {"verdict", steps::give_points},
};

/// The lab with those cases that prove a part which counts at the submission's level and is not left blank
/// there. For the solution, all cases. If none remains, the lab was narrowed to one case by name, which runs
/// at any level.
Lab at_its_level(const Kit& kit, const Submission& submission) {
  Lab lab = *submission.lab;
  if (submission.origin == Origin::solution) return lab;
  const std::set<int> blank = parts_left_blank(kit, lab, submission.level);
  std::erase_if(lab.cases, [&](const Case& c) {
    const auto is_blank = [&](int part) { return blank.count(part) != 0; };
    return !c.parts.empty() && (!lab.counts_at(submission.level, c.parts) ||
                                std::any_of(c.parts.begin(), c.parts.end(), is_blank));
  });
  if (lab.cases.empty()) lab.cases = submission.lab->cases;
  return lab;
}

Grading run_list(const GradeContext& context, const Lab& lab, bool check) {
  Submission submission = context.submission;
  submission.lab = &lab;
  const GradeContext narrowed{context.kit,      context.toolchain,     submission,       context.backend,
                              context.progress, context.machine,       context.of_class, context.attempt,
                              context.strict,   context.looks_at_once, context.settled};
  Work work(narrowed, check);
  if (check) {
    run_steps(work, list_of_check);
  } else {
    run_steps(work, list_of_grade);
  }
  return std::move(work.grading);
}

}  // namespace

std::string source_options(const Grading& grading) {
  std::string options;
  if (grading.origin == Origin::solution) options += " --solution";
  if (grading.origin == Origin::folder) options += " --from " + shell_word(grading.submission);
  if (grading.level > 1) options += fmt::format(" --level {}", grading.level);
  return options;
}

Grading grade(const GradeContext& context) {
  const Lab published = at_its_level(context.kit, context.submission);
  if (context.of_class == nullptr) return run_list(context, published, false);
  const Lab drawn = context.of_class->of_class(published);
  Grading grading = run_list(context, drawn, false);
  const std::string words = words_of_drawn(published, drawn, context.backend);
  if (!words.empty()) grading.notes.push_back(fmt::format("Sizes were drawn for this class: {}.", words));
  return grading;
}

Grading check(const GradeContext& context) {
  return run_list(context, checking_lab(at_its_level(context.kit, context.submission)), true);
}

}  // namespace grader
