// Reads the marks of blanks, and cuts new blanks.
#include "workspace/skeleton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/regex.hpp"
#include "workspace/source_scan.hpp"

namespace grader {
namespace {

constexpr std::size_t mark_width = 110;     ///< where the dashes of a mark end
constexpr std::size_t longest_mark = 1000;  ///< the regular expressions below take quadratic time

[[noreturn]] void fail(const fs::path& file, unsigned line, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("{}:{}: {}", shown(file), line, what),
              "A blank is between \"// ---- part 2: title ----\" and \"// ---- end of part 2 ----\".");
}

/// The numbers in "part 2", "parts 1 and 3", "parts 1, 2 and 4" or "parts 1 to 3"; empty for any other text.
std::vector<int> parts_of(const std::string& name) {
  static const Regex form(
      R"(part (\d{1,3})|parts (\d{1,3}) to (\d{1,3})|parts ((\d{1,3}, )*\d{1,3} and \d{1,3}))");
  std::vector<int> parts;
  const auto match = form.match(name);
  if (!match) return parts;
  if (match->has(2)) {
    for (int part = std::stoi((*match)[2]); part <= std::stoi((*match)[3]); ++part) parts.push_back(part);
    return parts;
  }
  constexpr const char* digits = "0123456789";
  for (std::size_t at = name.find_first_of(digits); at != name.npos; at = name.find_first_of(digits, at)) {
    parts.push_back(std::stoi(name.substr(at)));
    at = std::min(name.find_first_not_of(digits, at), name.size());
  }
  if (!std::is_sorted(parts.begin(), parts.end())) parts.clear();
  return parts;
}

/// A line that marks a blank's beginning or end.
struct Mark {
  bool ends = false;
  std::string name, title;
};

std::optional<Mark> read_mark(const fs::path& file, unsigned number, const std::string& line) {
  static const Regex form(R"(\s*// ---- (end of )?(parts? [^:]*?)(?:: (.*?))? ?-{2,}\s*)");
  static const Regex nearly(R"(\s*//\s*-{2,}\s*(end of )?parts? \d.*)");
  if (line.size() > longest_mark) return {};  // a line of a student's file may be longer
  const auto match = form.match(line);
  if (!match) {
    if (nearly.match(line)) fail(file, number, "this looks like the mark of a blank, but is not one.");
    return {};
  }
  const Mark mark{match->has(1), (*match)[2], (*match)[3]};
  if (parts_of(mark.name).empty())
    fail(file, number,
         fmt::format("\"{}\" names no parts; expected \"part 2\", \"parts 1 and 2\" or \"parts 1 to 3\".",
                     mark.name));
  if (!mark.ends && mark.title.empty())
    fail(file, number,
         fmt::format("the blank of {} has no title; expected \": what to write\" after it.", mark.name));
  return mark;
}

std::string mark_line(const std::string& indent, const std::string& words) {
  std::string line = indent + "// ---- " + words + " ";
  // The width counts characters, not bytes, since a title may contain characters of several bytes.
  const auto width = static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  line.append(width + 4 < mark_width ? mark_width - width : 4, '-');
  return line;
}

}  // namespace

Skeleton parse_skeleton(const fs::path& file, const std::string& text) {
  Skeleton skeleton;
  skeleton.given.emplace_back();
  bool open = false;
  unsigned number = 0;
  for (const SourceLine& line : source_lines(text)) {
    ++number;
    const std::optional<Mark> mark = read_mark(file, number, line.text);
    if (!mark) {
      (open ? skeleton.blanks.back().lines : skeleton.given.back().lines).push_back(line.text);
    } else if (!mark->ends) {
      if (open)
        fail(file, number,
             fmt::format("{} begins inside the blank of {}, which began in line {}.", mark->name,
                         skeleton.blanks.back().name, skeleton.blanks.back().begin));
      if (!skeleton.blanks.empty() && skeleton.given.back().lines.empty())
        fail(file, number,
             fmt::format("nothing is between the blanks of {} and {}; make them one blank.",
                         skeleton.blanks.back().name, mark->name));
      skeleton.blanks.push_back({parts_of(mark->name), mark->name, mark->title, number, 0, {}});
      open = true;
    } else {
      if (!open) fail(file, number, fmt::format("this ends {}, which did not begin.", mark->name));
      Blank& blank = skeleton.blanks.back();
      if (mark->name != blank.name)
        fail(file, number,
             fmt::format("this ends {}, but {} began in line {}.", mark->name, blank.name, blank.begin));
      blank.end = number;
      skeleton.given.push_back({number + 1, {}});
      open = false;
    }
  }
  if (open)
    fail(file, skeleton.blanks.back().begin,
         fmt::format("the blank of {} never ends.", skeleton.blanks.back().name));
  return skeleton;
}

std::string with_blank(const fs::path& file, const std::string& text, unsigned first, unsigned last,
                       const std::vector<int>& parts, const std::string& title) {
  const std::vector<SourceLine> lines = source_lines(text);
  if (first < 1 || last < first || last > lines.size())
    throw Error(ErrorKind::usage,
                fmt::format("{} has lines 1 to {}, not {} to {}.", shown(file), lines.size(), first, last));
  std::string name = parts.size() == 1 ? "part " : "parts ";
  for (std::size_t i = 0; i < parts.size(); ++i)
    name += (i == 0 ? "" : i + 1 < parts.size() ? ", " : " and ") + std::to_string(parts[i]);
  const std::string& begin = lines[first - 1].text;
  const std::string indent = begin.substr(0, std::min(begin.find_first_not_of(" \t"), begin.size()));
  std::string out;
  for (unsigned number = 1; number <= lines.size(); ++number) {
    if (number == first) {
      const unsigned count = last - first + 1;
      const std::string about = count == 1 ? "one line" : fmt::format("{} lines", count);
      out += mark_line(indent, fmt::format("{}: {} ({})", name, title, about)) + "\n";
      for (const int part : parts) out += fmt::format("{}LAB_TODO({});\n", indent, part);
      out += mark_line(indent, "end of " + name) + "\n";
    }
    if (number < first || number > last) out += lines[number - 1].text + "\n";
  }
  return out;
}

std::vector<Todo> find_todos(const fs::path& name, const std::string& text) {
  static const std::string call = "LAB_TODO";
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto skip_blanks = [&](std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  };

  std::vector<Todo> todos;
  if (text.find(call) == std::string::npos) return todos;
  const std::vector<TextKind> kinds = classify(text);
  unsigned line = 1;
  std::size_t counted = 0;
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
    if (kinds[at] != TextKind::code || (at > 0 && is_name(text[at - 1]))) continue;
    const std::size_t open = skip_blanks(at + call.size());
    if (open == text.size() || text[open] != '(') continue;
    const std::size_t number = skip_blanks(open + 1);
    std::size_t end = number;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == number || end - number > 4 || skip_blanks(end) == text.size() || text[skip_blanks(end)] != ')')
      continue;
    line += static_cast<unsigned>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                             text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    todos.push_back({std::stoi(text.substr(number, end - number)), name, line});
  }
  return todos;
}

}  // namespace grader
