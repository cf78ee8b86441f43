/// @file
/// Implements exit.hpp.
#pragma once
#include "../exit.hpp"

namespace lab {

LAB_INLINE void stop(Exit code, const std::string& sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(code);
}

LAB_INLINE void usage_error(const std::string& sentence) {
  stop(exit_usage, sentence);
}

LAB_INLINE void missed(const std::string& sentence) {
  stop(exit_missed, sentence);
}

}  // namespace lab
