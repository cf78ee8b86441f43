// Writes findings as text for people, 80 columns wide.
#include <algorithm>

#include "findings.hpp"

namespace cuemu::check {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

namespace {

constexpr std::size_t page_width = 80;

struct Colors {
  explicit Colors(bool on) : on_(on) {}
  std::string error(const std::string& text) const { return paint("\033[1;31m", text); }
  std::string warning(const std::string& text) const { return paint("\033[1;35m", text); }
  std::string caret(const std::string& text) const { return paint("\033[1;32m", text); }
  std::string hint(const std::string& text) const { return paint("\033[1;36m", text); }

 private:
  std::string paint(const char* code, const std::string& text) const {
    return on_ && !text.empty() ? code + text + "\033[0m" : text;
  }
  const bool on_;
};

/// Returns the width of a text in columns. A character counts as one column, however many bytes it has.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(std::string text, std::size_t width) {
  if (const std::size_t own = width_of(text); own < width) text.append(width - own, ' ');
  return text;
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash != path.npos ? path.substr(slash + 1) : path;
}

/// Breaks a text into lines of the page's width. The first line follows `used` columns of other text; the
/// others begin with `indent` blanks.
std::string wrapped(const std::string& text, std::size_t used, std::size_t indent) {
  std::string result;
  std::size_t column = used;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (at > 0) {
      const bool fits = column + 1 + length <= page_width;
      result += fits ? " " : "\n" + std::string(indent, ' ');
      column = fits ? column + 1 : indent;
    }
    result.append(text, at, length);
    column += length;
    at = end + 1;
  }
  return result;
}

/// A source line for display: without surrounding blanks, and cut to a width at which the marked part is
/// visible.
struct Excerpt {
  std::string text;
  std::size_t caret = 0;  ///< where the part begins, from 0
  std::size_t length = 0;
};

Excerpt excerpt_of(const Finding& finding, const Party& party, std::size_t width) {
  Excerpt result;
  result.text = text_of(party.line);
  if (result.text.empty()) return result;
  const std::string& whole = source_lines(party.line.file)[static_cast<std::size_t>(party.line.line) - 1];
  const std::size_t blanks = whole.find_first_not_of(" \t");
  if (const Span part = part_of(finding, party);
      part.known() && static_cast<std::size_t>(part.begin) > blanks) {
    result.caret = static_cast<std::size_t>(part.begin) - 1 - blanks;
    result.length =
        std::min(static_cast<std::size_t>(part.end - part.begin), result.text.size() - result.caret);
  }
  std::replace(result.text.begin(), result.text.end(), '\t', ' ');
  const std::string dots = "...";
  if (result.text.size() > width && result.caret + result.length + dots.size() > width) {
    const std::size_t spare = width > result.length ? (width - result.length) / 2 : 0;
    const std::size_t cut = result.caret > spare ? result.caret - spare : 0;
    if (cut > dots.size()) {
      result.text = dots + result.text.substr(cut + dots.size());
      result.caret -= cut;
    }
  }
  if (result.text.size() > width) result.text = result.text.substr(0, width - dots.size()) + dots;
  if (result.caret < result.text.size())
    result.length = std::min(result.length, result.text.size() - result.caret);
  return result;
}

std::string place_of(const Party& party) {
  return party.line.known() ? base_name(party.line.file) + ":" + std::to_string(party.line.line)
                            : std::string("?");
}

