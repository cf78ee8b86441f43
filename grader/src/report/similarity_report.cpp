#include "report/similarity_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/markup.hpp"

namespace grader {
namespace {

constexpr std::size_t most_pairs = 50, most_lines = 12;

/// One answer's lines in a shared passage.
struct Side {
  std::string place;  ///< "kernel.cu:34-45"
  unsigned first = 1;
  std::vector<std::string> lines;
};

Side side_of(const Answer& answer, std::size_t text, unsigned first, unsigned last) {
  const AnswerText& own = answer.texts[text];
  const std::vector<std::string> lines = split_lines(own.text);
  Side out;
  out.first = own.first_line + first - 1;
  const unsigned end = own.first_line + last - 1;
  out.place = end == out.first ? fmt::format("{}:{}", own.place, end)
                               : fmt::format("{}:{}-{}", own.place, out.first, end);
  for (std::size_t i = first - 1; i < last && i < lines.size(); ++i) out.lines.push_back(lines[i]);
  return out;
}

struct Sides {
  Side a, b;
};
Sides sides_of(const ClassSimilarity& similarity, const SimilarPair& pair, const Passage& passage) {
  return {side_of(similarity.answers[pair.a], passage.text_a, passage.first_a, passage.last_a),
          side_of(similarity.answers[pair.b], passage.text_b, passage.first_b, passage.last_b)};
}

std::string chance_words(double expected) {
  return expected < 1e-9 ? "less than 1e-9" : fmt::format("{:.1g}", expected);
}

/// "97 % of the one's own text and 96 % of the other's"
std::string share_words(const SimilarPair& pair) {
  return fmt::format("{:.0f} % of the first one's own text and {:.0f} % of the second one's",
                     100 * pair.share_a, 100 * pair.share_b);
}

unsigned lines_of(const SimilarPair& pair) {
  unsigned lines = 0;
  for (const Passage& passage : pair.passages) lines += passage.last_a - passage.first_a + 1;
  return lines;
}

std::string line_beside(const Side& side, std::size_t i, int width) {
  if (i >= side.lines.size()) return "";
  return cut_to(fmt::format("{:>4} {}", side.first + i, printable(side.lines[i])), width);
}

std::string html_side(const Side& side) {
  std::string lines;
  for (std::size_t i = 0; i < side.lines.size(); ++i)
    lines += fmt::format("{}{:>4}  {}", i == 0 ? "" : "\n", side.first + i, foreign_text(side.lines[i]));
  return fmt::format("<div><p class=of>{}<pre tabindex=0>{}</pre></div>", foreign_text(side.place), lines);
}

}  // namespace

std::string nearest_text(const ClassSimilarity& similarity, const Nearest& nearest, const Style& style) {
  if (nearest.pairs.empty()) return "\nNo two answers could be compared.\n";
  std::string out =
      "\n" +
      wrap(
          fmt::format("The nearest pairs, by the share of runs of {} tokens that both have; names, numbers, "
                      "comments and layout don't count. Half of all pairs share {:.0f} % or more. Chance, or "
                      "the usual answer, makes pairs near, too: look at them.",
                      near_gram, 100 * nearest.median),
          style.width) +
      "\n";
  Columns columns({Align::right, Align::right, Align::left});
  for (std::size_t i = 0; i < nearest.pairs.size(); ++i)
    columns.add({fmt::format("{}.", i + 1), fmt::format("{:.0f} %", 100 * nearest.pairs[i].shared),
                 printable(similarity.answers[nearest.pairs[i].a].name) + "; " +
                     printable(similarity.answers[nearest.pairs[i].b].name)});
  return out + columns.text(2, style.width);
}

nlohmann::json nearest_json(const ClassSimilarity& similarity, const Nearest& nearest) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const NearPair& pair : nearest.pairs)
    pairs.push_back({{"a", similarity.answers[pair.a].name},
                     {"b", similarity.answers[pair.b].name},
                     {"shared", pair.shared}});
  return {{"median", nearest.median}, {"pairs", pairs}};
}

std::string identical_text(const ClassSimilarity& similarity, const Style& style) {
  if (similarity.identical.empty()) return "\nNo two have the same answer byte for byte.\n";
  std::string out =
      "\n" + wrap("The same answer byte for byte; short answers may agree by chance:", style.width) + "\n";
  for (const std::vector<std::size_t>& who : similarity.identical) {
    std::size_t lines = 0;
    for (const AnswerText& text : similarity.answers[who.front()].texts)
      lines += split_lines(text.text).size();
    std::string names;
    for (const std::size_t i : who)
      names += (names.empty() ? "" : "; ") + printable(similarity.answers[i].name);
    out += hanging("  ", fmt::format("{}: {}", how_many(lines, "line"), names), style.width) + "\n";
  }
  return out;
}

