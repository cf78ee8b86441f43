// Signals that a CUDA thread or the host program causes:
// wild addresses, division by zero, stack overflow, device pointers used by host code.
// Each is explained in a few lines; a kernel is stopped, never the emulator.
#pragma once

namespace cuemu {

struct Block;
struct Fault;
struct Fiber;

/// Installs the handlers; once, at the first use of the runtime.
void install_fault_handlers();

/// Gives the calling thread a stack of its own for signal handlers, so that a stack overflow can be handled.
void prepare_thread_for_faults();

/// Stops the launch of a block and says why.
void report_fault(const Block& block, const Fault& fault, const Fiber& thread);

}  // namespace cuemu
