// Fibers and their stacks. Stacks are allocated in groups and live as long as their worker. An inaccessible guard lies
// below each stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuemu/thread.hpp"
#include "tools.hpp"

namespace cuemu {

/// Prepares a fresh stack so that the first switch to `fiber` calls `entry`. `top` is a multiple of 64.
void prepare_stack(Fiber& fiber, void* top, void (*entry)());
#if defined(__x86_64__)
/// Saves the running context in `from` and resumes `to`. Does not touch current_fiber.
///
/// This function is inlined, so that the compiler saves only live registers and calls stay paired with returns.
/// Processors predict returns by matching them with calls. If the switch were a separate function that is left by a
/// jump, the next return would be mispredicted. (The stack below the stack pointer must not be in use: -mno-red-zone.)
__attribute__((always_inline)) inline void switch_stacks(Fiber& from, Fiber& to) {
  void** save = &from.stack_pointer;
  void* load = to.stack_pointer;
  asm volatile(
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %1, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmp *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      : "+D"(save), "+S"(load)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15", "cc", "memory");
}
#else
/// Saves the running context in `from` and resumes `to`. Does not touch current_fiber.
void switch_stacks(Fiber& from, Fiber& to);
#endif

/// Switches stacks in programs with a sanitizer, which must be notified of each switch.
void switch_annotated(Fiber& from, Fiber& to);

/// Makes `to` the current fiber and switches.
__attribute__((always_inline)) inline void switch_fiber(Fiber& from, Fiber& to) {
  current_fiber = &to;
  if (__builtin_expect(address_sanitizer() || thread_sanitizer(), 0))
    switch_annotated(from, to);
  else
    switch_stacks(from, to);
}
/// Must be the first call on a fiber that runs for the first time.
void entered_fiber();
/// Registers `fiber`, which represents an operating-system thread's stack, with the sanitizers.
void adopt_thread_stack(Fiber& fiber);

/// The stacks of one worker.
class FiberPool {
 public:
  explicit FiberPool(void (*entry)()) : entry_(entry) {}
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// Returns an idle fiber; null if there is no memory for its stack.
  Fiber* take();
  void give_back(Fiber& fiber) { idle_.push_back(&fiber); }
  /// Discards the state of `block`'s fibers and makes them idle.
  void abandon(const Block& block);
  /// Returns the fiber whose guard page holds `address`, or null. Safe in signal handlers.
  const Fiber* overflowed(std::uintptr_t address) const;

 private:
  struct Group {
    unsigned char* memory;
    std::size_t bytes;
  };
  bool grow();
  void reset(Fiber& fiber);

  void (*entry_)();
  std::vector<Fiber*> idle_;
  std::vector<Fiber*> all_;
  std::vector<Group> groups_;
  std::size_t stack_bytes_ = 0;
};

/// Returns the size in bytes of a fiber's stack: CUEMU_STACK_KB, or 64 KiB (256 KiB with a sanitizer or a tool), or the
/// value of cudaDeviceSetLimit if it is greater.
std::size_t stack_bytes();
void set_stack_bytes(std::size_t bytes);

}  // namespace cuemu
