// Shows a place in a user's file as compilers do, whatever the file contains. Of a very long line, only a
// window around the column is shown. Tabs stay tabs, so that the caret is under its character on any
// terminal.
#include "base/error.hpp"

#include <fstream>

namespace grader {
namespace {

constexpr std::size_t shown_before = 60;  ///< characters of a long line that are shown before the column
constexpr std::size_t shown_in_all = 100;

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// The byte offset of the character with this number, which counts from 0. If the line has fewer characters,
/// its end.
std::size_t offset_of(const std::string& line, std::size_t character) {
  std::size_t at = 0;
  for (; at < line.size() && character > 0; --character) {
    ++at;
    while (at < line.size() && continues_character(line[at])) ++at;
  }
  return at;
}

/// Reads one line of a text file, without its line end. Returns false if the file has no such line or is not a
/// regular file.
bool read_line(const SourcePos& at, std::string& line) {
  std::error_code failed;
  if (at.line == 0 || !std::filesystem::is_regular_file(at.file, failed)) return false;
  std::ifstream in(at.file, std::ios::binary);
  for (unsigned i = 0; i < at.line; ++i) {
    if (!std::getline(in, line)) return false;
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

/// Replaces control characters, which would move the caret or control the reader's terminal.
std::string without_controls(std::string line) {
  for (char& c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7F) c = '?';
  }
  return line;
}

std::string caret_below(const std::string& line, std::size_t until) {
  std::string pad;
  for (std::size_t i = 0; i < until; ++i) {
    if (!continues_character(line[i])) pad += line[i] == '\t' ? '\t' : ' ';
  }
  return pad + '^';
}

}  // namespace

std::string describe_at(const SourcePos& at, const std::string& message) {
  std::string text = at.file.string();
  if (at.line > 0) text += ':' + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) text += ':' + std::to_string(at.column);
  text += ": " + message;

  std::string line;
  if (!read_line(at, line)) return text;
  line = without_controls(line);
  const std::size_t column = at.column > 0 ? at.column - 1 : 0;
  const std::size_t first = offset_of(line, column > shown_before ? column - shown_before : 0);
  const std::size_t caret = offset_of(line, column) - first;
  line = line.substr(first);
  line = line.substr(0, offset_of(line, shown_in_all));
  text += "\n  " + line;
  if (at.column > 0) text += "\n  " + caret_below(line, caret);
  return text;
}

}  // namespace grader
