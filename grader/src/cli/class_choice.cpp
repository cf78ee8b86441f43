#include "cli/class_choice.hpp"

#include <fmt/format.h>

namespace grader {

std::vector<Option> ClassChoice::options() {
  return {{.names = "DIR",
           .type = "DIR",
           .help = "folder with a folder or an archive for each student",
           .value = &folder,
           .required = true},
          {.names = "--lab", .type = "LAB", .help = "the lab; default: the class file's", .value = &lab},
          {.names = "-l,--level", .type = "N", .help = "its level", .value = &level, .positive = true},
          {.names = "--class",
           .type = "FILE",
           .help = "students, deadline, late rule; default: DIR/class.toml",
           .value = &file,
           .existing_file = true}};
}

ClassFile ClassChoice::read_course(fs::path& found) const {
  std::error_code failed;
  found = file.empty() ? fs::path(folder) / "class.toml" : fs::path(file);
  if (file.empty() && !fs::exists(found, failed)) return {};
  return read_class_file(found);
}

const Lab& ClassChoice::find_lab(Session& session, ClassFile& course) const {
  LabChoice choice{lab.empty() ? course.lab : lab, level};
  if (choice.ref.empty())
    throw Error(ErrorKind::usage, "Which lab has the class handed in?",
                fmt::format("grader class {} --lab lab1.1", folder));
  const Lab& found = choice.find(session);
  if (choice.level) course.level = *choice.level;
  if (course.level > found.levels)
    throw Error(ErrorKind::usage, fmt::format("{} has no level {}.", found.id, course.level),
                fmt::format("grader class {} --lab {} --level 1", folder, found.id));
  return found;
}

}  // namespace grader
