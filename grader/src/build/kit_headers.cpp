#include "build/kit_headers.hpp"

#include <fmt/format.h>

namespace grader {
namespace {

/// "lab/args.hpp", …: the headers below common/lab/include, as listed by grader/CMakeLists.txt.
constexpr const char* kit_headers[] = {KIT_HEADERS};

/// Files of emucc's installation whose absence emucc reports, relative to the parent of its bin/.
constexpr const char* emulation_files[] = {
    "lib/libcuemu.a",       "lib/libcuemu_guard.a",    "lib/libcuemu_unwatched.a",    "lib/libcuemu_watch.a",
    "lib/libcuemu_check.a", "lib/libcuemu_counters.a", "include/emu/cuemu/launch.hpp"};

/// Whether the messages name a file that is missing. Only the base name is compared, since headers in the
/// same folder include the file without the folder.
bool is_missed(const fs::path& file, const std::string& diagnostics) {
  std::error_code ignored;
  return diagnostics.find(file.filename().string()) != std::string::npos && !fs::exists(file, ignored);
}

[[noreturn]] void refuse(const char* what, const fs::path& file, const fs::path& folder, const char* next) {
  throw Error(
      ErrorKind::fault,
      fmt::format("The kit's own {} {} is missing from {}, so nothing can be compiled. It is not your "
                  "mistake, and costs you nothing.",
                  what, file.string(), folder.string()),
      next);
}

}  // namespace

void refuse_damaged_kit(const Toolchain& toolchain, const std::string& diagnostics) {
  for (const char* header : kit_headers)
    if (is_missed(toolchain.include_folder / header, diagnostics))
      refuse("header", header, toolchain.include_folder, "git checkout common/lab, or install the kit again");
  if (toolchain.emucc.empty()) return;
  std::error_code none;
  const fs::path prefix = fs::weakly_canonical(toolchain.emucc, none).parent_path().parent_path();
  for (const char* file : emulation_files)
    if (is_missed(prefix / file, diagnostics))
      refuse("file", file, prefix, "./bootstrap, which builds what is missing, or install the kit again");
}

}  // namespace grader
