// Starting and ending the runtime, and what the API's parts share.
#pragma once

#include "cuemu/launch.hpp"

namespace cuemu {

/// Begins at the first call: signal handlers, profile, what happens at exit. Later calls cost one load.
void start_runtime();

/// The other way: the address under which a kernel was registered, null where it was not.
const void* function_of(const Kernel& kernel);

/// When somebody asks which kernel a host function stands for, answers instead of launching: true.
bool answer_question(Kernel& kernel);

/// The kernel that a registered host function launches; null where the address is no kernel.
Kernel* registered_kernel(const void* function, detail::KernelFunction* how);

}  // namespace cuemu
