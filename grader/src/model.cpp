// Names of the enumerators and of an axis's values, and the two statistics of a measurement.
#include "model.hpp"

#include <algorithm>
#include <limits>

namespace grader {

std::string data_file(const std::string& name) {
  return name.find('.') == std::string::npos ? name + ".npy" : name;
}

std::string Axis::label_of(const std::string& value) const {
  const auto found = std::find(values.begin(), values.end(), value);
  const auto index = static_cast<std::size_t>(found - values.begin());
  return index < labels.size() ? labels[index] : value;
}

const char* to_string(Backend backend) {
  return backend == Backend::gpu ? "gpu" : "emu";
}

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
      return "grader fault";
  }
  return "grader fault";
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

double Measurement::median() const {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Measurement::spread() const {
  if (samples.size() < 2) return 0;
  const auto [least, greatest] = std::minmax_element(samples.begin(), samples.end());
  if (*least == *greatest) return 0;  // also when all are 0: a run without copies
  return (*greatest - *least) / median();
}

}  // namespace grader
