// The last error of each host thread, and the error that destroyed the context.
//
// CUDA reports a kernel's error at a synchronisation, and every later call fails with this error. To make this
// deterministic, a kernel's error becomes visible only when a call has waited for the device.
#pragma once

#include "driver_types.h"
#include "services.hpp"

namespace cuemu {

struct KernelPlan;

/// CUDA 13's error for an address that is not a kernel (older toolkits: cudaErrorInvalidDeviceFunction).
constexpr cudaError_t no_such_kernel = cudaErrorInvalidResourceHandle;

/// Sets the calling thread's last error to `error` unless it is cudaSuccess, and returns `error`.
cudaError_t remember(cudaError_t error);

/// Reports a refused launch to the tools, before its error is remembered.
void note_refused(const KernelPlan& plan);

// Each device has its own context. Functions without a device parameter use the calling thread's current device.

/// Called when a kernel was stopped with `error`; the device keeps only its first error.
void destroy_context(cudaError_t error, int device);
/// Returns the result of a call that has waited and succeeded: the error that destroyed the context, if any.
cudaError_t observe_context();
/// Returns the context's error if a waiting call has already returned it. Other calls make this check first.
cudaError_t context_error();

/// Nearly every call begins here: starts the runtime, and returns and remembers the context's error.
cudaError_t enter();

}  // namespace cuemu