void add_parties(const Finding& finding, const Colors& colors, std::string& text) {
  std::size_t what = 0;
  std::size_t where = 0;
  std::size_t source = 0;
  for (const Party& party : finding.parties) {
    what = std::max(what, width_of(party.what));
    where = std::max(where, place_of(party).size());
    source = std::max(source, text_of(party.line).size());
  }
  // The source is printed beside the place if all lines fit, otherwise below it.
  const std::size_t beside = 2 + what + 3 + where + 3;
  const bool apart = beside - 3 > page_width;  // each of them then gets a separate line
  const bool below = beside + source > page_width;
  const std::size_t begin = below ? 6 : beside;
  for (const Party& party : finding.parties) {
    const Excerpt excerpt = excerpt_of(finding, party, page_width - begin);
    text += "  " + (apart ? party.what + "\n      " : padded(party.what, what) + "   ");
    text += below || excerpt.text.empty() ? place_of(party) : padded(place_of(party), where);
    if (!excerpt.text.empty()) text += (below ? "\n" + std::string(begin, ' ') : "   ") + excerpt.text;
    text += "\n";
    if (excerpt.length > 0)
      text += std::string(begin + excerpt.caret, ' ') +
              colors.caret("^" + std::string(excerpt.length - 1, '~')) + "\n";
  }
}

/// Returns a count with its noun, such as "2 mistakes"; empty for 0.
std::string counted(std::size_t count, const std::string& what) {
  return count == 0 ? "" : grouped(count) + " " + what + (count == 1 ? "" : "s");
}

std::string how_often(const Finding& finding) {
  std::string text = finding.count == 1 ? "seen once" : "seen " + grouped(finding.count) + " times";
  if (finding.blocks.size() > 1) text += " in " + grouped(finding.blocks.size()) + " blocks";
  if (!finding.kernel.empty()) text += " in kernel " + finding.kernel;
  if (!finding.first.empty()) text += "; first " + finding.first;
  return text;
}

void add_finding(const Finding& finding, const Colors& colors, std::string& text) {
  const std::string name = std::string(name_of(finding.rule)) + ":";
  const std::string before = is_error(finding.rule) ? "" : "warning: ";
  text += (is_error(finding.rule) ? colors.error(name) : colors.warning(before + name)) + " " +
          wrapped(finding.headline, before.size() + name.size() + 1, 2) + "\n";
  add_parties(finding, colors, text);
  for (const std::string& note : finding.notes) text += "  " + wrapped(note, 2, 4) + "\n";
  text += "  " + wrapped(how_often(finding), 2, 4) + "\n";
  if (!finding.hint.empty()) text += "  " + colors.hint("hint:") + " " + wrapped(finding.hint, 8, 8) + "\n";
}

}  // namespace

std::string as_text(const std::vector<Finding>& findings, std::size_t limit, bool color) {
  if (limit == 0) return "";  // another program, such as the grader, reads the report
  const Colors colors(color);
  std::string text;
  for (std::size_t i = 0; i < std::min(limit, findings.size()); ++i) {
    if (i > 0) text += "\n";
    add_finding(findings[i], colors, text);
  }
  if (findings.size() > limit)
    text += "\n" + grouped(findings.size() - limit) +
            " more findings are not shown (CUEMU_CHECK=limit=" + std::to_string(findings.size()) +
            " shows them)\n";
  const auto mistakes = static_cast<std::size_t>(std::count_if(
      findings.begin(), findings.end(), [](const Finding& finding) { return is_error(finding.rule); }));
  const std::string both = counted(mistakes, "mistake") +
                           (findings.size() > mistakes && mistakes > 0 ? " and " : "") +
                           counted(findings.size() - mistakes, "warning");
  if (!findings.empty()) text += "cuemu: the checker found " + both + "\n";
  return text;
}

std::string about_unwatched(const std::set<std::string>& kernels) {
  if (kernels.empty()) return "";
  std::string names;
  for (const std::string& name : kernels) names += (names.empty() ? "" : ", ") + name;
  const bool several = kernels.size() > 1;
  return (several ? "kernels " : "kernel ") + names + (several ? " are" : " is") +
         " not checked, since the code was compiled without --check: mistakes there are not seen, and all "
         "memory that was there counts as written; compile the source with emucc --check";
}

std::string line_about_unwatched(const std::set<std::string>& kernels) {
  const std::string sentence = about_unwatched(kernels), begin = "cuemu: ";
  return sentence.empty() ? "" : begin + wrapped(sentence, begin.size(), 2) + "\n";
}

}  // namespace cuemu::check
