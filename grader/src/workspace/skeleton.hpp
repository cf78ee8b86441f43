/// @file
/// A skeleton is the solution with blanks. An author writes it, and the grader proves it. A blank is enclosed
/// by two comment lines, which stay when a student fills in the blank:
///
///     // ---- part 2: the product of two tiles (three lines) ------------------------
///     // Add to `sum` the products of these two tiles: row ty of tile_M times column tx of tile_N.
///     LAB_TODO(2);
///     // ---- end of part 2 ---------------------------------------------------------
///
/// The name of a blank with several parts is "parts 1 and 2", "parts 1, 2 and 4" or "parts 1 to 3".
///
/// This module accesses no files and knows no labs: it takes texts, and returns texts and problems.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "model/grading.hpp"

namespace grader {

/// A place for an answer in a skeleton. Lines count from 1.
struct Blank {
  std::vector<int> parts;          ///< sorted
  std::string name;                ///< "part 2", "parts 1 and 2": as in its marks
  std::string title;               ///< the text after the name
  unsigned begin = 0;              ///< line of its opening mark
  unsigned end = 0;                ///< line of its closing mark
  std::vector<std::string> lines;  ///< the lines between its marks
};

/// A skeleton split into given and blank lines: given[0], blanks[0], given[1], …, given[blanks.size()].
struct Skeleton {
  struct Given {
    unsigned begin = 1;  ///< number of its first line
    std::vector<std::string> lines;
  };
  std::vector<Given> given;
  std::vector<Blank> blanks;
};

/// @param file the file's name, for errors
/// @throws Error (usage) with file and line for a mark that is malformed, unmatched or overlaps another blank, and
///         for neighbouring blanks without lines between them
Skeleton parse_skeleton(const fs::path& file, const std::string& text);

/// A line at which a skeleton differs from its solution, with both texts if two texts were compared.
struct SkeletonProblem {
  fs::path file;
  unsigned line = 0;           ///< in `file`; 0: the whole file
  std::string what;            ///< one sentence without a full stop
  std::string here = {};       ///< the skeleton's text
  std::string solution = {};   ///< the solution's text
  unsigned solution_line = 0;  ///< line in the solution; 0: none
  std::string before = {};     ///< in a conflict: the text in the previous solution
};

/// Proves that a skeleton is the solution with blanks. Outside of its blanks it equals the solution line by
/// line. Each blank calls LAB_TODO for each of its parts and for no other part. In place of each blank, the
/// solution has code that opens and closes as many braces as the blank. No line of that code occurs in the
/// blank, not even in its comments.
/// @return the violations, sorted by line; empty if everything is proved
std::vector<SkeletonProblem> prove(const fs::path& file, const std::string& skeleton,
                                   const std::string& solution);

/// A skeleton after a change of its solution.
struct Carried {
  std::string text;                        ///< the new skeleton; unchanged if there are conflicts
  std::vector<SkeletonProblem> conflicts;  ///< changes that touch both a blank's answer and given lines
  std::vector<SkeletonProblem> notes;      ///< decisions that the author should check
};

/// A three-way merge that knows blanks. It applies changes of the given lines, and leaves a blank unchanged
/// if only its answer changed. A change that affects both is a conflict. Lines that were inserted exactly at
/// a blank's edge count as part of its answer, and are noted.
/// @param base a solution against which the skeleton is proved
/// @return no value if `base` is not such a solution
std::optional<Carried> carry(const fs::path& file, const std::string& skeleton, const std::string& base,
                             const std::string& solution);

/// Turns lines [first, last] of a text into one blank of a part. @throws Error (usage) for lines outside the text
std::string with_blank(const fs::path& file, const std::string& text, unsigned first, unsigned last,
                       const std::vector<int>& parts, const std::string& title);

/// The LAB_TODO(n) calls that are left in a source, outside comments and strings.
std::vector<Todo> find_todos(const fs::path& name, const std::string& text);

}  // namespace grader
