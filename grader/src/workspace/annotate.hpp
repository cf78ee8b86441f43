/// @file
/// One annotated solution → the skeletons of every level. The markers are comments, so the solution compiles
/// as it stands.
///
///     //@part 2 "Inner product of one tile" levels=1-3
///     sum += tile_m[ty][k] * tile_n[k][tx];          the solution, which levels outside `levels` keep
///     //@stub 1
///     //| // TODO part 2: … what a level-1 student sees, each line behind "//|" and one blank
///     //| LAB_TODO(2);
///     //@stub 2-3
///     //| LAB_TODO(2);
///     //@end
///
///     //@text 1            lines shown only at these levels, never in the solution's own program
///     //| // Level 1: the signature and the launch are given.
///     //@end
///
/// A line's indentation before "//|" is kept. Every error is one line: file, line, what is wrong, what was
/// expected.
#pragma once
#include "base/error.hpp"
#include "model/grading.hpp"
#include "model/lab.hpp"

namespace grader {

/// Text of an annotated source as a level's student sees it. Level 0 is the solution without any marker.
/// @throws Error (usage) for unclosed, nested, unknown or malformed markers, a part that `lab` does not declare,
///         a level outside the lab's, a level of a part with no stub, and a stub for a level outside the
///         part's
std::string skeleton(const Lab& lab, const fs::path& file, const std::string& annotated, int level);

/// Part numbers whose markers occur in the text, sorted. @throws as skeleton()
std::vector<int> marked_parts(const Lab& lab, const fs::path& file, const std::string& annotated);

/// Those of them that are blank at a level, sorted. @throws as skeleton()
std::vector<int> blank_parts(const Lab& lab, const fs::path& file, const std::string& annotated, int level);

/// LAB_TODO(n) calls left in a source, comments and strings aside.
std::vector<Todo> find_todos(const fs::path& name, const std::string& text);

}  // namespace grader
