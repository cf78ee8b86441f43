#include "run/lab_text.hpp"

#include <algorithm>

#include "base/columns.hpp"
#include "base/regex.hpp"

namespace grader {
namespace {

constexpr std::size_t longest_sentence = 1000;

/// The text after `label`, if the line begins with `label`.
std::optional<std::string> after(const std::string& line, std::string_view label) {
  if (!line.starts_with(label) || line.size() > Regex::longest_text) return std::nullopt;
  return line.substr(label.size(), longest_sentence);
}

int number_in(const std::string& digits) {
  return std::atoi(digits.substr(0, 9).c_str());
}

}  // namespace

std::optional<kit_wire::CudaError> take_cuda_error(std::string& printed) {
  static const Regex place_and_call("([^ ]+):([0-9]+)(?:: (.*))?"),
      number_and_text(" *([0-9]+) cudaError[A-Za-z]*: (.*)");
  const std::vector<std::string> lines = split_lines(printed);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto where = after(lines[i], "CUDA error at ");
    const auto found = where ? place_and_call.match(*where) : std::nullopt;
    if (!found) continue;
    kit_wire::CudaError error;
    error.place = {(*found)[1], number_in((*found)[2])};
    error.call = (*found)[3];
    std::size_t next = i + 1;
    if (next < lines.size() && lines[next].size() <= Regex::longest_text) {
      if (const auto text = number_and_text.match(lines[next])) {
        error.error = number_in((*text)[1]);
        error.text = (*text)[2];
        ++next;
      }
    }
    if (next < lines.size())
      if (const auto cause = after(lines[next], "  Likely cause: ")) {
        error.cause = *cause;
        ++next;
      }
    printed.clear();
    for (std::size_t other = 0; other < lines.size(); ++other)
      if (other < i || other >= next) printed += lines[other] + "\n";
    return error;
  }
  return std::nullopt;
}

std::optional<kit_wire::Todo> find_todo(const std::string& printed) {
  static const Regex form("part ([0-9]+) is still to do \\(([^ ]+):([0-9]+)\\)");
  for (const std::string& line : split_lines(printed))
    if (const auto found = form.match(line))
      return kit_wire::Todo{number_in((*found)[1]), {(*found)[2], number_in((*found)[3])}};
  return std::nullopt;
}

}  // namespace grader
