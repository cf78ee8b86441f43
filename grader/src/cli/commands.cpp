// The list of all commands, and the option that all commands of students take.
#include "cli/commands.hpp"

#include <cstdlib>
#include <filesystem>

namespace grader {
namespace {

/// The option that sets the folder of students' files for this process and its children.
Option workspace_option() {
  return {.names = "--workspace",
          .type = "DIR",
          .help = "the folder of your files; default: work, in the kit",
          .value = [](const std::string& folder) {
            setenv("GRADER_WORKSPACE", std::filesystem::absolute(folder).c_str(), 1);
          }};
}

}  // namespace

std::vector<Command> all_commands() {
  std::vector<Command> all;
  for (const auto& commands :
       {grade_commands,      table_commands, report_commands,     resources_commands,  profile_commands,
        student_commands,    ask_commands,   hunt_commands,       handout_commands,    work_commands,
        view_commands,       serve_commands, author_commands,     instructor_commands, class_commands,
        similarity_commands, marks_commands, autograder_commands, records_commands,    tool_commands}) {
    for (Command& command : commands()) {
      if (command.group == Group::student) command.options.push_back(workspace_option());
      all.push_back(std::move(command));
    }
  }
  return all;
}

}  // namespace grader
