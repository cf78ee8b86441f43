// Each piece of given lines has a few possible places in the solution. One pass over the pieces, from left to right,
// finds the cheapest chain of places.
#include "workspace/alignment.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace grader {
namespace {

std::string without_blanks(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  return out;
}

int words_in(const std::string& code) {
  int words = 0;
  bool inside = false;
  for (const char c : code) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (letter && !inside) ++words;
    inside = letter;
  }
  return words;
}

/// Whether a line contains more than a brace or `else`.
bool is_distinctive(const std::string& code) {
  return words_in(code) >= 1 && code != "else{" && code != "}else{" && code != "else";
}

/// Whether a line reveals an answer even inside a comment. A comment may mention a single name, such as that
/// of a barrier.
bool says_in_words(const std::string& code) {
  return words_in(code) >= 2 && code.size() >= 8;
}

/// The number of ways in which an answer does not fit its blank.
int faults(const Blank& blank, const SolutionLines& solution, const Range& answer) {
  return (has_code(solution, answer) ? 0 : 1) + (cuts_a_block(blank, solution, answer) ? 1 : 0) +
         (given_away(blank, solution, answer) ? 1 : 0);
}

int open_braces(const SolutionLines& lines, const Range& range) {
  int open = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    open += static_cast<int>(std::count(lines.code[i].begin(), lines.code[i].end(), '{'));
    open -= static_cast<int>(std::count(lines.code[i].begin(), lines.code[i].end(), '}'));
  }
  return open;
}

SolutionLines lines_of(const Blank& blank) {
  std::string text;
  for (const std::string& line : blank.lines) text += line + "\n";
  return SolutionLines(text);
}

}  // namespace

SolutionLines::SolutionLines(const std::string& whole) {
  const std::vector<TextKind> kinds = classify(whole);
  for (const SourceLine& line : source_lines(whole)) {
    text.push_back(line.text);
    std::string only_code;
    for (std::size_t i = 0; i < line.text.size(); ++i) {
      const TextKind kind = kinds[line.begin + i];
      if (kind != TextKind::comment && kind != TextKind::comment_start) only_code += line.text[i];
    }
    code.push_back(without_blanks(only_code));
  }
}

bool cuts_a_block(const Blank& blank, const SolutionLines& solution, const Range& answer) {
  const SolutionLines inside = lines_of(blank);
  return open_braces(inside, {0, inside.code.size()}) != open_braces(solution, answer);
}

bool has_code(const SolutionLines& solution, const Range& answer) {
  return std::any_of(solution.code.begin() + static_cast<std::ptrdiff_t>(answer.begin),
                     solution.code.begin() + static_cast<std::ptrdiff_t>(answer.end),
                     [](const std::string& code) { return !code.empty(); });
}

std::optional<std::pair<std::size_t, std::size_t>> given_away(const Blank& blank,
                                                              const SolutionLines& solution,
                                                              const Range& answer) {
  const SolutionLines inside = lines_of(blank);
  for (std::size_t i = answer.begin; i < answer.end; ++i) {
    const std::string& code = solution.code[i];
    if (!is_distinctive(code)) continue;
    for (std::size_t j = 0; j < inside.text.size(); ++j) {
      if (inside.code[j] == code) return {{i, j}};
      if (says_in_words(code) && without_blanks(inside.text[j]).find(code) != std::string::npos)
        return {{i, j}};
    }
  }
  return {};
}

std::optional<std::vector<Range>> align(const Skeleton& skeleton, const SolutionLines& solution) {
  const std::size_t lines = solution.text.size(), pieces = skeleton.given.size();
  constexpr int unreachable = std::numeric_limits<int>::max() / 2;

  /// A piece of given lines at a place, with the place of the previous piece in the cheapest chain.
  struct Place {
    std::size_t at, before;
    int cost;
  };
  std::vector<std::vector<Place>> places(pieces);
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::vector<std::string>& piece = skeleton.given[k].lines;
    if (piece.size() > lines) return {};
    std::size_t first = k == 0 ? 0 : places[k - 1].front().at, last = lines - piece.size();
    if (k == 0) last = 0;
    if (k + 1 == pieces) first = std::max(first, lines - piece.size());
    for (std::size_t at = first; at <= last; ++at) {
      if (!std::equal(piece.begin(), piece.end(), solution.text.begin() + static_cast<std::ptrdiff_t>(at)))
        continue;
      if (k == 0) {
        if (pieces == 1 && piece.size() != lines) return {};
        places[k].push_back({at, 0, 0});
        continue;
      }
      Place best{at, 0, unreachable};
      for (std::size_t p = 0; p < places[k - 1].size(); ++p) {
        const Place& before = places[k - 1][p];
        const Range answer{before.at + skeleton.given[k - 1].lines.size(), at};
        if (answer.begin > answer.end) continue;
        const int cost = before.cost + faults(skeleton.blanks[k - 1], solution, answer);
        if (cost < best.cost) best = {at, p, cost};
      }
      if (best.cost < unreachable) places[k].push_back(best);
    }
    if (places[k].empty()) return {};
  }
  std::vector<Range> ranges(pieces);
  std::size_t p = static_cast<std::size_t>(
      std::min_element(places.back().begin(), places.back().end(),
                       [](const Place& a, const Place& b) { return a.cost < b.cost; }) -
      places.back().begin());
  for (std::size_t k = pieces; k-- > 0;) {
    const Place& place = places[k][p];
    ranges[k] = {place.at, place.at + skeleton.given[k].lines.size()};
    p = place.before;
  }
  return ranges;
}

}  // namespace grader
