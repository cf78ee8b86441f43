// The last error of each host thread, and the error that destroyed the context.
//
// CUDA reports what a kernel did wrong at a synchronisation, from then on every call fails with it.
// To make that the same in every run, an error that a kernel left becomes visible
// only when a call has waited for the device.
#pragma once

#include "driver_types.h"
#include "services.hpp"

namespace cuemu {

struct KernelPlan;

/// What CUDA 13 answers for an address that is no kernel's (older toolkits: cudaErrorInvalidDeviceFunction).
constexpr cudaError_t no_such_kernel = cudaErrorInvalidResourceHandle;

/// Records `error` as the calling thread's last one unless it is cudaSuccess, and returns it.
cudaError_t remember(cudaError_t error);

/// Tells of a launch that is refused: its error is about to be remembered.
void note_refused(const KernelPlan& plan);

// Each device has a context of its own. Where no device is named, the calling thread's current one is meant.

/// A kernel was stopped with `error`; only the device's first counts.
void destroy_context(cudaError_t error, int device);
/// What a call that has waited returns when its own work went well:
/// the error that destroyed the context, if any.
cudaError_t observe_context();
/// What every other call returns first: the error, once it was observed.
cudaError_t context_error();

/// The start of nearly every call: starts the runtime; the error that destroyed the context, remembered.
cudaError_t enter();

}  // namespace cuemu
