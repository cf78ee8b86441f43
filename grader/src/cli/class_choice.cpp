#include "cli/class_choice.hpp"

#include <fmt/format.h>

#include <thread>

#include "process/machine.hpp"

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

std::vector<Option> LocalChoice::local_options() {
  return {{.names = "--workers",
           .type = "N",
           .help = "how many at once here; default: one for each core, or each GPU",
           .value = &workers,
           .positive = true},
          {.names = "--backend",
           .type = "NAME",
           .help = "gpu or emu; default: gpu if there is one, else emu",
           .value = &backend,
           .choices = {"emu", "gpu"}},
          {.names = "--unsafe", .help = "grade even if no sandbox confines the programs", .value = &unsafe}};
}

int LocalChoice::choose_workers(Session& session, Backend& chosen, std::string& note) const {
  need_sandbox(unsafe);
  SourceChoice source;
  source.backend = backend;
  chosen = source.choose_backend(session, note);
  if (workers > 0) return workers;
  // Each program has a GPU to itself, since its times count. More workers than GPUs would only wait.
  return chosen == Backend::gpu ? static_cast<int>(session.toolchain().devices().size())
                                : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

void need_sandbox(bool unsafe) {
  const SandboxStatus status = this_machine().commands.sandbox();
  if (status.works || unsafe) return;
  throw Error(ErrorKind::environment,
              fmt::format("A class's programs are strangers' programs, and nothing confines them here: {}.",
                          status.reason),
              fmt::format("{}; or, on a machine that can be lost, add --unsafe", status.mend));
}

}  // namespace grader
