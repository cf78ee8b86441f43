// The merge does not guess. The skeleton was proved against the base, so each edge of a blank has a place in
// the base. The difference between the base and the new solution gives its place in the new solution.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "workspace/alignment.hpp"

namespace grader {
namespace {

/// Lines [base.begin, base.end) of the base became lines [now.begin, now.end) of the solution.
struct Hunk {
  Range base, now;
};

/// The differences of two texts according to their longest common subsequence of lines.
std::vector<Hunk> differences(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  // length[i][j] is the length of the longest common subsequence of a[i…] and b[j…].
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> length((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      length[i * width + j] = a[i] == b[j] ? length[(i + 1) * width + j + 1] + 1
                                           : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  std::vector<Hunk> hunks;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
      continue;
    }
    Hunk hunk{{i, i}, {j, j}};
    while ((i < a.size() || j < b.size()) && !(i < a.size() && j < b.size() && a[i] == b[j])) {
      if (j == b.size() || (i < a.size() && length[(i + 1) * width + j] >= length[i * width + j + 1])) {
        ++i;
      } else {
        ++j;
      }
    }
    hunk.base.end = i;
    hunk.now.end = j;
    hunks.push_back(hunk);
  }
  return hunks;
}

std::string joined(const std::vector<std::string>& lines, const Range& range) {
  std::string text;
  for (std::size_t i = range.begin; i < range.end; ++i) text += (text.empty() ? "" : "\n") + lines[i];
  return text;
}

/// One edge of a blank in the solution, or the hunk that contains the edge.
struct Edge {
  std::size_t at = 0;
  const Hunk* torn = nullptr;
  const Hunk* inserted = nullptr;  ///< lines inserted exactly here
};

/// @param begins whether the edge is the beginning of the answer; otherwise it is the end
Edge edge_now(const std::vector<Hunk>& hunks, std::size_t at, bool begins) {
  std::size_t shift_base = 0, shift_now = 0;
  for (const Hunk& hunk : hunks) {
    if (hunk.base.begin > at) break;
    const bool insertion = hunk.base.begin == hunk.base.end;
    if (insertion && hunk.base.begin == at) return {begins ? hunk.now.begin : hunk.now.end, nullptr, &hunk};
    if (hunk.base.begin == at) break;
    if (hunk.base.end > at) return {0, &hunk, nullptr};
    shift_base = hunk.base.end;
    shift_now = hunk.now.end;
  }
  return {at - shift_base + shift_now, nullptr, nullptr};
}

}  // namespace

std::optional<Carried> carry(const fs::path& file, const std::string& text, const std::string& base_text,
                             const std::string& solution_text) {
  const Skeleton skeleton = parse_skeleton(file, text);
  const SolutionLines base(base_text), now(solution_text);
  const auto ranges = align(skeleton, base);
  if (!ranges) return {};
  const std::vector<Hunk> hunks = differences(base.text, now.text);

  Carried carried;
  std::vector<Range> given = {{0, 0}};  // the ranges of given lines in the new solution
  for (std::size_t k = 0; k < skeleton.blanks.size(); ++k) {
    const Blank& blank = skeleton.blanks[k];
    const Edge first = edge_now(hunks, (*ranges)[k].end, true),
               last = edge_now(hunks, (*ranges)[k + 1].begin, false);
    for (const Edge* edge : {&first, &last}) {
      const unsigned line = edge == &first ? blank.begin : blank.end;
      if (edge->torn != nullptr) {
        carried.conflicts.push_back({file, line,
                                     fmt::format("the solution changed on both sides of this edge of {} at "
                                                 "once: move the edge, or the change",
                                                 blank.name),
                                     "", joined(now.text, edge->torn->now),
                                     static_cast<unsigned>(edge->torn->now.begin + 1),
                                     joined(base.text, edge->torn->base)});
      } else if (edge->inserted != nullptr) {
        carried.notes.push_back(
            {file, line,
             fmt::format("new lines are at this edge of {}: they count as part of its answer", blank.name),
             "", joined(now.text, edge->inserted->now),
             static_cast<unsigned>(edge->inserted->now.begin + 1)});
      }
    }
    given.back().end = first.at;
    given.push_back({last.at, 0});
  }
  given.back().end = now.text.size();
  if (!carried.conflicts.empty()) {
    carried.text = text;
    return carried;
  }

  const std::vector<SourceLine> lines = source_lines(text);
  for (std::size_t k = 0; k < given.size(); ++k) {
    for (std::size_t i = given[k].begin; i < given[k].end; ++i) carried.text += now.text[i] + "\n";
    if (k == skeleton.blanks.size()) break;
    for (unsigned number = skeleton.blanks[k].begin; number <= skeleton.blanks[k].end; ++number)
      carried.text += lines[number - 1].text + "\n";
  }
  return carried;
}

}  // namespace grader
