#include "report/first_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/columns.hpp"

namespace grader {
namespace {

constexpr int most_error_lines = 8;  ///< of each error

enum class LineKind { error, other_message, linker, context, body };

bool contains(const std::string& line, const char* text) {
  return line.find(text) != std::string::npos;
}

LineKind kind_of(const std::string& line) {
  if (line.empty() || line[0] == ' ' || line[0] == '\t') return LineKind::body;
  if (contains(line, "collect2:") || contains(line, ": in function `")) return LineKind::context;
  if (contains(line, "undefined reference to") || contains(line, "multiple definition of"))
    return LineKind::linker;
  if (contains(line, ": error:") || contains(line, ": fatal error:") || contains(line, "): error"))
    return LineKind::error;
  if (contains(line, "): catastrophic error")) return LineKind::error;
  if (contains(line, ": warning:") || contains(line, ": note:") || contains(line, "): warning") ||
      contains(line, "): note") || contains(line, "Remark: ")) {
    return LineKind::other_message;
  }
  if (contains(line, ": In function") || contains(line, ": In ") || contains(line, "In file included from") ||
      contains(line, ": At global scope") || contains(line, " error detected in") ||
      contains(line, " errors detected in") || contains(line, ": required from")) {
    return LineKind::context;
  }
  return LineKind::body;
}

/// Whether a line is a warning about a file of the submission that may explain a wrong result.
bool is_telling_warning(const std::string& line) {
  const std::size_t warning = std::min(line.find(": warning:"), line.find("): warning"));
  if (warning == std::string::npos || line[0] == '/' || line[0] == '<') return false;
  // These are nvcc's "declared but never referenced" and "set but never used"; g++ has a group for both.
  for (const char* unused : {"#177-D", "#550-D", "[-Wunused"})
    if (contains(line, unused)) return false;
  return true;
}

/// "a.cu:12" for "a.cu:12:3: …" if it is a file of the submission, which has no folder.
std::string place_in(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || text[0] == '/') return {};
  const std::size_t end = text.find_first_not_of("0123456789", colon + 1);
  return end == colon + 1 ? std::string() : text.substr(0, end);
}

}  // namespace

std::string first_errors(const std::string& diagnostics, int most, int& left_out) {
  const std::vector<std::string> lines = split_lines(diagnostics);
  std::string out;
  int errors = 0;
  bool keeping = false;
  int kept = 0;  // kept lines of this error
  for (const std::string& line : lines) {
    const LineKind kind = kind_of(line);
    if (kind == LineKind::error || kind == LineKind::linker) {
      keeping = ++errors <= most;
      kept = 0;
    }
    if (kind == LineKind::other_message || kind == LineKind::context) keeping = false;
    if (keeping && ++kept <= most_error_lines) out += line + "\n";
  }
  left_out = std::max(0, errors - most);
  if (errors > 0) return out;
  constexpr std::size_t beginning = 20;
  for (std::size_t i = 0; i < std::min(lines.size(), beginning); ++i) out += lines[i] + "\n";
  return out;
}

std::vector<std::string> first_warnings(const std::string& diagnostics, int most, int& left_out) {
  std::vector<std::string> all;
  for (const std::string& line : split_lines(diagnostics))
    if (!line.empty() && is_telling_warning(line) && std::find(all.begin(), all.end(), line) == all.end())
      all.push_back(line);
  left_out = std::max(0, static_cast<int>(all.size()) - most);
  all.resize(all.size() - static_cast<std::size_t>(left_out));
  return all;
}

std::string cause_of_error_in_header(const std::string& diagnostics) {
  std::string includes, asks;  // lines of the student's files: file and number
  bool in_stack = false;       // the previous line was part of the include stack
  for (const std::string& line : split_lines(diagnostics)) {
    const std::size_t from = line.find("from ");
    const bool first = line.starts_with("In file included from ");
    if (first || (in_stack && from != std::string::npos && from == line.find_first_not_of(' '))) {
      if (first && !in_stack) includes.clear();
      const std::string place = place_in(line.substr(from + 5));
      // g++ begins with the innermost file. clang++ begins with the outermost file, and repeats the whole stack in
      // each line.
      if (!place.empty() && (first || includes.empty())) includes = place;
      asks.clear();
      in_stack = true;
      continue;
    }
    in_stack = false;
    if (contains(line, ":   required from")) {
      if (const std::string place = place_in(line); !place.empty()) asks = place;
      continue;
    }
    const LineKind kind = kind_of(line);
    if (kind == LineKind::other_message) asks.clear();
    if (kind != LineKind::error && kind != LineKind::linker) continue;
    if (kind == LineKind::linker || line[0] != '/' || contains(line, ": fatal error:") ||
        contains(line, ": error: #error"))
      return {};
    if (!asks.empty())
      return fmt::format("look at {}: what it asks for, the header with the first error can't do", asks);
    if (!includes.empty())
      return fmt::format(
          "the first error shows in a header, so look at the code before its #include, {}: a ; or }} "
          "that is missing there, or a #define of a name that it uses",
          includes);
    return {};
  }
  return {};
}

}  // namespace grader
