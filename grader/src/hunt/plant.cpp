#include "hunt/plant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "base/columns.hpp"

namespace grader {
namespace {

constexpr int most_boxes = 5;
constexpr std::size_t variants = 3;  // variants of a program, each with its own sizes and names

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The text with other identifiers, also in comments.
std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_of_word(text[end])) ++end;
    const std::string word = text.substr(i, end - i);
    const auto other = names.find(word);
    out += other != names.end() ? other->second : word;
    if (end < text.size()) out += text[end];
    i = end + 1;
  }
  return out;
}

std::string resized(std::string text, const std::string& name, std::int64_t value) {
  const std::string declared = fmt::format("constexpr int {} = ", name);
  const std::size_t at = text.find(declared) + declared.size();
  return text.replace(at, text.find(';', at) - at, std::to_string(value));
}

bool is_code(const std::string& line) {
  const std::string_view text = trimmed(line);
  return !text.empty() && !text.starts_with("//");
}

}  // namespace

std::string Planted::key() const {
  return mistake->name + " of " + repair_key();
}

std::string Planted::repair_key() const {
  std::string out = program->name;
  for (const auto& [name, value] : sizes) out += fmt::format(" {}={}", name, value);
  return out;
}

std::vector<ChangedLines> lines_changed(const std::string& right, const std::string& wrong) {
  const std::vector<std::string> a = split_lines(right), b = split_lines(wrong);
  // common[i][j] is the number of lines that a from line i on, and b from line j on, have in common.
  std::vector<std::vector<unsigned>> common(a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<ChangedLines> out;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
      continue;
    }
    const std::size_t begin = j;
    while ((i < a.size() || j < b.size()) && !(i < a.size() && j < b.size() && a[i] == b[j]))
      (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1]) ? i : j) += 1;
    if (j > begin) {
      out.push_back({static_cast<unsigned>(begin + 1), static_cast<unsigned>(j), false});
      continue;
    }
    std::size_t before = begin, after = begin + 1;
    while (before > 1 && !is_code(b[before - 1])) --before;
    while (after < b.size() && !is_code(b[after - 1])) ++after;
    out.push_back({static_cast<unsigned>(before), static_cast<unsigned>(after), true});
  }
  return out;
}

Planted plant(const HuntProgram& program, const HuntMistake& mistake, std::uint64_t seed) {
  Planted out{&program, &mistake, seed, {}, program.text, program.text, {}};
  for (const TextChange& change : mistake.changes)
    apply_change(out.wrong, change, program.file(), fmt::format("mistake \"{}\"", mistake.name));
  const std::size_t variant = Draw(seed).below(variants);
  for (const auto& [name, values] : program.sizes) {
    out.sizes[name] = values[variant % values.size()];
    for (std::string* text : {&out.right, &out.wrong}) *text = resized(*text, name, out.sizes[name]);
  }
  std::map<std::string, std::string> names;
  for (const std::vector<std::string>& all : program.names) names[all.front()] = all[variant % all.size()];
  for (std::string* text : {&out.right, &out.wrong}) *text = renamed(*text, names);
  out.changed = lines_changed(out.right, out.wrong);
  return out;
}

KindBox box_of(const std::vector<PastHunt>& past, const std::string& kind) {
  KindBox out;
  for (std::size_t i = 0; i < past.size(); ++i) {
    if (past[i].kind != kind) continue;
    ++out.hunts;
    out.box = past[i].right ? std::min(out.box + 1, most_boxes) : 1;
    out.due = (std::int64_t{1} << out.box) - static_cast<std::int64_t>(past.size() - i);
  }
  return out;
}

std::pair<const HuntProgram*, const HuntMistake*> next_mistake(const Hunts& hunts,
                                                               const std::vector<PastHunt>& past,
                                                               const std::string& kind,
                                                               const std::string& program, Draw& draw) {
  if (!kind.empty()) hunts.kind(kind);
  if (!program.empty()) hunts.program(program);
  using Choice = std::pair<const HuntProgram*, const HuntMistake*>;
  std::map<std::string, std::vector<Choice>> by_kind;
  for (const HuntProgram& one : hunts.programs)
    for (const HuntMistake& mistake : one.mistakes)
      if ((kind.empty() || mistake.kind == kind) && (program.empty() || one.name == program))
        by_kind[mistake.kind].emplace_back(&one, &mistake);
  if (by_kind.empty())
    throw Error(ErrorKind::usage, fmt::format("The program {} has no mistake of the kind {}.", program, kind),
                fmt::format("grader hunt {}", program));
  std::vector<std::string> kinds;
  for (const auto& entry : by_kind) kinds.push_back(entry.first);
  draw.shuffle(kinds);
  const auto order = [&](const std::string& one) {
    const KindBox box = box_of(past, one);
    if (box.hunts == 0) return std::tuple(1, 0, std::int64_t{0});
    return box.due <= 0 ? std::tuple(0, box.box, box.due) : std::tuple(2, 0, box.due);
  };
  const auto next = std::min_element(kinds.begin(), kinds.end(),
                                     [&](const auto& a, const auto& b) { return order(a) < order(b); });
  std::vector<Choice>& choices = by_kind[*next];
  draw.shuffle(choices);
  return *std::min_element(choices.begin(), choices.end(), [&](const Choice& a, const Choice& b) {
    const auto hunted = [&](const Choice& choice) {
      return std::count_if(past.begin(), past.end(), [&](const PastHunt& one) {
        return one.program == choice.first->name && one.mistake == choice.second->name;
      });
    };
    return hunted(a) < hunted(b);
  });
}

Planted draw_hunt(const Hunts& hunts, const std::vector<PastHunt>& past, const std::string& kind,
                  const std::string& program, std::uint64_t seed) {
  Draw draw(seed);
  const auto [its, mistake] = next_mistake(hunts, past, kind, program, draw);
  constexpr int exact = 11;  // bits that are cut off, so that a number in JSON is exact
  return plant(*its, *mistake, draw.next() >> exact);
}

}  // namespace grader
