#include "driver/kit_part.hpp"

#include <cstdio>

#include "driver/options.hpp"
#include "driver/process.hpp"

namespace emucc {
namespace {

namespace fs = std::filesystem;

void build(const KitPart& part, const fs::path& prefix) {
  std::error_code failure;
  const fs::path build_part = prefix / "build-part";
  if (!fs::exists(build_part, failure)) return;
  std::fprintf(stderr, "emucc: building %s, once (about a minute)\n", part.title);
  Command command;
  command.argv = {build_part, part.target};
  command.capture_output = true;
  const CommandResult built = run(command);
  if (!built.ok())
    throw UsageError(std::string(part.title) + " could not be built by " + quote(command.argv) + ":\n" +
                     built.output + built.messages);
}

}  // namespace

std::string archive_of(const KitPart& part, const fs::path& runtime, bool dry_run) {
  const fs::path folder = runtime.parent_path(), archive = folder / ("lib" + std::string(part.target) + ".a");
  std::error_code failure;
  if (dry_run || fs::exists(archive, failure)) return archive;
  build(part, folder.parent_path());
  if (!fs::exists(archive, failure))
    throw UsageError(std::string(part.wanted) + " needs " + archive.string() +
                     ", which is missing: " + part.needs + "build the kit again");
  return archive;
}

}  // namespace emucc
