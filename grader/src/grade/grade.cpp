#include "grade/grade.hpp"

#include "grade/steps.hpp"

namespace grader {
namespace {

// -- grader LAB -------------------------------------------------------------------------------------------------------

constexpr CaseStep case_of_grade[] = {
    {"not on another backend", steps::other_backend},
    {"not without a program", steps::nothing_compiled},
    {"not where a part is to do", steps::part_to_do},
    {"not after two time-outs", steps::enough_time_outs},
    {"data", steps::make_data},
    {"program", steps::choose_program},
    {"run", steps::run_program},
    {"verdict", steps::judge_run},
    {"nearly the fastest", steps::judge_near_best},
    {"no findings", steps::judge_no_findings},
    {"times", steps::keep_times},
};

constexpr Step list_of_grade[] = {
    {"record", steps::begin_record},  {"oracle, started", steps::start_oracle},
    {"program", steps::compile},      {"programs of macros", steps::compile_macros},
    {"oracle", steps::take_oracle},   {"protection", steps::note_protection},
    {"profile", steps::note_profile}, {"cases", [](Work& work) { run_cases(work, case_of_grade); }},
    {"points", steps::give_points},
};

// -- grader check LAB -------------------------------------------------------------------------------------------------

constexpr CaseStep case_of_check[] = {
    {"not on another backend", steps::other_backend},
    {"not without a program", steps::nothing_compiled},
    {"not where a part is to do", steps::part_to_do},
    {"not after two time-outs", steps::enough_time_outs},
    {"data", steps::make_data},
    {"program", steps::choose_program},
    {"run and verdict", steps::run_under_checker},
};

constexpr Step list_of_check[] = {
    {"record", steps::begin_record},
    {"compute-sanitizer", steps::need_sanitizer},
    {"oracle, started", steps::start_oracle},
    {"program", steps::compile},
    {"programs of macros", steps::compile_macros},
    {"oracle", steps::take_oracle},
    {"protection", steps::note_protection},
    {"blind spots", steps::note_blind_spots},
    {"cases", [](Work& work) { run_cases(work, case_of_check); }},
    {"verdict", steps::give_points},
};

}  // namespace

Grading grade(const GradeContext& context) {
  Work work(context, false);
  run_steps(work, list_of_grade);
  return std::move(work.grading);
}

Grading check(const GradeContext& context) {
  const Lab lab = checking_lab(*context.submission.lab);
  Submission checked = context.submission;
  checked.lab = &lab;
  const GradeContext of_check{context.kit,     context.toolchain, checked,
                              context.backend, context.progress,  context.machine};
  Work work(of_check, true);
  run_steps(work, list_of_check);
  return std::move(work.grading);
}

}  // namespace grader
