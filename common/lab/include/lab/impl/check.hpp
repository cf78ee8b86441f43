/// @file
/// Implements check.hpp.
#pragma once
#include "../check.hpp"

namespace lab {
namespace detail {

LAB_INLINE void stop_for(cudaError_t error, const char* call, const char* file, int line) {
  std::fflush(stdout);
  Sentence cause;
  explain_cuda_error(cause, error, call);
#if defined(__CUEMU__)
  char whole[1204];
  std::snprintf(whole, sizeof whole, "%s%s", cause.text(), cause.empty() ? "" : cause.stop());
  if (::cuemu::send_cuda_error(error, call, file, line, whole)) std::exit(exit_cuda_error);
#endif
  std::fprintf(stderr, "CUDA error at %s:%d: %s\n  %d %s: %s\n", file, line, call, static_cast<int>(error),
               cudaGetErrorName(error), cudaGetErrorString(error));
  if (!cause.empty()) std::fprintf(stderr, "  Likely cause: %s%s\n", cause.text(), cause.stop());
  std::exit(exit_cuda_error);
}

LAB_INLINE void name_allocation([[maybe_unused]] const char* call, [[maybe_unused]] const char* file,
                                [[maybe_unused]] int line) {
#if defined(__CUEMU__)
  ::cuemu::name_allocation(Argument(call, 0).text, file, line);
#endif
}

}  // namespace detail
}  // namespace lab
