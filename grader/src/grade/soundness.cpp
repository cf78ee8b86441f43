#include "grade/soundness.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

#include "base/scratch.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

/// A program that is new in each call. A program from the cache would not show that the compiler is broken.
Submission new_program(const Machine& machine) {
  static std::atomic<unsigned> count{0};
  Submission program;
  program.files = {{"sound.cu", fmt::format("// {} {} {} {}\nint main() {{ return 0; }}\n", getpid(), count++,
                                            machine.clocks.utc(), machine.clocks.steady())}};
  return program;
}

bool compiles_and_runs(const Kit& kit, const Toolchain& toolchain, Backend backend, const Machine& machine) {
  const BuildResult built =
      build(kit, toolchain, new_program(machine), backend, {}, Instrument::none, {}, machine);
  if (!built.ok) return false;
  const ScratchFolder scratch(kit.state() / "work", "grading");
  ProcessRequest request;
  request.argv = {built.program};
  request.limits.wall_s = 20;
  SandboxSpec spec;
  spec.program_folder = built.program.parent_path();
  spec.work_folder = scratch.path() / "run";
  return run_unless_killed([&] { return machine.commands.run_confined(request, spec); }).ok();
}

}  // namespace

BuildResult build_skeleton(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level,
                           Backend backend, const Machine& machine) {
  Submission skeleton;
  skeleton.lab = &lab;
  skeleton.level = level;
  skeleton.files = as_submitted(level_files(kit, lab, level));
  return build(kit, toolchain, skeleton, backend, {}, Instrument::none, {}, machine);
}

bool is_sound(const Kit& kit, const Toolchain& toolchain, const Lab& lab, int level, Backend backend,
              const Machine& machine) {
  try {
    return machine.files.has_room(kit.state()) && machine.files.has_room(kit.cache()) &&
           compiles_and_runs(kit, toolchain, backend, machine) &&
           build_skeleton(kit, toolchain, lab, level, backend, machine).ok;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace grader
