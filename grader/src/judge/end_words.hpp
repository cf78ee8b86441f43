/// @file
/// Facts about a run that ended early, and the words with which this grader describes them.
#pragma once
#include "run/run.hpp"

namespace grader {

/// Exit codes of the contract between the grader and a lab's program.
enum ExitCode { ran = 0, self_test_failed = 1, bad_usage = 2, cuda_error = 3, still_to_do = 4, missed = 5 };

/// Sets a verdict with its message. All code sets verdicts with this function, so that none lacks a message.
void set_verdict(CaseResult& result, Verdict verdict, std::string message, std::string next_step = {});

/// The first line that is not blank of the program's error output, or else of its output.
std::string first_line_of(const ProcessResult& process);

/// The facts about the end of a run, as a grading stores them.
RunEnd end_of(const Case& c, const RunResult& run, Backend backend);

/// Whether the run ended with the exit code of CUDA errors.
bool ends_with_cuda_error(const RunEnd& end);

/// Sets verdict, message and next step from result.ended.
void say_end(CaseResult& result, const Lab& lab, const Case& c);

/// Names the stopped kernel, for a program that crashed or left no output without reporting a CUDA error.
void add_stop(CaseResult& result, const kit_wire::Stop& stop);

}  // namespace grader
