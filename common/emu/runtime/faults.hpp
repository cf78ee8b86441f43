// Signals that a CUDA thread or host code causes: wild addresses, division by zero, stack overflow, device pointers in
// host code. A few lines explain each; a kernel's fault stops the kernel, not the emulator.
#pragma once

namespace cuemu {

struct Block;
struct Fault;
struct Fiber;

/// Installs the handlers, once, at the first use of the runtime.
void install_fault_handlers();

/// Gives the calling thread a separate stack for signal handlers, so that they can handle a stack overflow.
void prepare_thread_for_faults();

/// Stops the block's launch and reports the cause.
void report_fault(const Block& block, const Fault& fault, const Fiber& thread);

}  // namespace cuemu
