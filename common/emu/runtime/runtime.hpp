// Start and end of the runtime, and functions that the API's parts share.
#pragma once

#include "cuemu/launch.hpp"

namespace cuemu {

/// Every API function calls this first. The first call installs signal handlers, the profile and exit handlers; later
/// calls cost one load.
void start_runtime();

/// Returns the host function with which a kernel was registered; null if the kernel is not registered. The inverse of
/// registered_kernel().
const void* function_of(const Kernel& kernel);

/// True while a host function is called only to find its kernel. The function then stores the kernel, and the host
/// function launches nothing.
bool answer_question(Kernel& kernel);

/// Returns the kernel that a registered host function launches; null if the address does not belong to a kernel.
Kernel* registered_kernel(const void* function, detail::KernelFunction* how);

}  // namespace cuemu
