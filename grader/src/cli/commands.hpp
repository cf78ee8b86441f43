/// @file
/// The list of commands. This header is private to the command line.
#pragma once
#include <vector>

#include "cli/command.hpp"

namespace grader {

/// Every command, in the order of --help. Each of them can be run once.
std::vector<Command> all_commands();

// The commands of each file cli_….cpp.
std::vector<Command> grade_commands();       ///< grade, check, watch
std::vector<Command> table_commands();       ///< table
std::vector<Command> report_commands();      ///< report
std::vector<Command> resources_commands();   ///< resources
std::vector<Command> profile_commands();     ///< profile, explain
std::vector<Command> student_commands();     ///< list, hint
std::vector<Command> ask_commands();         ///< ask
std::vector<Command> hunt_commands();        ///< hunt
std::vector<Command> handout_commands();     ///< handout
std::vector<Command> work_commands();        ///< start, diff, run, makefile, reset
std::vector<Command> view_commands();        ///< view
std::vector<Command> serve_commands();       ///< serve
std::vector<Command> author_commands();      ///< release, new-level, mistakes
std::vector<Command> instructor_commands();  ///< gold, new-lab, inventory
std::vector<Command> class_commands();       ///< class
std::vector<Command> similarity_commands();  ///< similarity
std::vector<Command> marks_commands();       ///< marks
std::vector<Command> autograder_commands();  ///< autograder
std::vector<Command> records_commands();     ///< results, records
std::vector<Command> tool_commands();        ///< doctor, completion

}  // namespace grader
