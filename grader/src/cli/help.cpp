// The help has two columns, as in most programs: the words to type, and their effect.
#include "cli/help.hpp"

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/terminal.hpp"

namespace grader {
namespace {

constexpr int help_width = 80;
constexpr int words_begin = 24;

/// "  -l,--level N          level, 1 is the most guided"
std::string line(const std::string& typed, const std::string& words) {
  const std::string left = "  " + typed;
  if (display_width(left) + 2 > words_begin)
    return left + "\n" + hanging(std::string(words_begin, ' '), words, help_width) + "\n";
  return hanging(fmt::format("{:<{}}", left, words_begin), words, help_width) + "\n";
}

std::string typed(const Option& option) {
  if (option.is_argument()) return option.names + (option.takes_many() ? "..." : "");
  return option.names + (option.type.empty() ? "" : " " + option.type) + (option.is_rest() ? "..." : "");
}

const char* title(Group group) {
  switch (group) {
    case Group::student:
      return "As a student";
    case Group::instructor:
      return "As an instructor";
    case Group::tools:
      return "Tools";
  }
  return "";
}

}  // namespace

std::string help_of_all(const std::vector<Command>& commands) {
  std::string out =
      "Grades the labs of the CUDA Lab Kit, on a GPU or in emulation.\n"
      "Usage: grader COMMAND [OPTIONS] …, or grader LAB [OPTIONS]\n\nOptions:\n" +
      line("--version", "Print the version") + line("-h,--help", "Print this help");
  for (const Group group : {Group::student, Group::instructor, Group::tools}) {
    out += fmt::format("\n{}:\n", title(group));
    for (const Command& command : commands)
      if (command.group == group) out += line(command.name, command.summary);
  }
  return out +
         "\n\"grader LAB\" grades a lab. \"grader COMMAND --help\" shows a command's options.\n"
         "Exit codes: 0 all points, 1 points lost, 2 usage, 3 environment, 4 the grader's\n"
         "own fault, 130 interrupted.\n";
}

std::string help_of(const Command& command) {
  std::string usage, arguments, options = line("-h,--help", "Print this help");
  for (const Option& option : command.options) {
    if (!option.is_argument() && !option.is_rest()) {
      options += line(typed(option), option.help);
      continue;
    }
    usage += option.required ? " " + typed(option) : fmt::format(" [{}]", typed(option));
    arguments += line(typed(option), option.help);
  }
  return fmt::format("{}\nUsage: grader {} [OPTIONS]{}\n{}\nOptions:\n{}", command.summary, command.name,
                     usage, arguments.empty() ? "" : "\nArguments:\n" + arguments, options);
}

}  // namespace grader
