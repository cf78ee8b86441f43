#include "loops.hpp"

#include <algorithm>

#include "expression.hpp"

namespace cuemu::check {

namespace {

/// Reads a text once, and keeps a list of the open loops.
class LoopReader {
 public:
  enum class What { loops, branches };
  explicit LoopReader(What what) : what_(what) {}

  std::vector<Loop> read(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      ++line_;
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != line.npos && line[first] == '#' && !in_comment_) in_directive_ = true;
      read_line(line);
      const std::size_t last = line.find_last_not_of(" \t\r");
      if (last == line.npos || line[last] != '\\') in_directive_ = false;
    }
    std::sort(done_.begin(), done_.end(), [](const Loop& a, const Loop& b) { return a.line < b.line; });
    return std::move(done_);
  }

 private:
  struct Open {
    Loop loop;
    int braces;    ///< depth of braces around it
    int brackets;  ///< depth of brackets around it
    bool in_head;  ///< its parentheses are still open
    bool in_braces = false;
  };

  void read_line(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (in_comment_) {
        if (text.compare(i, 2, "*/") == 0) in_comment_ = false, ++i;
      } else if (text.compare(i, 2, "/*") == 0) {
        in_comment_ = true, ++i;
      } else if (text.compare(i, 2, "//") == 0) {
        return;
      } else if (text[i] == '"' || text[i] == '\'') {
        i = behind_quote(text, i);
      } else if (is_word(text[i])) {
        std::size_t end = i;
        while (end < text.size() && is_word(text[end])) ++end;
        if (!in_directive_) read_word(text.substr(i, end - i));
        i = end - 1;
      } else if (!in_directive_) {
        read_sign(text[i]);
      }
    }
  }

  static std::size_t behind_quote(const std::string& text, std::size_t open) {
    if (text[open] == '\'' && open > 0 && is_word(text[open - 1])) return open;  // 1'000
    for (std::size_t i = open + 1; i < text.size(); ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == text[open])
        return i;
    }
    return text.size();
  }

  void read_word(const std::string& word) {
    const bool loops = what_ == What::loops;
    const bool head = loops ? word == "for" || word == "while" : word == "if";
    if (!loops && word == "constexpr" && !open_.empty() && open_.back().in_head) open_.pop_back();
    if (head || word == (loops ? "do" : "else")) {
      note_body();
      open_.push_back({{line_, 0, 0}, braces_, brackets_, head});
    } else {
      note_body();
    }
  }

  void read_sign(char sign) {
    if (sign == '(') ++brackets_;
    if (sign == ')') {
      --brackets_;
      if (!open_.empty() && open_.back().in_head && brackets_ == open_.back().brackets) {
        open_.back().in_head = false;
        return;
      }
    }
    if (sign == '{') {
      if (!open_.empty() && !open_.back().in_head && open_.back().loop.first == 0)
        open_.back().in_braces = true;
      ++braces_;
      note_body();
    }
    if (sign == '}') {
      --braces_;
      close_at(true);
    }
    if (sign == ';' && brackets_ == 0) {
      note_body();
      close_at(false);
    }
  }

  void note_body() {
    for (Open& open : open_)
      if (!open.in_head && open.loop.first == 0) open.loop.first = line_;
  }

  /// Called at a brace or a semicolon. Ends the loops whose bodies end there, including outer loops with the
  /// same body.
  void close_at(bool brace) {
    bool ended = brace;
    while (!open_.empty() && !open_.back().in_head && braces_ == open_.back().braces &&
           (open_.back().in_braces ? ended && brace : true)) {
      Open& open = open_.back();
      open.loop.last = line_;
      done_.push_back(open.loop);
      open_.pop_back();
      ended = true;
    }
  }

  const What what_;
  std::vector<Loop> done_;
  std::vector<Open> open_;
  int line_ = 0;
  int braces_ = 0;
  int brackets_ = 0;
  bool in_comment_ = false;
  bool in_directive_ = false;  ///< a `#define`'s text runs where its name is used
};

std::string ordinal(std::uint32_t number) {
  const std::uint32_t tens = number % 100;
  const std::uint32_t ones = number % 10;
  const char* const ending = tens >= 11 && tens <= 13 ? "th"
                             : ones == 1              ? "st"
                             : ones == 2              ? "nd"
                             : ones == 3              ? "rd"
                                                      : "th";
  return std::to_string(number) + ending;
}

}  // namespace

std::vector<Loop> loops_in(const std::vector<std::string>& lines) {
  return LoopReader(LoopReader::What::loops).read(lines);
}

