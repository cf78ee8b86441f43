/// @file
/// A class on the command line: the folder of its hand-ins, the class file, the lab and its level.
#pragma once
#include "cli/cli_session.hpp"
#include "course/class_file.hpp"

namespace grader {

struct ClassChoice {
  std::string folder, lab, file;
  std::optional<int> level;

  std::vector<Option> options();
  /// Reads the named class file, or class.toml in the folder; an empty one if neither exists. @param file set to its
  /// place
  ClassFile read_course(fs::path& file) const;
  /// The named lab, or the class file's; a named level replaces the course's.
  /// @throws Error (usage) when no lab is named, or it has no such level
  const Lab& find_lab(Session& session, ClassFile& course) const;
};

/// How a class is graded on this machine: --workers, --backend, --unsafe.
struct LocalChoice {
  std::string backend;
  int workers = 0;
  bool unsafe = false;

  std::vector<Option> local_options();
  /// @param chosen set to the backend @param note as SourceChoice::choose_backend()
  /// @return how many attempts are graded at once @throws Error (environment) as need_sandbox()
  int choose_workers(Session& session, Backend& chosen, std::string& note) const;
};

/// @throws Error (environment) where no sandbox confines students' programs
void need_sandbox(bool unsafe);

}  // namespace grader
