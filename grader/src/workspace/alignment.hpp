/// @file
/// Finds a skeleton's given lines in its solution, for the proof and the merge.
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

/// Lines [begin, end) of the solution, counted from 0.
struct Range {
  std::size_t begin = 0, end = 0;
};

/// One range for each element of skeleton.given, which has the same lines. The first range is at the
/// beginning of the solution, and the last range is at its end. The answer of blank k is between ranges k and
/// k + 1. If the lines fit at several places, the places are chosen such that every answer contains code and
/// consists of whole blocks, and no line of an answer occurs in its blank.
/// @return no value if there is no such choice
std::optional<std::vector<Range>> align(const Skeleton& skeleton, const SolutionLines& solution);

/// The first line of an answer that its blank also contains, as its index in the solution and its index in
/// the blank.
std::optional<std::pair<std::size_t, std::size_t>> given_away(const Blank& blank,
                                                              const SolutionLines& solution,
                                                              const Range& answer);

/// Whether the answer opens or closes other braces than its blank. Such a skeleton can't compile.
bool cuts_a_block(const Blank& blank, const SolutionLines& solution, const Range& answer);

/// Whether the solution has code in a range of lines.
bool has_code(const SolutionLines& solution, const Range& answer);

}  // namespace grader
