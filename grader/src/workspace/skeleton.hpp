/// @file
/// A skeleton is the solution with blanks, written by hand and proved. A blank stands between two comment
/// lines, which stay when a student fills it in:
///
///     // ---- part 2: the product of two tiles (three lines) ------------------------
///     // Add to `sum` the products of these two tiles: row ty of tile_M times column tx of tile_N.
///     LAB_TODO(2);
///     // ---- end of part 2 ---------------------------------------------------------
///
/// A blank of several parts is called "parts 1 and 2", "parts 1, 2 and 4" or "parts 1 to 3".
///
/// Nothing here knows of files or labs: texts go in, texts and problems come out.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "model/grading.hpp"

namespace grader {

/// A skeleton's place for an answer. Lines count from 1.
struct Blank {
  std::vector<int> parts;          ///< sorted
  std::string name;                ///< "part 2", "parts 1 and 2": as its marks say
  std::string title;               ///< what stands behind the name
  unsigned begin = 0;              ///< line of its first mark
  unsigned end = 0;                ///< line of its last mark
  std::vector<std::string> lines;  ///< between the marks
};

/// A skeleton cut into what is given and what is blank: given[0], blanks[0], given[1], …, given[blanks.size()].
struct Skeleton {
  struct Given {
    unsigned begin = 1;  ///< its first line
    std::vector<std::string> lines;
  };
  std::vector<Given> given;
  std::vector<Blank> blanks;
};

/// @param file for errors
/// @throws Error (usage) with file and line for a mark that is malformed, never closed, closes nothing or
///         closes another blank, and for neighbouring blanks with nothing between them
Skeleton parse_skeleton(const fs::path& file, const std::string& text);

/// Something that is not as it must be, shown with both texts where two were compared.
struct SkeletonProblem {
  fs::path file;
  unsigned line = 0;           ///< in `file`; 0: the whole file
  std::string what;            ///< one sentence without a full stop
  std::string here = {};       ///< the skeleton's text
  std::string solution = {};   ///< the solution's
  unsigned solution_line = 0;  ///< 0: none in particular
  std::string before = {};     ///< in a conflict: the solution's text as it was
};

/// Proves that a skeleton is the solution with blanks: outside its blanks it is the solution line by line;
/// each blank calls LAB_TODO for each of its parts and for no other; the solution has code in its place, which
/// opens and closes as many braces as the blank; and no line of that code stands in the blank, its comments
/// included.
/// @return what is wrong, in the order of the lines; empty: proved
std::vector<SkeletonProblem> prove(const fs::path& file, const std::string& skeleton,
                                   const std::string& solution);

/// A skeleton brought up to a changed solution.
struct Carried {
  std::string text;  ///< the skeleton as it should be; as it was when there are conflicts
  std::vector<SkeletonProblem> conflicts;  ///< changes that touch a blank's answer and what is given at once
  std::vector<SkeletonProblem> notes;      ///< decisions that the author should know of
};

/// A three-way merge that knows what a blank is. What changed in the given lines arrives; what changed inside
/// an answer leaves the blank alone; a change that does both at once is a conflict. Lines that were inserted
/// just at a blank's edge count as part of its answer, with a note.
/// @param base a solution that the skeleton is proved against
/// @return nothing when `base` is no such solution
std::optional<Carried> carry(const fs::path& file, const std::string& skeleton, const std::string& base,
                             const std::string& solution);

/// Makes lines [first, last] of a text one blank of a part. @throws Error (usage) for lines that the text has not
std::string with_blank(const fs::path& file, const std::string& text, unsigned first, unsigned last,
                       const std::vector<int>& parts, const std::string& title);

/// LAB_TODO(n) calls left in a source, comments and strings aside.
std::vector<Todo> find_todos(const fs::path& name, const std::string& text);

}  // namespace grader
