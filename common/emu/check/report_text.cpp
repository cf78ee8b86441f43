// Findings as a teacher would tell them.
#include <algorithm>

#include "findings.hpp"

namespace cuemu::check {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash != path.npos ? path.substr(slash + 1) : path;
}

void add_parties(const Finding& finding, std::string& text) {
  std::size_t what = 0;
  std::size_t where = 0;
  const auto place = [](const Party& party) {
    return party.line.known() ? base_name(party.line.file) + ":" + std::to_string(party.line.line)
                              : std::string("?");
  };
  for (const Party& party : finding.parties) {
    what = std::max(what, party.what.size());
    where = std::max(where, place(party).size());
  }
  for (const Party& party : finding.parties)
    text += "  " + padded(party.what, what) + "   " + padded(place(party), where) + "   " +
            (party.line.known() ? text_of(party.line) : "") + "\n";
}

std::string how_often(const Finding& finding) {
  std::string text = finding.count == 1 ? "seen once" : "seen " + grouped(finding.count) + " times";
  if (finding.blocks.size() > 1) text += " in " + grouped(finding.blocks.size()) + " blocks";
  if (!finding.kernel.empty()) text += ", in kernel " + finding.kernel;
  return text;
}

}  // namespace

std::string as_text(const std::vector<Finding>& findings, std::size_t limit, bool color) {
  std::string text;
  for (std::size_t i = 0; i < std::min(limit, findings.size()); ++i) {
    const Finding& finding = findings[i];
    const char* const mark = !color ? "" : is_error(finding.rule) ? "\033[1;31m" : "\033[1;35m";
    const char* const off = color ? "\033[0m" : "";
    text += mark + std::string(name_of(finding.rule)) + ":" + off + " " + finding.headline + "\n";
    add_parties(finding, text);
    for (const std::string& note : finding.notes) text += "  " + note + "\n";
    text += "  " + how_often(finding) + "\n";
    if (!finding.hint.empty()) text += "  hint: " + finding.hint + "\n";
  }
  if (findings.size() > limit)
    text += grouped(findings.size() - limit) +
            " more findings are not shown (CUEMU_CHECK=limit=" + std::to_string(findings.size()) +
            " shows them)\n";
  if (!findings.empty())
    text += "cuemu: the checker found " +
            (findings.size() == 1 ? std::string("1 mistake") : grouped(findings.size()) + " mistakes") + "\n";
  return text;
}

}  // namespace cuemu::check
