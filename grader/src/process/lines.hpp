/// @file
/// Runs one of the kit's own commands that answers line by line, such as a grading with --steps. The command has no
/// limits and no sandbox, but the programs that it starts have both.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace grader {

/// @param line called with each line of the command's standard output as soon as it arrives, without the line's end
/// @param stop called at least every 100 ms; when it returns true, the command gets SIGINT, and SIGKILL 5 s later
/// @return the command's exit status, or 128 plus the signal that ended it
/// @throws Error (environment) when the command can't be started
int run_lines(const std::vector<std::string>& argv, const std::function<void(const std::string&)>& line,
              const std::function<bool()>& stop);

}  // namespace grader