std::vector<Loop> branches_in(const std::vector<std::string>& lines) {
  return LoopReader(LoopReader::What::branches).read(lines);
}

const Loop* innermost(const std::vector<Loop>& all, int first, int last) {
  const Loop* found = nullptr;  // inner loops come later in the sorted list
  for (const Loop& loop : all)
    if (loop.holds(first) && loop.holds(last)) found = &loop;
  return found;
}

bool has_word(const std::string& text, const std::string& word) {
  const auto goes_on = [&](std::size_t at) { return at < text.size() && is_word(text[at]); };
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if (!goes_on(at - 1) && !goes_on(at + word.size())) return true;
  return false;
}

bool decides_about(const std::vector<std::string>& lines, int condition, int line) {
  const auto count = static_cast<int>(lines.size());
  const auto text = [&](int at) { return at >= 1 && at <= count ? lines[at - std::size_t{1}] : ""; };
  const auto is_head = [&](const Loop& body) { return body.line <= condition && condition <= body.first; };
  const std::vector<Loop> loops = loops_in(lines);
  const std::vector<Loop> branches = branches_in(lines);
  for (const Loop& loop : loops) {
    if (!loop.holds(line)) continue;
    if (has_word(text(loop.line), "do")) {  // the condition of a do loop follows its body
      const bool is_behind = condition == loop.last || condition == loop.last + 1;
      if (is_behind && has_word(text(condition), "while")) return true;
    } else if (is_head(loop)) {
      return true;
    }
    for (const Loop& branch : branches)
      if (loop.holds(branch.line) && is_head(branch) && innermost(loops, branch.line, branch.line) == &loop)
        for (int at = branch.first; at <= branch.last; ++at)
          if (has_word(text(at), "break") || has_word(text(at), "return")) return true;
  }
  return std::any_of(branches.begin(), branches.end(),
                     [&](const Loop& branch) { return branch.holds(line) && is_head(branch); });
}

namespace {

/// An `if` in a text.
struct If {
  Guard guard;
  std::string after;  ///< the text after its condition
};

/// Returns the `if` whose keyword is at this position; none if its condition does not end within the text.
If if_at(const std::string& text, std::size_t keyword) {
  const std::size_t open = text.find_first_not_of(' ', keyword + 2);
  if (open == text.npos || text[open] != '(') return {};
  int depth = 0;
  std::size_t comparisons = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(') ++depth;
    if ((c == '<' || c == '>') && text[at - 1] != '-' && text[at - 1] != c && text[at + 1] != c)
      ++comparisons;
    if (c == ')' && --depth == 0)
      return {{comparisons != 0 ? text.substr(open + 1, at - open - 1) : "", comparisons},
              text.substr(at + 1)};
  }
  return {};
}

/// Whether the text after a condition is past the branch of the `if`: true for `a(); b[`, false for `b[` and
/// `{ a(); b[`.
bool leaves_branch(const std::string& after) {
  const auto count = [&](char sign) { return std::count(after.begin(), after.end(), sign); };
  return count('{') == count('}') && count(';') + count('}') != 0;
}

/// Returns the last guard in a text. Its branch either is still open at the text's end, or returns.
Guard last_guard_in(const std::string& text) {
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text.compare(at, 2, "if") != 0 || (at > 0 && is_word(text[at - 1])) || is_word(text[at + 2]))
      continue;
    const If found = if_at(text, at);
    if (found.guard.known() && (!leaves_branch(found.after) || has_word(found.after, "return")))
      return found.guard;
  }
  return {};
}

}  // namespace

Guard guard_of(const std::vector<std::string>& lines, int line, int column) {
  if (line < 1 || line > static_cast<int>(lines.size())) return {};
  const auto text = [&](int at) { return without_comment(lines[static_cast<std::size_t>(at) - 1]); };
  const std::string before =
      text(line).substr(0, column > 0 ? static_cast<std::size_t>(column) : std::string::npos);
  if (Guard here = last_guard_in(before); here.known()) return here;
  Guard around, returned;
  for (const Loop& branch : branches_in(lines)) {
    if (branch.line >= line || (!branch.holds(line) && branch.last >= line)) continue;
    std::string head, body;
    for (int at = branch.line; at < line && at <= branch.last; ++at)
      (at <= branch.first ? head : body) +=
          text(at).substr(std::min(text(at).find_first_not_of(' '), text(at).size())) + " ";
    std::size_t keyword = head.find("if");
    while (keyword != head.npos && keyword != 0 && is_word(head[keyword - 1]))
      keyword = head.find("if", keyword + 1);
    const Guard guard = keyword != head.npos ? if_at(head, keyword).guard : Guard{};
    if (!guard.known()) continue;
    if (branch.holds(line))
      around = guard;
    else if (has_word(head + body, "return") && !begins_function_in(lines, branch.line + 1, line))
      returned = guard;
  }
  return around.known() ? around : returned;
}

