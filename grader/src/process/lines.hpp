/// @file
/// Runs a command of the kit's own whose answer comes line by line, such as a grading with --steps. It has no limits and
/// no sandbox: the programs that it starts have theirs.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace grader {

/// @param line  called with each line of its standard output as it comes, without the line's end
/// @param stop  called at least every 100 ms; once it returns true the command gets SIGINT, and SIGKILL 5 s later
/// @return its exit status, or 128 and the signal that ended it
/// @throws Error (environment) when it can't be started
int run_lines(const std::vector<std::string>& argv, const std::function<void(const std::string&)>& line,
              const std::function<bool()>& stop);

}  // namespace grader
