// The program for libFuzzer: fuzz TARGET [libFuzzer's options] [folders of inputs]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "targets.hpp"

namespace {
const grader::fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (const auto& target : grader::fuzz::targets())
    if (*argc > 1 && std::strcmp((*argv)[1], target.name) == 0) chosen = &target;
  if (chosen == nullptr) {
    std::fprintf(stderr, "usage: fuzz TARGET [-max_total_time=60 …] [FOLDER…]; the targets are:");
    for (const auto& target : grader::fuzz::targets()) std::fprintf(stderr, " %s", target.name);
    std::fprintf(stderr, "\n");
    _Exit(2);
  }
  for (int i = 1; i + 1 < *argc; ++i) (*argv)[i] = (*argv)[i + 1];
  --*argc;
  (void)!std::freopen("/dev/null", "w", stdout);  // the readers' output is not needed
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  grader::fuzz::run(*chosen, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