bool is_on_the_way(const std::vector<std::string>& lines, int first, int later) {
  if (first < 1 || later <= first || later > static_cast<int>(lines.size())) return false;
  std::vector<Loop> bodies = loops_in(lines);
  const std::vector<Loop> branches = branches_in(lines);
  bodies.insert(bodies.end(), branches.begin(), branches.end());
  int begin = 0;  // where the innermost body around only the first line begins
  for (const Loop& body : bodies) {
    if (body.holds(later) && !body.holds(first)) return false;  // an `else`, or a separate `if`
    if (body.holds(first) && !body.holds(later)) begin = std::max(begin, body.line);
  }
  if (begin == 0 || begins_function_in(lines, begin, later)) return false;
  // Looks for jumps, and for lambdas, which run elsewhere.
  for (int at = begin; at <= later; ++at) {
    const std::string text = without_comment(lines[static_cast<std::size_t>(at) - 1]);
    for (const char* const word : {"return", "break", "continue", "goto", "case", "default", "asm", "__trap"})
      if (has_word(text, word)) return false;
    for (const char* const capture : {"[&", "[=", "[]"})
      if (text.find(capture) != text.npos) return false;
  }
  return true;
}

bool begins_function_in(const std::vector<std::string>& lines, int first, int last) {
  for (int line = std::max(first, 1); line <= last && line <= static_cast<int>(lines.size()); ++line) {
    const std::string& text = lines[static_cast<std::size_t>(line) - 1];
    if (text.find("__global__") != text.npos || text.find("__device__") != text.npos) return true;
  }
  return false;
}

int head_of_device_function(const std::vector<std::string>& lines, int line) {
  for (int at = std::min(line, static_cast<int>(lines.size())); at > 0; --at) {
    const std::string& text = lines[static_cast<std::size_t>(at) - 1];
    if (text.find("__global__") != text.npos) return 0;
    if (text.find("__device__") != text.npos) return at;
  }
  return 0;
}

std::string declared_name(const std::string& head) {
  const std::size_t open = head.find('(');
  if (open == head.npos) return "";
  std::size_t begin = open;
  while (begin > 0 && is_word(head[begin - 1])) --begin;
  return head.substr(begin, open - begin);
}

std::string without_comment(const std::string& text) {
  return text.substr(0, text.find("//"));
}

bool is_same_file(const std::string& path, const std::string& given) {
  if (path.size() <= given.size()) return path == given;
  return path[path.size() - given.size() - 1] == '/' &&
         path.compare(path.size() - given.size(), given.size(), given) == 0;
}

void BarrierCounts::passed(const char* file, int line) {
  if (file == nullptr) return;
  for (Count& known : counts_)
    if (known.line == line && known.file == file) {
      ++known.count;
      return;
    }
  counts_.push_back({file, line, 1});
}

std::string BarrierCounts::turn_at(const std::vector<Loop>& loops, const std::string& file, int line) const {
  const Loop* inner = nullptr;  // the innermost loop around the line that has a barrier
  const Count* barrier = nullptr;
  for (const Loop& loop : loops) {
    if (!loop.holds(line)) continue;
    for (const Count& count : counts_)
      if (is_same_file(file, count.file) && loop.holds(count.line)) inner = &loop, barrier = &count;
  }
  if (inner == nullptr) return "";
  // The count is not the iteration if an outer loop repeats the barriers of this loop, or if an inner loop
  // passes its barrier several times per iteration.
  if (std::any_of(loops.begin(), loops.end(),
                  [&](const Loop& loop) { return &loop != inner && loop.holds(barrier->line); }))
    return "";
  const std::uint32_t turn = barrier->count + (line < barrier->line ? 1 : 0);
  if (turn < 2) return "";
  return "in the " + ordinal(turn) + " iteration of the loop at line " + std::to_string(inner->line);
}

bool BarrierCounts::passed_between(const std::string& file, int first, int last) const {
  return std::any_of(counts_.begin(), counts_.end(), [&](const Count& count) {
    return is_same_file(file, count.file) && first < count.line && count.line < last;
  });
}

}  // namespace cuemu::check
