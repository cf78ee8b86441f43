#include "build/kit_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>

namespace grader {

namespace {

/// The part's name in messages.
std::string title_of(const KitPart& part) {
  if (part == checker_part) return "checker";
  return part.substr(part.find('_') + 1);
}

fs::path prefix_of(const fs::path& emucc) {
  std::error_code failed;
  return fs::canonical(emucc, failed).parent_path().parent_path();
}

void need_part(const Machine& machine, const fs::path& emucc, const KitPart& part) {
  const std::string what = title_of(part);
  const fs::path prefix = prefix_of(emucc);
  const fs::path script = prefix / "build-part", library = prefix / "lib" / ("lib" + part + ".a");

  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  std::error_code failed;
  if (fs::exists(library, failed) || !fs::exists(script, failed))
    return;  // emucc reports the files that an unfinished kit lacks
  fmt::print(stderr, "Building the emulation's {}, once (about a minute).\n", what);
  ProcessRequest request;
  request.argv = {"sh", "-c", "exec \"$@\" >&2", "sh", script, part};  // run_own() reads standard error
  request.limits.wall_s = 3600;
  request.environment["LC_ALL"] = "C";  // run_own() reads the compilers' messages
  const ProcessResult built = machine.commands.run_own(request);
  if (built.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  constexpr int no_such_part = 4;  // emucc also reports this; callers continue without the part
  if (built.end == ProcessResult::End::exited && built.code == no_such_part) return;
  if (built.end == ProcessResult::End::killed) throw killed_twice("The build of the emulation's " + what);
  if (!built.ok())
    throw Error(ErrorKind::environment,
                fmt::format("The emulation's {} could not be built.\n{}{}", what, built.out, built.err),
                "./bootstrap, which installs what building takes");
}

}  // namespace

std::set<KitPart> parts_for(Instrument instrument, const std::vector<std::string>& link,
                            const fs::path& emucc) {
  std::set<KitPart> parts;
  if (instrument == Instrument::check) parts.insert(checker_part);
  if (instrument == Instrument::counters) parts.insert(counters_part);
  if (link.empty()) return parts;
  std::ifstream extras(prefix_of(emucc) / "lib" / "extras.txt");  // each line is NAME|TARGET|…
  for (std::string name, target, rest;
       std::getline(extras, name, '|') && std::getline(extras, target, '|') && std::getline(extras, rest);)
    if (std::find(link.begin(), link.end(), name) != link.end()) parts.insert(target);
  return parts;
}

void need_parts(const Machine& machine, const fs::path& emucc, const std::set<KitPart>& parts) {
  if (emucc.empty()) return;
  for (const KitPart& part : parts) need_part(machine, emucc, part);
}

}  // namespace grader
