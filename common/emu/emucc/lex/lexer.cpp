#include "lex/lexer.hpp"

#include <cctype>
#include <cstring>
#include <optional>

namespace emucc {
namespace {

bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_identifier_part(char c) {
  return is_identifier_start(c) || is_digit(c);
}

/// The length of the operator at the start of `s`. `<` and `>` are parts of longer operators only in `<=`,
/// `>=`, `<=>`, `->` and `->*`.
std::size_t operator_length(std::string_view s) {
  static constexpr std::string_view three[] = {"...", "->*", "<=>"};
  static constexpr std::string_view two[] = {"::", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=",
                                             "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ".*", "##"};
  for (auto op : three) {
    if (s.substr(0, 3) == op) return 3;
  }
  for (auto op : two) {
    if (s.substr(0, 2) == op) return 2;
  }
  return 1;
}

/// The length of a literal whose quotation mark is at s[quote]. For an unclosed literal, the length of its
/// mark.
std::size_t quoted_length(std::string_view s, std::size_t quote) {
  const char mark = s[quote];
  for (std::size_t i = quote + 1; i < s.size() && s[i] != '\n'; ++i) {
    if (s[i] == '\\')
      ++i;
    else if (s[i] == mark)
      return i + 1;
  }
  return quote + 1;
}

/// The length of a raw string whose R is just before s[quote].
std::size_t raw_length(std::string_view s, std::size_t quote) {
  const std::size_t open = s.find('(', quote);
  if (open == s.npos || open - quote > 17) return quoted_length(s, quote);
  std::string close(1, ')');
  close += s.substr(quote + 1, open - quote - 1);
  close += '"';
  const std::size_t end = s.find(close, open);
  return end == s.npos ? s.size() : end + close.size();
}

/// The length of a preprocessing number: digits, letters, points, digit separators, signed exponents.
std::size_t number_length(std::string_view s) {
  std::size_t i = 1;
  while (i < s.size()) {
    const char c = s[i];
    const bool exponent = (c == '+' || c == '-') && std::strchr("eEpP", s[i - 1]);
    const bool separator = c == '\'' && i + 1 < s.size() && is_identifier_part(s[i + 1]);
    if (!is_identifier_part(c) && c != '.' && !exponent && !separator) break;
    ++i;
  }
  return i;
}

struct Lexeme {
  TokenKind kind;
  std::size_t length;
};

/// Returns the token at the start of `s`, which is not empty and does not begin with white space.
Lexeme next_lexeme(std::string_view s) {
  const char c = s[0];
  if (is_identifier_start(c)) {
    std::size_t n = 1;
    while (n < s.size() && is_identifier_part(s[n])) ++n;
    if (n < s.size() && (s[n] == '"' || s[n] == '\'')) {
      const auto prefix = s.substr(0, n);
      const bool plain = prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8";
      const bool raw = prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R";
      if (raw && s[n] == '"') return {TokenKind::string, raw_length(s, n)};
      if (plain) return {s[n] == '"' ? TokenKind::string : TokenKind::character, quoted_length(s, n)};
    }
    return {TokenKind::identifier, n};
  }
  if (is_digit(c) || (c == '.' && s.size() > 1 && is_digit(s[1])))
    return {TokenKind::number, number_length(s)};
  if (c == '"' || c == '\'') {
    const std::size_t n = quoted_length(s, 0);
    if (n == 1) return {TokenKind::punctuator, 1};
    return {c == '"' ? TokenKind::string : TokenKind::character, n};
  }
  return {TokenKind::punctuator, operator_length(s)};
}

struct Marker {
  std::uint32_t line = 0;
  std::string_view file;
  std::string_view flags;  // " 1 3"
  bool has(char flag) const { return flags.find(flag) != flags.npos; }
};

/// Reads `# 12 "file" 1 3` or `#line 12 "file"`.
std::optional<Marker> parse_marker(std::string_view line) {
  if (line.empty() || line[0] != '#') return std::nullopt;
  std::size_t i = 1;
  while (i < line.size() && line[i] == ' ') ++i;
  if (line.substr(i, 5) == "line ") i += 5;
  if (i >= line.size() || !is_digit(line[i])) return std::nullopt;
  Marker marker;
  while (i < line.size() && is_digit(line[i]))
    marker.line = marker.line * 10 + static_cast<std::uint32_t>(line[i++] - '0');
  while (i < line.size() && line[i] == ' ') ++i;
  if (i >= line.size() || line[i] != '"') return std::nullopt;
  const std::size_t end = quoted_length(line, i);
  if (end < i + 2) return std::nullopt;
  marker.file = line.substr(i + 1, end - i - 2);
  marker.flags = line.substr(end);
  return marker;
}

class Lexer {
 public:
  Lexer(std::string_view text, const LexOptions& options) : options_(options) {
    stream_.text = text;
    stream_.tokens.reserve(text.size() / 16 + 16);
    set_place("", "");
  }

  TokenStream run() {
    const std::string_view text = stream_.text;
    bool line_start = true;
    bool space = true;
    while (at_ < text.size()) {
      const char c = text[at_];
      if (c == '\n') {
        ++at_;
        ++line_;
        line_start = space = true;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at_;
        space = true;
      } else if (c == '#' && line_start) {
        directive();
      } else {
        const Lexeme lexeme = next_lexeme(text.substr(at_));
        push(lexeme.kind, at_, lexeme.length, space, line_start);
        for (std::size_t i = 0; lexeme.kind == TokenKind::string && i < lexeme.length; ++i)
          line_ += text[at_ + i] == '\n';
        at_ += lexeme.length;
        line_start = space = false;
      }
    }
    push(TokenKind::end, at_, 0, true, true);
    return std::move(stream_);
  }

 private:
  void push(TokenKind kind, std::size_t offset, std::size_t length, bool space, bool line_start) {
    stream_.tokens.push_back({kind, space, line_start, static_cast<std::uint32_t>(offset),
                              static_cast<std::uint32_t>(length), line_, 0, place_});
  }

  void set_place(std::string_view file, std::string_view flags) {
    if (!stream_.places.empty() && stream_.places[place_].file == file &&
        stream_.places[place_].flags == flags)
      return;
    stream_.places.push_back({std::string(file), std::string(flags)});
    place_ = static_cast<std::uint32_t>(stream_.places.size() - 1);
  }

  std::string_view line_at(std::size_t from) const {
    const std::size_t end = stream_.text.find('\n', from);
    return stream_.text.substr(from, end == std::string_view::npos ? stream_.text.npos : end - from);
  }

  bool is_system(const Marker& marker) const {
    if (!marker.has('3')) return false;
    for (const auto& folder : options_.user_system_folders) {
      if (marker.file.size() > folder.size() && marker.file.substr(0, folder.size()) == folder &&
          marker.file[folder.size()] == '/')
        return false;
    }
    return true;
  }

  void directive() {
    const std::string_view line = line_at(at_);
    const auto marker = parse_marker(line);
    if (!marker) {
      push(TokenKind::directive, at_, line.size(), true, true);
      at_ += line.size();
    } else if (marker->has('1') || marker->has('2')) {
      const std::size_t begin = at_;
      const std::uint32_t included_at = marker->has('1') ? line_ : 0;
      enter_or_leave(*marker, line.size());
      if (system_.back()) skip_system();
      push(system_crossed_ ? TokenKind::verbatim : TokenKind::directive, begin, marker_end_ - begin, true,
           true);
      stream_.tokens.back().column = included_at;
    } else {  // the output gets a new marker where one is needed
      const bool other_file = marker->file != stream_.places[place_].file;
      const std::size_t begin = at_;
      follow(*marker, line.size());
      if (other_file) push(TokenKind::directive, begin, marker_end_ - begin, true, true);
    }
  }

  /// Sets the file and the line number to those in a marker.
  void follow(const Marker& marker, std::size_t length) {
    at_ += length;
    marker_end_ = at_;
    if (at_ < stream_.text.size()) ++at_;
    const bool flagged = !marker.has('1') && !marker.has('2');
    set_place(marker.file, flagged ? marker.flags : std::string_view());
    line_ = marker.line;
  }

  void enter_or_leave(const Marker& marker, std::size_t length) {
    system_crossed_ = false;
    if (marker.has('1'))
      system_.push_back(is_system(marker));
    else if (system_.size() > 1)
      system_.pop_back();
    follow(marker, length);
  }

  /// Skips the text of a system header. Reading continues at the marker before the next user code.
  void skip_system() {
    const std::string_view text = stream_.text;
    while (at_ < text.size()) {
      const std::string_view line = line_at(at_);
      const auto marker = parse_marker(line);
      if (marker && (marker->has('1') || marker->has('2'))) {
        enter_or_leave(*marker, line.size());
        if (!system_.back()) break;
        continue;
      }
      const std::size_t next = text.find("\n#", at_);
      at_ = marker_end_ = next == text.npos ? text.size() : next + 1;
    }
    system_crossed_ = true;
  }

  const LexOptions& options_;
  TokenStream stream_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t place_ = 0;
  std::size_t marker_end_ = 0;
  bool system_crossed_ = false;
  std::vector<bool> system_{false};  // for each file on the include stack: true if it is a system header
};

}  // namespace

TokenStream lex(std::string_view text, const LexOptions& options) {
  return Lexer(text, options).run();
}

std::vector<Token> lex_source_line(std::string_view line, bool& in_comment) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < line.size()) {
    if (in_comment) {
      const std::size_t end = line.find("*/", at);
      if (end == line.npos) return tokens;
      in_comment = false;
      at = end + 2;
    } else if (line.substr(at, 2) == "/*") {
      in_comment = true;
      at += 2;
    } else if (line.substr(at, 2) == "//") {
      return tokens;
    } else if (std::isspace(static_cast<unsigned char>(line[at]))) {
      ++at;
    } else {
      const Lexeme lexeme = next_lexeme(line.substr(at));
      Token token;
      token.kind = lexeme.kind;
      token.offset = static_cast<std::uint32_t>(at);
      token.length = static_cast<std::uint32_t>(lexeme.length);
      token.column = token.offset + 1;
      tokens.push_back(token);
      at += lexeme.length;
    }
  }
  return tokens;
}

}  // namespace emucc
