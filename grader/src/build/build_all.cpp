// Compilation takes most of a sweep's time. Only compilation may use several cores, since timed programs run
// alone.
#include <fmt/format.h>

#include <mutex>
#include <set>

#include "base/on_threads.hpp"
#include "build/build.hpp"
#include "build/compiler.hpp"

namespace grader {
namespace {

std::vector<const ProgramToBuild*> different(const std::vector<ProgramToBuild>& programs) {
  std::set<std::string> seen;
  std::vector<const ProgramToBuild*> out;
  for (const ProgramToBuild& program : programs) {
    std::string key = program.submission->sha256;
    for (const auto& [name, value] : program.macros) key += fmt::format("|{}={}", name, value);
    for (const std::string& library : program.link) key += "|-l" + library;
    key += fmt::format("|{}", static_cast<int>(program.instrument));
    if (seen.insert(key).second) out.push_back(&program);
  }
  return out;
}

}  // namespace

void build_all(const Kit& kit, const Toolchain& toolchain, Backend backend,
               const std::vector<ProgramToBuild>& programs, const std::function<bool()>& stop,
               const Progress& progress, const Machine& machine) {
  const std::vector<const ProgramToBuild*> list = different(programs);
  std::size_t done = 0;
  std::mutex saying;
  // There is one more thread than compiler slots: while it links a program, the sources of the next one are
  // compiled.
  on_threads(list.size(), most_compilers() + 1, [&](std::size_t i) {
    if (stop()) return;
    try {
      build(kit, toolchain, *list[i]->submission, backend, list[i]->macros, list[i]->instrument,
            list[i]->link, machine);
    } catch (const Error&) {  // the same error is reported when the program is measured
    }
    const std::lock_guard<std::mutex> lock(saying);
    ++done;
    if (progress)
      progress(fmt::format("compiled {} of {} programs", done, list.size()), static_cast<int>(done),
               static_cast<int>(list.size()));
  });
}

}  // namespace grader
