// Fibers and their stacks: made in groups, kept for the life of their worker, each below a guard page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuemu/thread.hpp"

namespace cuemu {

/// Lays out a fresh stack so that the first switch to `fiber` calls `entry`. `top` is a multiple of 64.
void prepare_stack(Fiber& fiber, void* top, void (*entry)());
/// Saves the running context in `from` and goes on where `to` stopped. Does not touch current_fiber.
void switch_stacks(Fiber& from, Fiber& to);

/// Makes `to` the current fiber and switches; tells the sanitizers, where the program has one.
void switch_fiber(Fiber& from, Fiber& to);
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
