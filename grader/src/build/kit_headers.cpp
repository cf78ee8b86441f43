#include "build/kit_headers.hpp"

#include <fmt/format.h>

namespace grader {
namespace {

/// "lab/args.hpp", …: below common/lab/include, by grader/CMakeLists.txt.
constexpr const char* kit_headers[] = {KIT_HEADERS};

}  // namespace

void refuse_missing_headers(const Toolchain& toolchain, const std::string& diagnostics) {
  std::error_code ignored;
  for (const char* header : kit_headers) {
    // Its name alone: headers beside it include it without the folder.
    if (diagnostics.find(fs::path(header).filename().string()) == std::string::npos) continue;
    if (fs::exists(toolchain.include_folder / header, ignored)) continue;
    throw Error(
        ErrorKind::fault,
        fmt::format("The kit's own header {} is missing from {}, so nothing can be compiled. It is not your "
                    "mistake, and costs you nothing.",
                    header, toolchain.include_folder.string()),
        "git checkout common/lab, or install the kit again");
  }
}

}  // namespace grader
