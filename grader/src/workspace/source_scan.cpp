// The scan makes one pass, with a function for each kind of token. A literal that is not closed ends with its
// line, so that broken code can't hide the rest of the file.
#include "workspace/source_scan.hpp"

#include <algorithm>
#include <string_view>

namespace grader {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text), kinds_(text.size(), TextKind::code) {}

  std::vector<TextKind> scan() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        in_macro_ = in_macro_ && behind_backslash(at_);
        line_begins_ = true;
        ++at_;
        continue;
      }
      if (c == '/' && (next() == '/' || next() == '*')) {
        comment();
        continue;  // a directive may come after a comment
      }
      if (c == '"' || c == '\'') {
        literal(c);
      } else if (is_digit(c)) {
        number();
      } else if (is_name(c)) {
        name();
      } else if (c == '#' && line_begins_) {
        directive();
      } else {
        mark(1, code());
      }
      line_begins_ = line_begins_ && (is_blank(c) || c == '\r');
    }
    return std::move(kinds_);
  }

 private:
  char next(std::size_t by = 1) const { return at_ + by < text_.size() ? text_[at_ + by] : '\0'; }
  TextKind code() const { return in_macro_ ? TextKind::macro : TextKind::code; }

  bool behind_backslash(std::size_t newline) const {
    std::size_t before = newline;
    if (before > 0 && text_[before - 1] == '\r') --before;
    return before > 0 && text_[before - 1] == '\\';
  }

  void mark(std::size_t bytes, TextKind kind) {
    const std::size_t end = std::min(at_ + bytes, text_.size());
    std::fill(kinds_.begin() + static_cast<std::ptrdiff_t>(at_),
              kinds_.begin() + static_cast<std::ptrdiff_t>(end), kind);
    at_ = end;
  }
  void mark_until(std::size_t end, TextKind kind) { mark(std::min(end, text_.size()) - at_, kind); }

  void comment() {
    std::size_t end;
    if (next() == '*') {
      end = text_.find("*/", at_ + 2);
      end = end == std::string::npos ? text_.size() : end + 2;
    } else {
      end = text_.find('\n', at_);
      while (end != std::string::npos && behind_backslash(end)) end = text_.find('\n', end + 1);
    }
    const std::size_t begin = at_;
    mark_until(end, TextKind::comment);
    kinds_[begin] = TextKind::comment_start;
  }

  void literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote) {
      if (text_[end] == '\n' && !behind_backslash(end)) break;
      end += text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n' ? 2 : 1;
    }
    const bool closed = end < text_.size() && text_[end] == quote;
    mark_until(closed ? end + 1 : end, TextKind::string);
  }

  /// Reads digits with their separators: the quote in 1'000 does not start a character literal.
  void number() {
    std::size_t end = at_ + 1;
    while (end < text_.size() &&
           (is_name(text_[end]) || text_[end] == '.' ||
            (text_[end] == '\'' && end + 1 < text_.size() && is_name(text_[end + 1])))) {
      ++end;
    }
    mark_until(end, code());
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    const std::string word = text_.substr(at_, end - at_);
    const bool raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
    mark_until(end, code());
    if (raw && at_ < text_.size() && text_[at_] == '"') raw_string();
  }

  /// Reads R"tag( … )tag".
  void raw_string() {
    const std::size_t tag = std::string_view(text_).substr(at_, 18).find('(');  // of at most 16 characters
    if (tag == std::string_view::npos) return literal('"');
    const std::size_t open = at_ + tag;
    std::string closing(1, ')');
    closing.append(text_, at_ + 1, open - at_ - 1).append(1, '"');
    const std::size_t end = text_.find(closing, open);
    mark_until(end == std::string::npos ? text_.size() : end + closing.size(), TextKind::string);
  }

  void directive() {
    std::size_t word = at_ + 1;
    while (word < text_.size() && is_blank(text_[word])) ++word;
    in_macro_ =
        text_.compare(word, 6, "define") == 0 && (word + 6 >= text_.size() || !is_name(text_[word + 6]));
    mark(1, code());
  }

  const std::string& text_;
  std::vector<TextKind> kinds_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
  bool in_macro_ = false;
};

}  // namespace

std::vector<TextKind> classify(const std::string& text) {
  return Scanner(text).scan();
}

std::vector<SourceLine> source_lines(const std::string& text) {
  std::vector<SourceLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = std::min(text.find('\n', begin), text.size());
    const std::size_t end = newline > begin && text[newline - 1] == '\r' ? newline - 1 : newline;
    lines.push_back({text.substr(begin, end - begin), begin});
    begin = newline + 1;
  }
  return lines;
}

}  // namespace grader
