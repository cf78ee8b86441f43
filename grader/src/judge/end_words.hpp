/// @file
/// The facts on a run that did not reach its end, and today's words for them.
#pragma once
#include "run/run.hpp"

namespace grader {

/// Exit codes of the contract between the grader and a lab's program.
enum ExitCode { ran = 0, self_test_failed = 1, bad_usage = 2, cuda_error = 3, still_to_do = 4, missed = 5 };

/// Sets a verdict with its message. All code sets verdicts by this function, so that each verdict has a message.
void set_verdict(CaseResult& result, Verdict verdict, std::string message, std::string next_step = {});

/// The first non-blank line of the program's errors, else of its output.
std::string first_line_of(const ProcessResult& process);

/// The facts, as a grading keeps them.
RunEnd end_of(const Case& c, const RunResult& run, Backend backend);

/// Whether the run ended with the exit code of CUDA errors.
bool ends_with_cuda_error(const RunEnd& end);

/// Sets verdict, message and next step from result.ended.
void say_end(CaseResult& result, const Lab& lab, const Case& c);

/// Names the stopped kernel of a program that crashed or left no output, and reported no CUDA error.
void add_stop(CaseResult& result, const kit_wire::Stop& stop);

}  // namespace grader
