// Two steps: the lines of the text become markers, stub lines and code; a small state machine then decides,
// line by line, what a level sees. Nothing inside a string or a block comment is a marker, however it looks.
#include "workspace/annotate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/files.hpp"
#include "catalog/catalog.hpp"
#include "workspace/source_scan.hpp"

namespace grader {
namespace {

const char* const grammar = "//@part N \"title\" levels=1-2, //@stub 1, //@text 1 or //@end";

/// One annotated text, read for one level.
class Annotated {
 public:
  Annotated(const Lab& lab, const fs::path& file, const std::string& text)
      : lab_(lab), file_(file), lines_(source_lines(text)), kinds_(classify(text)) {}

  /// @param marked receives the parts that are blank at the level; with level 0, all that were met
  std::string read(int level, std::set<int>* marked) {
    level_ = level;
    for (number_ = 1; number_ <= lines_.size(); ++number_) {
      const SourceLine& line = lines_[number_ - 1];
      const std::size_t first = line.text.find_first_not_of(" \t");
      const bool opens_comment =
          first != std::string::npos && kinds_[line.begin + first] == TextKind::comment_start;
      const std::string head = opens_comment ? line.text.substr(first, 4) : "";
      if (head.starts_with("//@") && !head.ends_with('{') && !head.ends_with('}')) {
        marker(line.text.substr(first + 3), marked);
      } else if (head.starts_with("//|")) {
        stub_line(line.text.substr(0, first), line.text.substr(first + 3));
      } else {
        code_line(line);
      }
    }
    if (open_ != Open::nothing)
      fail(opened_at_, fmt::format("{} is never closed; expected //@end", open_name()));
    return out_;
  }

 private:
  enum class Open { nothing, part, stub, text };

  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw Error(ErrorKind::usage, fmt::format("{}:{}: {}", shown(file_), line, message));
  }
  [[noreturn]] void fail(const std::string& message) const { fail(number_, message); }

  std::string open_name() const { return open_ == Open::text ? "//@text" : fmt::format("//@part {}", part_); }

  // -- lines
  // ------------------------------------------------------------------------------------------------------

  void emit(const std::string& line) { out_ += line + '\n'; }

  void code_line(const SourceLine& line) {
    for (std::size_t i = 0; i + 3 < line.text.size(); ++i) {
      const TextKind kind = kinds_[line.begin + i];
      const bool in_comment = kind == TextKind::comment || kind == TextKind::comment_start;
      const bool doxygen = i > 0 && line.text[i - 1] == '/';  // "///@param"
      const bool word = line.text[i + 3] >= 'a' && line.text[i + 3] <= 'z';
      if (in_comment && !doxygen && word && line.text.compare(i, 3, "//@") == 0)
        fail("a marker inside other text; expected it alone on its line, outside /* */");
    }
    if (open_ == Open::stub || open_ == Open::text)
      fail(fmt::format("code inside {}; expected lines that begin with //|, or a marker",
                       open_ == Open::text ? "//@text" : "//@stub"));
    if (open_ == Open::part && part_levels_.contains(level_)) return;
    emit(line.text);
  }

  void stub_line(const std::string& indentation, std::string text) {
    if (open_ != Open::stub && open_ != Open::text)
      fail("//| outside //@stub and //@text; expected one of these markers above it");
    if (!text.empty() && text[0] != ' ') fail("expected a blank behind //|");
    if (!text.empty()) text.erase(0, 1);
    const std::size_t first = text.find_first_not_of(" \t");
    if (first != std::string::npos &&
        (text.compare(first, 3, "//@") == 0 || text.compare(first, 3, "//|") == 0))
      fail("a marker behind //|; expected text that students may see");
    if (shown_levels_.contains(level_)) emit(first == std::string::npos ? "" : indentation + text);
  }

  // -- markers
  // ----------------------------------------------------------------------------------------------------

  void marker(const std::string& text, std::set<int>* marked) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string word = text.substr(0, end);
    std::string rest = text.substr(end);
    rest.erase(0, std::min(rest.find_first_not_of(" \t"), rest.size()));
    rest.erase(rest.find_last_not_of(" \t") + 1);
    if (word == "part") {
      begin_part(rest, marked);
    } else if (word == "stub") {
      begin_stub(rest);
    } else if (word == "text") {
      begin_text(rest);
    } else if (word == "end") {
      end_block(rest);
    } else {
      const std::string near = did_you_mean(word, {"part", "stub", "text", "end"});
      fail(fmt::format("unknown marker \"//@{}\"; expected {}{}", word, grammar,
                       near.empty() ? "" : fmt::format("; did you mean \"//@{}\"?", near)));
    }
  }

