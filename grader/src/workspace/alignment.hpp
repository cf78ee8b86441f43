/// @file
/// Maps a skeleton's given lines to its solution. Shared by the proof and the merge.
#pragma once
#include "workspace/skeleton.hpp"
#include "workspace/source_scan.hpp"

namespace grader {

/// A solution's lines, and each line's code without comments and white space.
struct SolutionLines {
  explicit SolutionLines(const std::string& text);
  std::vector<std::string> text;
  std::vector<std::string> code;
};

/// Lines [begin, end) of the solution, from 0.
struct Range {
  std::size_t begin = 0, end = 0;
};

/// One range for each of skeleton.given: it equals those lines; the first begins the solution, the last ends it. The
/// answer of blank k lies between ranges k and k + 1. If several places fit, the chosen ones leave code in every
/// answer, whole blocks, and no line of an answer in its blank.
/// @return nothing without such a fit
std::optional<std::vector<Range>> align(const Skeleton& skeleton, const SolutionLines& solution);

/// The first line of an answer that its blank contains: its index in the solution, and in the blank.
std::optional<std::pair<std::size_t, std::size_t>> given_away(const Blank& blank,
                                                              const SolutionLines& solution,
                                                              const Range& answer);

/// Whether the answer opens or closes other braces than its blank: such a skeleton can't compile.
bool cuts_a_block(const Blank& blank, const SolutionLines& solution, const Range& answer);

/// Whether the solution has code in a range of lines.
bool has_code(const SolutionLines& solution, const Range& answer);

}  // namespace grader
