// The names of verdicts and origins, for programs and for people.
#include "model/grading.hpp"

#include <algorithm>

namespace grader {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::wrong_answer:
      return "wrong_answer";
    case Verdict::finding:
      return "finding";
    case Verdict::requirement_failed:
      return "requirement_failed";
    case Verdict::todo:
      return "todo";
    case Verdict::no_output:
      return "no_output";
    case Verdict::compile_error:
      return "compile_error";
    case Verdict::crash:
      return "crash";
    case Verdict::time_out:
      return "time_out";
    case Verdict::memory_limit:
      return "memory_limit";
    case Verdict::output_limit:
      return "output_limit";
    case Verdict::process_limit:
      return "process_limit";
    case Verdict::unsupported:
      return "unsupported";
    case Verdict::grader_fault:
      return "grader_fault";
  }
  return "grader_fault";
}

const char* words(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::wrong_answer:
      return "wrong answer";
    case Verdict::finding:
      return "found by the checker";
    case Verdict::requirement_failed:
      return "requirement not met";
    case Verdict::todo:
      return "still to do";
    case Verdict::no_output:
      return "no output";
    case Verdict::compile_error:
      return "does not compile";
    case Verdict::crash:
      return "crash";
    case Verdict::time_out:
      return "out of time";
    case Verdict::memory_limit:
      return "out of memory";
    case Verdict::output_limit:
      return "too much output";
    case Verdict::process_limit:
      return "too many processes";
    case Verdict::unsupported:
      return "not supported here";
    case Verdict::grader_fault:
      return "fault of the kit";
  }
  return "fault of the kit";
}

const char* to_string(Origin origin) {
  switch (origin) {
    case Origin::student:
      return "student";
    case Origin::solution:
      return "solution";
    case Origin::folder:
      return "folder";
  }
  return "folder";
}

bool is_graded(const Grading& grading) {
  return grading.verdict != Verdict::grader_fault &&
         std::none_of(grading.cases.begin(), grading.cases.end(),
                      [](const CaseResult& c) { return c.verdict == Verdict::grader_fault; });
}

}  // namespace grader
