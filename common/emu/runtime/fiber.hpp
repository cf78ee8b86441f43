// Fibers and their stacks: made in groups, kept for the life of their worker, each below a guard page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuemu/thread.hpp"
#include "tools.hpp"

namespace cuemu {

/// Lays out a fresh stack so that the first switch to `fiber` calls `entry`. `top` is a multiple of 64.
void prepare_stack(Fiber& fiber, void* top, void (*entry)());
#if defined(__x86_64__)
/// Saves the running context in `from` and goes on where `to` stopped. Does not touch current_fiber.
///
/// In place, so that the compiler saves what is still needed and nothing else, and that calls and returns
/// stay paired: processors predict returns by counting calls, and a switch within a function of its own, left
/// by a jump, makes the next return a surprise.
/// (The stack below the pointer must not be in use: -mno-red-zone.)
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
/// Saves the running context in `from` and goes on where `to` stopped. Does not touch current_fiber.
void switch_stacks(Fiber& from, Fiber& to);
#endif

/// The switch of programs with a sanitizer, which has to be told.
void switch_annotated(Fiber& from, Fiber& to);

/// Makes `to` the current fiber and switches.
__attribute__((always_inline)) inline void switch_fiber(Fiber& from, Fiber& to) {
  current_fiber = &to;
  if (__builtin_expect(address_sanitizer() || thread_sanitizer(), 0))
    switch_annotated(from, to);
  else
    switch_stacks(from, to);
}
/// To be called first thing on a fiber that was just entered for the first time.
void entered_fiber();
/// Gives `fiber`, which stands for an operating-system thread's own stack, to the sanitizers.
void adopt_thread_stack(Fiber& fiber);

/// The stacks of one worker.
class FiberPool {
 public:
  explicit FiberPool(void (*entry)()) : entry_(entry) {}
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber that works for nobody; null when there is no memory for its stack.
  Fiber* take();
  void give_back(Fiber& fiber) { idle_.push_back(&fiber); }
  /// Drops whatever `block`'s fibers were doing and makes them idle again.
  void abandon(const Block& block);
  /// The fiber whose guard page holds `address`, or null. Safe in signal handlers.
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

/// Bytes of a fiber's stack: 64 KiB, or CUEMU_STACK_KB, or what cudaDeviceSetLimit asked for if that is more.
std::size_t stack_bytes();
void set_stack_bytes(std::size_t bytes);

}  // namespace cuemu
