#include "build/kit_part.hpp"

#include <fmt/format.h>

#include <mutex>

namespace grader {

void need_library(const Machine& machine, const fs::path& emucc, Instrument instrument) {
  if (instrument == Instrument::none || emucc.empty()) return;
  const bool check = instrument == Instrument::check;
  const std::string target = check ? "cuemu_check" : "cuemu_counters", what = check ? "checker" : "counters";
  std::error_code failed;
  const fs::path prefix = fs::canonical(emucc, failed).parent_path().parent_path();
  const fs::path script = prefix / "build-part", library = prefix / "lib" / ("lib" + target + ".a");

  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (fs::exists(library, failed) || !fs::exists(script, failed))
    return;  // emucc says what an unfinished kit lacks
  fmt::print(stderr, "Building the emulation's {}, once (about a minute).\n", what);
  ProcessRequest request;
  request.argv = {script, target};
  request.limits.wall_s = 3600;
  const ProcessResult built = machine.commands.run(request);
  if (built.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  constexpr int no_such_part = 4;  // emucc says so too, and callers do without
  if (built.end == ProcessResult::End::exited && built.code == no_such_part) return;
  if (!built.ok())
    throw Error(ErrorKind::environment,
                fmt::format("The emulation's {} could not be built.\n{}{}", what, built.out, built.err),
                "./bootstrap, which installs what building takes");
}

}  // namespace grader
