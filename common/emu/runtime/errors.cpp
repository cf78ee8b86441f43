#include "errors.hpp"

#include <atomic>

#include "cuda_runtime_api.h"

namespace cuemu {

namespace {
thread_local cudaError_t last_error = cudaSuccess;
std::atomic<int> destroyed{cudaSuccess};
std::atomic<bool> observed{false};
}  // namespace

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

void destroy_context(cudaError_t error) {
  int none = cudaSuccess;
  destroyed.compare_exchange_strong(none, error);
}

bool context_destroyed() {
  return destroyed.load() != cudaSuccess;
}

cudaError_t observe_context() {
  const auto error = static_cast<cudaError_t>(destroyed.load());
  if (error != cudaSuccess) observed.store(true);
  return error;
}

cudaError_t context_error() {
  return observed.load() ? static_cast<cudaError_t>(destroyed.load()) : cudaSuccess;
}

}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaGetLastError(void) {
  if (const cudaError_t error = context_error(); error != cudaSuccess) return error;
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  const cudaError_t error = context_error();
  return error != cudaSuccess ? error : last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define CUEMU_ERROR(name, value, text) \
  case name:                           \
    return #name;
#include "cuemu/errors.def"
#undef CUEMU_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define CUEMU_ERROR(name, value, text) \
  case name:                           \
    return text;
#include "cuemu/errors.def"
#undef CUEMU_ERROR
  }
  return "unrecognized error code";
}
}