std::string similarity_text(const Lab& lab, const ClassSimilarity& similarity, const Style& style) {
  const std::size_t n = similarity.found.owners;
  const std::vector<SimilarPair>& pairs = similarity.found.pairs;
  if (pairs.empty())
    return wrap(fmt::format("{}: none of {} answers are more alike than chance makes them.", lab.id, n),
                style.width) +
           "\n";
  std::string out =
      wrap(fmt::format("{}: {} pair{} of {} answers {} more alike than chance makes them. That is no "
                       "proof: look at the lines.",
                       lab.id, pairs.size(), pairs.size() == 1 ? "" : "s", n,
                       pairs.size() == 1 ? "is" : "are"),
           style.width) +
      "\n";
  const int half = (style.width - 2) / 2;
  for (std::size_t i = 0; i < pairs.size() && i < most_pairs; ++i) {
    const SimilarPair& pair = pairs[i];
    out += "\n" +
           hanging(style.strong(fmt::format("{}. ", i + 1)),
                   fmt::format("{} and {} share {} lines that no one else has, and in all {}. By chance so "
                               "many are shared by {} pairs of such a class.",
                               printable(similarity.answers[pair.a].name),
                               printable(similarity.answers[pair.b].name), lines_of(pair), share_words(pair),
                               chance_words(pair.expected)),
                   style.width) +
           "\n";
    for (std::size_t k = 0; k < pair.passages.size() && k < 2; ++k) {
      const Sides sides = sides_of(similarity, pair, pair.passages[k]);
      Columns columns({Align::left, Align::left});
      columns.add({cut_to(sides.a.place, half - 3), cut_to(sides.b.place, half - 3)});
      const std::size_t lines = std::max(sides.a.lines.size(), sides.b.lines.size());
      for (std::size_t line = 0; line < lines && line < most_lines; ++line)
        columns.add({line_beside(sides.a, line, half - 3), line_beside(sides.b, line, half - 3)});
      if (lines > most_lines) columns.add({fmt::format("     … {} lines more", lines - most_lines), ""});
      out += columns.text(2, style.width);
    }
    if (pair.passages.size() > 2) out += fmt::format("  … and {} passages more\n", pair.passages.size() - 2);
  }
  if (pairs.size() > most_pairs)
    out += fmt::format("\n{} pairs more: --json has them all.\n", pairs.size() - most_pairs);
  return out;
}

std::string similarity_section(const ClassSimilarity& similarity) {
  const std::vector<SimilarPair>& pairs = similarity.found.pairs;
  std::string out = fmt::format(
      "<p>The blanks of {} students or groups were compared; names, numbers, comments and "
      "layout don't count. The list has pairs that share more than chance explains: if no one copied, one "
      "such pair is expected in a hundred classes. It is no proof, so look at the lines.\n",
      similarity.found.owners);
  if (pairs.empty()) return out + "<p>No pair is more alike than that.\n";
  for (std::size_t i = 0; i < pairs.size() && i < most_pairs; ++i) {
    const SimilarPair& pair = pairs[i];
    out += fmt::format(
        "<details class=pair><summary><b>{}</b> and <b>{}</b>: {} lines that no one else has</summary>\n"
        "<p>In all they share {}. By chance so many are shared by {} pairs of such a class.\n",
        foreign_text(similarity.answers[pair.a].name), foreign_text(similarity.answers[pair.b].name),
        lines_of(pair), share_words(pair), chance_words(pair.expected));
    for (const Passage& passage : pair.passages) {
      const Sides sides = sides_of(similarity, pair, passage);
      out += "<div class=beside>" + html_side(sides.a) + html_side(sides.b) + "</div>\n";
    }
    out += "</details>\n";
  }
  if (pairs.size() > most_pairs) out += fmt::format("<p>{} pairs more.\n", pairs.size() - most_pairs);
  return out;
}

nlohmann::json similarity_json(const ClassSimilarity& similarity) {
  nlohmann::json pairs = nlohmann::json::array();
  const auto side = [](const Side& one) {
    return nlohmann::json{{"place", one.place}, {"first_line", one.first}, {"lines", one.lines}};
  };
  for (const SimilarPair& pair : similarity.found.pairs) {
    nlohmann::json passages = nlohmann::json::array();
    for (const Passage& passage : pair.passages) {
      const Sides sides = sides_of(similarity, pair, passage);
      passages.push_back({{"tokens", passage.tokens}, {"a", side(sides.a)}, {"b", side(sides.b)}});
    }
    pairs.push_back({{"a", similarity.answers[pair.a].name},
                     {"b", similarity.answers[pair.b].name},
                     {"tokens", pair.tokens},
                     {"expected_by_chance", pair.expected},
                     {"share_a", pair.share_a},
                     {"share_b", pair.share_b},
                     {"passages", passages}});
  }
  return {{"compared", similarity.found.owners}, {"pairs", pairs}};
}

}  // namespace grader
