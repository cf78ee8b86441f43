/// @file
/// The class that the command line names: the folder of its hand-ins, its class file, the lab and the level.
#pragma once
#include "cli/cli_session.hpp"
#include "course/class_file.hpp"

namespace grader {

struct ClassChoice {
  std::string folder, lab, file;
  std::optional<int> level;

  std::vector<Option> options();
  /// Reads the named class file, or class.toml in the folder. Returns an empty class file if neither exists.
  /// @param file receives the path of the class file
  ClassFile read_course(fs::path& file) const;
  /// The named lab, or else the lab of the class file. A named level replaces that of the class file.
  /// @throws Error (usage) when no lab is named, or the lab has no such level
  const Lab& find_lab(Session& session, ClassFile& course) const;
};

/// The options for grading a class on this machine: --workers, --backend, --unsafe.
struct LocalChoice {
  std::string backend;
  int workers = 0;
  bool unsafe = false;

  std::vector<Option> local_options();
  /// @param chosen receives the backend @param note as SourceChoice::choose_backend()
  /// @return the number of attempts that are graded at once. @throws Error (environment) as need_sandbox()
  int choose_workers(Session& session, Backend& chosen, std::string& note) const;
};

/// @param unsafe accept that there is no sandbox
/// @throws Error (environment) if no sandbox confines students' programs
void need_sandbox(bool unsafe);

}  // namespace grader
