#include "build/prepare.hpp"

#include <functional>
#include <mutex>
#include <set>

#include "base/on_threads.hpp"
#include "build/build_key.hpp"
#include "build/compiler.hpp"
#include "build/kit_part.hpp"
#include "build/objects.hpp"

namespace grader {
namespace {

/// Runs the tasks on all cores. An error of the machine stops it. A fault of the kit is not reported here,
/// but when the lab is graded.
void run_tasks(const std::vector<std::function<void()>>& tasks, const Progress& progress,
               const Machine& machine) {
  std::mutex saying;
  int done = 0;
  on_threads(tasks.size(), most_compilers(), [&](std::size_t i) {
    if (machine.commands.interrupted()) return;
    try {
      tasks[i]();
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::fault) throw;
    }
    const std::lock_guard<std::mutex> lock(saying);
    if (progress) progress("compiling what all labs share", ++done, static_cast<int>(tasks.size()));
  });
  if (machine.commands.interrupted()) throw Error(ErrorKind::environment, "Interrupted.");
}

}  // namespace

void prepare(const Kit& kit, const Toolchain& toolchain, const std::vector<Submission>& labs,
             const Progress& progress, const Machine& machine) {
  constexpr Backend backend = Backend::emu;
  const std::string environment = environment_digest(toolchain, backend);
  std::vector<std::function<void()>> objects, headers, oracles;  // the longest first
  std::set<std::string> known;
  for (const Submission& lab : labs)
    oracles.emplace_back([&] { build_oracle(kit, toolchain, *lab.lab, machine); });
  need_parts(machine, toolchain.emucc, parts_for(Instrument::check, {}, toolchain.emucc));
  for (const Submission& lab : labs) {
    for (const ObjectPlan& plan :
         plan_objects(toolchain, lab, backend, "", Instrument::none, {}, environment)) {
      if (!plan.of_the_kit || !known.insert(plan.key).second) continue;
      objects.emplace_back(
          [&kit, &toolchain, &machine, plan] { make_objects(machine, kit, toolchain, backend, {plan}); });
      headers.emplace_back(
          [&kit, &toolchain, &machine, plan] { make_shared_headers_of(machine, kit, toolchain, plan); });
    }
  }
  std::vector<std::function<void()>> tasks = std::move(objects);
  tasks.insert(tasks.end(), headers.begin(), headers.end());
  tasks.insert(tasks.end(), oracles.begin(), oracles.end());
  run_tasks(tasks, progress, machine);
}

}  // namespace grader
