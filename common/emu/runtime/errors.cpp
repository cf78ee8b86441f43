#include "errors.hpp"

#include <atomic>
#include <utility>

#include "cuda_runtime_api.h"
#include "cuemu/failures.hpp"
#include "device.hpp"
#include "device_launch.hpp"
#include "launch_state.hpp"
#include "observer.hpp"
#include "plan.hpp"
#include "runtime.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {
thread_local cudaError_t last_error = cudaSuccess;
thread_local std::uint64_t errors_remembered = 0;
thread_local RefusedLaunch refused{};
thread_local std::uint64_t error_of_refused =
    0;  ///< `errors_remembered` at a refused launch; 0: no refused launch

struct Context {
  std::atomic<int> destroyed{cudaSuccess};
  std::atomic<bool> observed{false};
};
Context contexts[most_devices];

Context& context() {
  return contexts[current_device()];
}
}  // namespace

cudaError_t remember(cudaError_t error) {
  if (error == cudaSuccess) return error;
  if (!in_kernel()) notify(&Observer::error_returned, error);
  const RuntimeSection section;
  (in_kernel() ? device_last_error() : last_error) = error;
  if (!in_kernel()) ++errors_remembered;
  return error;
}

void note_refused(const KernelPlan& plan) {
  refused = {plan.kernel->info.name,
             plan.grid,
             plan.block,
             plan.dynamic_shared,
             static_shared_bytes(*plan.kernel),
             plan.kernel->info.max_threads};
  error_of_refused = errors_remembered + 1;
}

const RefusedLaunch* refused_launch() {
  return error_of_refused != 0 && error_of_refused == errors_remembered ? &refused : nullptr;
}

void destroy_context(cudaError_t error, int device) {
  int none = cudaSuccess;
  contexts[device].destroyed.compare_exchange_strong(none, error);
}

bool context_destroyed(int device) {
  return contexts[device].destroyed.load() != cudaSuccess;
}

cudaError_t observe_context() {
  const auto error = static_cast<cudaError_t>(context().destroyed.load());
  if (error != cudaSuccess) context().observed.store(true);
  return error;
}

cudaError_t context_error() {
  const Context& mine = context();
  return mine.observed.load() ? static_cast<cudaError_t>(mine.destroyed.load()) : cudaSuccess;
}

cudaError_t enter() {
  start_runtime();
  return remember(context_error());
}

}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaGetLastError(void) {
  notify(&Observer::error_asked);
  const RuntimeSection section;
  cudaError_t& last = in_kernel() ? device_last_error() : last_error;
  return std::exchange(last, cudaSuccess);
}

cudaError_t cudaPeekAtLastError(void) {
  notify(&Observer::error_asked);
  const RuntimeSection section;
  return in_kernel() ? device_last_error() : last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define CUEMU_ERROR(name, value, text) \
  case name:                           \
    return #name;
#include "cuemu/errors.def"
#undef CUEMU_ERROR
    case cudaErrorApiFailureBase:
      break;
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
    case cudaErrorApiFailureBase:
      break;
  }
  return "unrecognized error code";
}
}
