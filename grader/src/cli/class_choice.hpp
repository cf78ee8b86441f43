/// @file
/// The class named on the command line: the folder of its hand-ins, the class file, the lab and its level.
#pragma once
#include "cli/cli_session.hpp"
#include "course/class_file.hpp"

namespace grader {

struct ClassChoice {
  std::string folder, lab, file;
  std::optional<int> level;

  std::vector<Option> options();
  /// Reads the named class file, or class.toml in the folder. Returns an empty class file if neither exists. @param
  /// file receives the file's path
  ClassFile read_course(fs::path& file) const;
  /// The named lab, else the lab of the class file. A named level replaces the level of the class file.
  /// @throws Error (usage) when no lab is named, or the lab has no such level
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
