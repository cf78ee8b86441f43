// Widths are computed by terminal.hpp's display_width(), so "×" and colours do not shift a column.
#include "base/columns.hpp"

#include <algorithm>

#include "base/terminal.hpp"

namespace grader {
namespace {

/// Whether a character controls a terminal or makes text read differently: control characters (C0, DEL and
/// C1), direction marks, zero-width characters, unusual line ends, and tags.
bool steers_a_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x061C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0xFEFF || (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

}  // namespace

Columns::Columns(std::vector<Align> alignment) : alignment_(std::move(alignment)) {}

void Columns::add(std::vector<std::string> cells) {
  cells.resize(alignment_.size());
  lines_.push_back(std::move(cells));
}

std::string Columns::text(int indent, int width, int elastic) const {
  constexpr int gap = 2;
  constexpr int least = 8;
  std::vector<int> widths(alignment_.size(), 0);
  for (const auto& line : lines_) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], display_width(line[i]));
  }
  if (elastic >= 0) {
    int total = indent;
    for (const int column : widths) total += column > 0 ? column + gap : 0;
    const auto e = static_cast<std::size_t>(elastic);
    const int excess = total - gap - width;
    if (excess > 0) widths[e] = std::min(widths[e], std::max(least, widths[e] - excess));
  }
  std::string out;
  for (const auto& line : lines_) {
    // A row takes as many terminal lines as its tallest cell. Only cells of the elastic column have more than
    // one line.
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool too_wide = static_cast<int>(i) == elastic && display_width(line[i]) > widths[i];
      cells.push_back(too_wide ? split_lines(wrap(line[i], widths[i])) : std::vector<std::string>{line[i]});
      height = std::max(height, cells.back().size());
    }
    for (std::size_t row = 0; row < height; ++row) {
      std::string text(static_cast<std::size_t>(indent), ' ');
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (widths[i] == 0) continue;  // no row has text in this column
        const std::string cell = row < cells[i].size() ? cells[i][row] : "";
        const std::string pad(static_cast<std::size_t>(std::max(0, widths[i] - display_width(cell))), ' ');
        text += (alignment_[i] == Align::right ? pad + cell : cell + pad) + std::string(gap, ' ');
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out += text + "\n";
    }
  }
  return out;
}

std::string how_many(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string cut_to(const std::string& utf8, int columns) {
  if (display_width(utf8) <= columns) return utf8;
  std::string out;
  int used = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t size = decode_character(utf8, at).bytes;
    const std::string character = utf8.substr(at, size);
    used += display_width(character);
    if (used > columns - 1) break;
    out += character;
    at += size;
  }
  return out + "…";
}

std::string hanging(const std::string& prefix, const std::string& text, int width) {
  const int indent = display_width(prefix);
  const std::string blanks(static_cast<std::size_t>(indent), ' ');
  const std::string wrapped = wrap(blanks + text, width, indent);  // a text of blanks becomes empty
  return prefix + (wrapped.size() > blanks.size() ? wrapped.substr(blanks.size()) : "");
}

std::string printable(const std::string& text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character next = decode_character(text, at);
    if (next.value == '\t') {
      out += "  ";
    } else if (next.value == '\n') {
      out += keep_lines ? '\n' : ' ';
    } else if (!next.valid || steers_a_terminal(next.value)) {
      out += '?';
    } else {
      out.append(text, at, next.bytes);
    }
    at += next.bytes;
  }
  return out;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace grader
