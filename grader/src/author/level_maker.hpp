/// @file
/// `grader new-level`: makes a level of a lab, from another level or from the solution.
#pragma once
#include "workspace/lab_files.hpp"

namespace grader {

/// Lines of the solution that a new level leaves blank: "kernel.cu:12-20:2" is part 2.
struct BlankRequest {
  std::string file;
  unsigned first = 0, last = 0;
  int part = 0;
};
/// @throws Error (usage) for text of another form
BlankRequest parse_blank_request(const std::string& text);

/// Makes level `level`, which must be the next one of the lab, or one without a folder, and raises `levels` in
/// lab.toml if necessary.
/// @param from    another level, whose files are copied; none: the solution
/// @param blanks  cut out of the solution's files; only without `from`. Neither: every part is blank where any other
///         level has it blank
/// @return the written files
/// @throws Error (usage) for a level that exists, a lab without levels to learn from, lines or parts that don't
///         exist; (environment) when a file can't be written
std::vector<fs::path> new_level(const Kit& kit, const Lab& lab, int level, std::optional<int> from,
                                const std::vector<BlankRequest>& blanks);

}  // namespace grader
