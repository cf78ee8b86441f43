// Start and end of the runtime, and functions that the API's parts share.
#pragma once

#include "cuemu/launch.hpp"

namespace cuemu {

/// Called first by every API function: installs signal handlers, the profile and exit handlers once. Later calls cost
/// one load.
void start_runtime();

/// The host function under which a kernel was registered; null if it was not. Inverse of registered_kernel().
const void* function_of(const Kernel& kernel);

/// True while a host function is called only to find its kernel: stores the kernel, and nothing is launched.
bool answer_question(Kernel& kernel);

/// The kernel that a registered host function launches; null if the address is no kernel.
Kernel* registered_kernel(const void* function, detail::KernelFunction* how);

}  // namespace cuemu
