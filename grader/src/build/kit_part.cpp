#include "build/kit_part.hpp"

#include <fmt/format.h>

#include <mutex>

namespace grader {

namespace {

/// The name in the build and in messages.
struct Names {
  const char* target;
  const char* title;
};

Names names_of(KitPart part) {
  switch (part) {
    case KitPart::checker:
      return {"cuemu_check", "checker"};
    case KitPart::counters:
      return {"cuemu_counters", "counters"};
    default:
      return {"cuemu_libraries", "cuBLAS and cuFFT"};
  }
}

void need_part(const Machine& machine, const fs::path& emucc, KitPart part) {
  const std::string target = names_of(part).target, what = names_of(part).title;
  std::error_code failed;
  const fs::path prefix = fs::canonical(emucc, failed).parent_path().parent_path();
  const fs::path script = prefix / "build-part", library = prefix / "lib" / ("lib" + target + ".a");

  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (fs::exists(library, failed) || !fs::exists(script, failed))
    return;  // emucc reports what an unfinished kit lacks
  fmt::print(stderr, "Building the emulation's {}, once (about a minute).\n", what);
  ProcessRequest request;
  request.argv = {script, target};
  request.limits.wall_s = 3600;
  const ProcessResult built = machine.commands.run(request);
  if (built.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  constexpr int no_such_part = 4;  // emucc reports it as well; callers do without the part
  if (built.end == ProcessResult::End::exited && built.code == no_such_part) return;
  if (!built.ok())
    throw Error(ErrorKind::environment,
                fmt::format("The emulation's {} could not be built.\n{}{}", what, built.out, built.err),
                "./bootstrap, which installs what building takes");
}

}  // namespace

std::set<KitPart> parts_for(Instrument instrument, const std::vector<std::string>& link) {
  std::set<KitPart> parts;
  if (instrument == Instrument::check) parts.insert(KitPart::checker);
  if (instrument == Instrument::counters) parts.insert(KitPart::counters);
  for (const std::string& library : link)
    if (library.rfind("cublas", 0) == 0 || library.rfind("cufft", 0) == 0) parts.insert(KitPart::libraries);
  return parts;
}

void need_parts(const Machine& machine, const fs::path& emucc, const std::set<KitPart>& parts) {
  if (emucc.empty()) return;
  for (const KitPart part : parts) need_part(machine, emucc, part);
}

}  // namespace grader
