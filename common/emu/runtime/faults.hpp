// Signals caused by CUDA threads or host code: invalid addresses, division by zero, stack overflow, device pointers in
// host code. A few lines explain each signal. A kernel's fault stops the kernel, but not the program.
#pragma once

namespace cuemu {

struct Block;
struct Fault;
struct Fiber;

/// Installs the handlers. Called once, at the first use of the runtime.
void install_fault_handlers();

/// Gives the calling thread a separate stack for signal handlers, so that the handlers can run after a stack overflow.
void prepare_thread_for_faults();

/// Stops the block's launch and reports the cause.
void report_fault(const Block& block, const Fault& fault, const Fiber& thread);

}  // namespace cuemu
