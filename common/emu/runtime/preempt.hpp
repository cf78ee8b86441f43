// Interrupting CUDA threads that run for long, so that a thread which spins on memory cannot keep those that
// it waits for from running.
//
// A signal tells a worker that its CUDA thread has run for more than a tick.
// The handler runs on that thread's own stack and switches to another fiber from there:
// the kernel has saved the whole state of the processor in the signal's frame, and restores it when
// the fiber is resumed and the handler returns. That is safe only while the kernel's own code runs:
// not in the C library, which may hold a lock, nor in the emulation.
#pragma once

#include <cstdint>

namespace cuemu {

/// The code of one program or shared library.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool contains(std::uintptr_t address) const { return address >= begin && address < end; }
};

/// Where the code of the object lies that holds `function`, empty where its code must not be interrupted.
CodeRange interruptible_code(std::uintptr_t function);

/// The signal; where there is none (under ThreadSanitizer, which runs handlers late), 0.
int preempt_signal();
void install_preemption();

/// Called in the handler: gives way to other threads, and returns when it is this one's turn again.
void preempt();

}  // namespace cuemu