  void begin_part(const std::string& rest, std::set<int>* marked) {
    if (open_ != Open::nothing)
      fail(fmt::format("//@part inside {} of line {}; expected //@end before it", open_name(), opened_at_));
    // N "title" levels=LIST
    const std::size_t quote = rest.find('"');
    const std::size_t close = quote == std::string::npos ? quote : rest.find('"', quote + 1);
    if (close == std::string::npos) fail("expected //@part N \"title\" levels=1-2");
    std::string number = rest.substr(0, quote), tail = rest.substr(close + 1);
    number.erase(number.find_last_not_of(" \t") + 1);
    tail.erase(0, std::min(tail.find_first_not_of(" \t"), tail.size()));
    if (number.empty() || number.size() > 4 || number.find_first_not_of("0123456789") != std::string::npos ||
        close == quote + 1)
      fail("expected a part's number and its title in quotes: //@part N \"title\" levels=1-2");
    if (!tail.empty() && !tail.starts_with("levels="))
      fail(fmt::format("\"{}\" behind the title; expected levels=1-2 or nothing", tail));

    part_ = std::stoi(number);
    const bool declared =
        std::any_of(lab_.parts.begin(), lab_.parts.end(), [&](const Part& part) { return part.id == part_; });
    if (!declared)
      fail(fmt::format("part {} is not in lab.toml; expected 1 to {}", part_, lab_.parts.size()));
    part_levels_ = tail.empty() ? all_levels() : parse_levels(tail.substr(std::string("levels=").size()));
    stubbed_.clear();
    open_ = Open::part;
    opened_at_ = number_;
    if (marked != nullptr && (level_ == 0 || part_levels_.contains(level_))) marked->insert(part_);
  }

  void begin_stub(const std::string& rest) {
    if (open_ != Open::part && open_ != Open::stub) fail("//@stub outside a part; expected //@part above it");
    shown_levels_ = parse_levels(rest);
    for (const int level : shown_levels_) {
      if (!part_levels_.contains(level))
        fail(fmt::format("a stub for level {}, at which part {} is not blank; expected levels of its //@part",
                         level, part_));
      if (!stubbed_.insert(level).second)
        fail(fmt::format("a second stub for level {} of this part; expected one", level));
    }
    open_ = Open::stub;
  }

  void begin_text(const std::string& rest) {
    if (open_ != Open::nothing)
      fail(fmt::format("//@text inside {} of line {}; expected //@end before it", open_name(), opened_at_));
    shown_levels_ = parse_levels(rest);
    open_ = Open::text;
    opened_at_ = number_;
  }

  void end_block(const std::string& rest) {
    if (!rest.empty()) fail(fmt::format("\"{}\" behind //@end; expected nothing", rest));
    if (open_ == Open::nothing) fail("//@end closes nothing; expected //@part or //@text above it");
    if (open_ != Open::text) {
      for (const int level : part_levels_) {
        if (!stubbed_.contains(level))
          fail(opened_at_,
               fmt::format("part {} has no stub for level {}; expected //@stub {}", part_, level, level));
      }
    }
    open_ = Open::nothing;
  }

  // -- levels
  // -----------------------------------------------------------------------------------------------------

  std::set<int> all_levels() const {
    std::set<int> levels;
    for (int level = 1; level <= lab_.levels; ++level) levels.insert(level);
    return levels;
  }

  /// "1", "1-2", "1,3"
  std::set<int> parse_levels(const std::string& list) const {
    std::set<int> levels;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string range = list.substr(begin, end - begin);
      const std::size_t dash = std::min(range.find('-'), range.size());
      const int first = parse_level(range.substr(0, dash), list);
      const int last = dash < range.size() ? parse_level(range.substr(dash + 1), list) : first;
      if (first > last) fail(fmt::format("levels \"{}\" run backwards; expected the smaller first", range));
      for (int level = first; level <= last; ++level) {
        if (!levels.insert(level).second) fail(fmt::format("level {} stands twice in \"{}\"", level, list));
      }
      begin = end + 1;
    }
    return levels;
  }

  int parse_level(const std::string& number, const std::string& list) const {
    if (number.empty() || number.size() > 4 || number.find_first_not_of("0123456789") != std::string::npos)
      fail(fmt::format("\"{}\" is no list of levels; expected one like 1, 1-2 or 1,3", list));
    const int level = std::stoi(number);
    if (level < 1 || level > lab_.levels)
      fail(fmt::format("level {} is not one of the lab's; expected 1 to {}", level, lab_.levels));
    return level;
  }

  const Lab& lab_;
  const fs::path& file_;
  std::vector<SourceLine> lines_;
  std::vector<TextKind> kinds_;

  int level_ = 0;
  std::size_t number_ = 0;  ///< of the line, from 1
  std::string out_;
  Open open_ = Open::nothing;
  std::size_t opened_at_ = 0;
  int part_ = 0;
  std::set<int> part_levels_;   ///< at which the open part is blank
  std::set<int> stubbed_;       ///< of these, those that have a stub already
  std::set<int> shown_levels_;  ///< of the open stub or text
};

}  // namespace

std::string skeleton(const Lab& lab, const fs::path& file, const std::string& annotated, int level) {
  return Annotated(lab, file, annotated).read(level, nullptr);
}

std::vector<int> blank_parts(const Lab& lab, const fs::path& file, const std::string& annotated, int level) {
  std::set<int> parts;
  Annotated(lab, file, annotated).read(level, &parts);
  return {parts.begin(), parts.end()};
}

std::vector<int> marked_parts(const Lab& lab, const fs::path& file, const std::string& annotated) {
  return blank_parts(lab, file, annotated, 0);
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
