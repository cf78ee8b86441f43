/// @file
/// `grader new-level` makes a level of a lab, from another level or from the solution.
#pragma once
#include "workspace/lab_files.hpp"

namespace grader {

/// Lines of the solution that a new level leaves blank: in "kernel.cu:12-20:2", 2 is the part.
struct BlankRequest {
  std::string file;
  unsigned first = 0, last = 0;
  int part = 0;
};
/// @throws Error (usage) when the text has another form
BlankRequest parse_blank_request(const std::string& text);

/// What happens to an existing level with the number of the new one.
enum class LevelThere {
  refused,
  replaced  ///< it is replaced, after its folder was copied to the backups in the kit's state
};

struct NewLevel {
  std::vector<fs::path> files;  ///< the files that were written
  fs::path backup;              ///< the replaced level; empty if there was none
};

/// Makes level `level`, which must be the lab's next level or an earlier one, and raises `levels` in lab.toml
/// if necessary.
/// @param from another level, whose files are copied; no value: the solution
/// @param blanks the lines to cut out of the solution's files; only without `from`. If both are missing, a part is
///         blank wherever another level leaves it blank
/// @throws Error (usage) for a level that exists and is not to be replaced, a lab without levels to learn from, lines or parts that don't
///         exist; (environment) when a file can't be written
NewLevel new_level(const Kit& kit, const Lab& lab, int level, std::optional<int> from,
                   const std::vector<BlankRequest>& blanks, LevelThere there = LevelThere::refused);

}  // namespace grader
