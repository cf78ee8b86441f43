// Preemption of long-running CUDA threads: a thread that spins on memory must not starve the threads that it waits for.
//
// A signal interrupts a worker whose CUDA thread has run for more than a tick. The handler runs on that thread's stack
// and switches to another fiber. Linux has saved the processor's whole state in the signal's frame, and restores this
// state when the fiber is resumed and the handler returns. This is safe only in the kernel's own code, not in the
// emulation or the C library, which may hold a lock.
#pragma once

#include <cstdint>

namespace cuemu {

/// The code of one program or shared library.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool contains(std::uintptr_t address) const { return address >= begin && address < end; }
};

/// Returns the code range of the object that contains `function`; empty if the object's code must not be interrupted.
CodeRange interruptible_code(std::uintptr_t function);

/// Returns the signal's number; 0 without preemption (under ThreadSanitizer, which delays handlers).
int preempt_signal();
void install_preemption();

/// Called in the handler. Yields to other threads, and returns when this thread runs again.
void preempt();

}  // namespace cuemu
