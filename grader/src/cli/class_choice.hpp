/// @file
/// A class as it was given on the command line: the folder of its hand-ins, the class file, the lab and its level.
#pragma once
#include "cli/cli_session.hpp"
#include "course/class_file.hpp"

namespace grader {

struct ClassChoice {
  std::string folder, lab, file;
  std::optional<int> level;

  std::vector<Option> options();
  /// The class file that was named, or class.toml in the folder, or none. @param file where it is, or would be
  ClassFile read_course(fs::path& file) const;
  /// The lab that was named, or the class file's; a level that was named is the course's from then on.
  /// @throws Error (usage) when none is named, or it has no such level
  const Lab& find_lab(Session& session, ClassFile& course) const;
};

}  // namespace grader
