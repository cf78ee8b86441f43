// The preprocessor writes markers for #line directives, and for headers that the compiler takes for system
// headers. A marker that a source itself contains looks the same in the preprocessor's output. So such
// markers are searched in the original files. Every possible position counts, even in a comment, since this
// reader is simpler than a compiler and may be wrong about where a comment ends.
#include "analyse/line_markers.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "analyse/hidden_code.hpp"

namespace emucc {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Joins continued lines, which is a compiler's first step.
std::string joined(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::size_t end = text.find_first_not_of(" \t\r\f\v", i + 1);
      if (end != text.npos && text[end] == '\n') {
        i = end;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

/// Returns the first position that is neither a blank nor part of a `//` comment.
std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (std::string_view(" \t\r\f\v").find(text[at]) != text.npos) {
      ++at;
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      if (end == text.npos) return text.size();
      at = end + 2;
    } else {
      break;
    }
  }
  return at;
}

/// Returns true if the text at `at`, after a #, may be the rest of a marker such as `# 12 "file"`.
bool is_marker_behind(std::string_view text, std::size_t at) {
  at = skip_blanks(text, at);
  const std::size_t number = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == number) return false;
  at = skip_blanks(text, at);
  return text.substr(at, 1) == "\"" || text.substr(at, 2) == "R\"";
}

/// Returns true if the file contains a line marker.
bool holds_marker(std::string_view raw) {
  const std::string text = joined(raw);
  for (const std::string_view sign : {"#", "%:", "\?\?="})
    for (std::size_t at = text.find(sign); at != text.npos; at = text.find(sign, at + 1))
      if (is_marker_behind(text, at + sign.size())) return true;
  return false;
}

/// Returns the number of the first line that begins with # and `sign`; 1 if there is none.
std::uint32_t line_with(std::string_view text, std::string_view sign) {
  std::uint32_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = text.substr(begin, end - begin);
    const std::size_t hash = skip_blanks(whole, 0);
    if (whole.substr(hash, 1) == "#") {
      const std::size_t next = skip_blanks(whole, hash + 1);
      const bool is_it =
          sign.empty() ? is_marker_behind(whole, hash + 1) : whole.substr(next, sign.size()) == sign;
      if (is_it) return line;
    }
    begin = end + 1;
  }
  return 1;
}

/// The file and the flags of a marker such as `# 12 "file" 1 3`.
struct Marker {
  std::string_view file, flags;
  bool has(char flag) const { return flags.find(flag) != flags.npos; }
};
bool read_marker(std::string_view line, Marker& marker) {
  if (line.substr(0, 2) != "# " || line.size() < 3 || !is_digit(line[2])) return false;
  const std::size_t open = line.find('"'), close = line.rfind('"');
  if (open == line.npos || close == open) return false;
  marker = {line.substr(open + 1, close - open - 1), line.substr(close + 1)};
  return true;
}

class LineMarkers {
 public:
  LineMarkers(const TokenStream& stream, const FileLoader& load) : stream_(stream), load_(load) {}

  std::vector<Diagnostic> find() {
    for (const Token& token : stream_.tokens) {
      if (token.kind == TokenKind::directive || token.kind == TokenKind::verbatim)
        lines(stream_.spelling(token));
      const std::string& file = stream_.places[token.place].file;
      if (is_submitted(file) && token.kind != TokenKind::end) as_written(file);
    }
    return std::move(found_);
  }

 private:
  /// @param sign the text after the line's #; if no line has this text, the error is reported for line 1
  void refuse(std::string_view file, const char* sign, const char* message) {
    const auto text = load_(std::string(file));
    found_.push_back({std::string(file), text ? line_with(*text, sign) : 1, 0, message});
  }

  /// Examines each marker in a text.
  void lines(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      Marker marker;
      if (read_marker(text.substr(begin, end - begin), marker)) follow(marker);
      begin = text.find("\n# ", end == 0 ? 0 : end - 1);
      if (begin == text.npos) return;
      ++begin;
    }
  }

  /// Follows a marker of the preprocessor. The first markers have the special names `<built-in>` and
  /// `<command-line>`; after these, the preprocessor enters and leaves files.
  void follow(const Marker& marker) {
    if (marker.has('1') || marker.has('2')) {
      if (marker.has('1') && marker.has('3') && is_submitted(marker.file))
        refuse(marker.file, "pragma",
               "it passes for a header of the system, which is not checked: remove #pragma GCC "
               "system_header");
    } else if (marker.file == "<command-line>" && !started_) {
      at_command_line_ = true;
    } else if (started_ && marker.file != file_) {
      refuse(file_, "line", "'#line' gives lines of a submission the name of another file: remove it");
    }
    if (at_command_line_ && is_submitted(marker.file)) started_ = true;
    file_ = marker.file;
  }

  void as_written(const std::string& file) {
    if (!seen_.insert(file).second) return;
    const auto text = load_(file);
    if (text && holds_marker(*text))
      refuse(file, "", "it has a line marker (# 1 \"file\"), which only a preprocessor writes: remove it");
  }

  const TokenStream& stream_;
  const FileLoader& load_;
  std::vector<Diagnostic> found_;
  std::unordered_set<std::string> seen_;
  std::string_view file_;
  bool at_command_line_ = false, started_ = false;
};

}  // namespace

std::vector<Diagnostic> check_line_markers(const TokenStream& stream, const FileLoader& load) {
  return LineMarkers(stream, load).find();
}

}  // namespace emucc
