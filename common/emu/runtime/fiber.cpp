#include "fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "observer.hpp"
#include "tools.hpp"

namespace cuemu {

namespace {

constexpr std::size_t group_fibers = 32;
constexpr std::size_t default_stack = 64 * 1024;
constexpr std::size_t sanitizer_stack = 256 * 1024;  // instrumented frames are several times larger

std::size_t initial_stack() {
  const char* const wish = std::getenv("CUEMU_STACK_KB");
  const long kilobytes = wish != nullptr ? std::atol(wish) : 0;
  if (kilobytes >= 16 && kilobytes <= 64 * 1024) return static_cast<std::size_t>(kilobytes) * 1024;
  return address_sanitizer() || thread_sanitizer() || is_observed() ? sanitizer_stack : default_stack;
}

std::atomic<std::size_t>& stack_setting() {
  static std::atomic<std::size_t> bytes{initial_stack()};
  return bytes;
}

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Inaccessible bytes below each stack. A stack frame larger than this guard could skip the guard.
constexpr std::size_t guard_bytes = 64 * 1024;

/// Makes the guard inaccessible. Newer Linux kernels can do this without splitting the mapping. On older kernels each
/// guard needs further mappings, and a process may have only 65,530, so only the first stacks get a guard. Valgrind
/// allows 30,000 mappings and doesn't support the new method: at exit it would search the guards for pointers, and each
/// word would raise a signal.
void guard(void* memory) {
  constexpr int guard_install = 102;  // MADV_GUARD_INSTALL
  static std::atomic<int> budget{on_valgrind() ? 4'000 : 16'000};
  if (!on_valgrind() && madvise(memory, guard_bytes, guard_install) == 0) return;
  if (budget.fetch_sub(1, std::memory_order_relaxed) > 0) mprotect(memory, guard_bytes, PROT_NONE);
}

}  // namespace

std::size_t stack_bytes() {
  return stack_setting().load(std::memory_order_relaxed);
}

void set_stack_bytes(std::size_t bytes) {
  const std::size_t rounded = (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
  if (rounded > stack_bytes()) stack_setting().store(rounded, std::memory_order_relaxed);
}

FiberPool::~FiberPool() {
  for (const Group& group : groups_) munmap(group.memory, group.bytes);
}

Fiber* FiberPool::take() {
  if (idle_.empty() && !grow()) return nullptr;
  Fiber* const fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

bool FiberPool::grow() {
  if (stack_bytes_ == 0) stack_bytes_ = stack_bytes();
  const std::size_t stride = stack_bytes_ + guard_bytes;
  const std::size_t bytes = group_fibers * stride;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  groups_.push_back({static_cast<unsigned char*>(memory), bytes});
  for (std::size_t i = 0; i < group_fibers; ++i) {
    unsigned char* const low = groups_.back().memory + i * stride;
    guard(low);
    const std::size_t number = all_.size();
    // The stacks are staggered: if their hot ends shared cache sets, they would evict each other.
    unsigned char* const top = low + stride - (number % 61) * 256 - sizeof(Fiber);
    auto* const fiber = ::new (static_cast<void*>(top - reinterpret_cast<std::uintptr_t>(top) % 64)) Fiber;
    fiber->number = static_cast<std::uint32_t>(number);
    fiber->stack_low = low + guard_bytes;
    register_stack(fiber->stack_low, fiber);
    all_.push_back(fiber);
    reset(*fiber);
  }
  // The order is reversed so that fibers with low numbers are used first and remain in the cache.
  for (std::size_t i = 0; i < group_fibers; ++i) idle_.push_back(all_[all_.size() - 1 - i]);
  return true;
}

void FiberPool::reset(Fiber& fiber) {
  fiber.block = nullptr;
  fiber.promoted = fiber.preemptible = fiber.at_grid = false;
  fiber.cluster_phase = 0;
  fiber.pending = nullptr;
  fiber.wait = Wait::none;
  prepare_stack(fiber, &fiber, entry_);
  if (thread_sanitizer() && fiber.annotation == nullptr) fiber.annotation = __tsan_create_fiber(0);
}

void FiberPool::abandon(const Block& block) {
  for (Fiber* const fiber : all_) {
    if (fiber->block != &block) continue;
    if (std::find(idle_.begin(), idle_.end(), fiber) == idle_.end()) idle_.push_back(fiber);
    reset(*fiber);
  }
}

const Fiber* FiberPool::overflowed(std::uintptr_t address) const {
  for (const Fiber* const fiber : all_) {
    const auto low = reinterpret_cast<std::uintptr_t>(fiber->stack_low);
    if (address < low && address >= low - guard_bytes) return fiber;
  }
  return nullptr;
}

void adopt_thread_stack(Fiber& fiber) {
  if (thread_sanitizer()) fiber.annotation = __tsan_get_current_fiber();
}

namespace {
// AddressSanitizer's data on a stack that is not running: its fake stack, and the bounds of an OS thread's own stack.
// The sanitizer reports these bounds when the thread first leaves the stack.
struct ThreadStack {
  const void* bottom = nullptr;
  std::size_t size = 0;
};
thread_local ThreadStack own_stack;
thread_local bool from_own_stack = false;
}  // namespace

__attribute__((noinline)) void switch_annotated(Fiber& from, Fiber& to) {
  if (thread_sanitizer() && to.annotation != nullptr) __tsan_switch_to_fiber(to.annotation, 0);
  if (!address_sanitizer()) {
    switch_stacks(from, to);
    return;
  }
  void* fake_stack = nullptr;
  const void* bottom = to.stack_low != nullptr ? to.stack_low : own_stack.bottom;
  const std::size_t size = to.stack_low != nullptr
                               ? static_cast<std::size_t>(reinterpret_cast<unsigned char*>(&to) -
                                                          static_cast<unsigned char*>(to.stack_low))
                               : own_stack.size;
  from_own_stack = from.stack_low == nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
  switch_stacks(from, to);
  const void* left_bottom = nullptr;
  std::size_t left_size = 0;
  __sanitizer_finish_switch_fiber(fake_stack, &left_bottom, &left_size);
  if (from_own_stack) own_stack = {left_bottom, left_size};
}

void entered_fiber() {
  if (!address_sanitizer()) return;
  const void* left_bottom = nullptr;
  std::size_t left_size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &left_bottom, &left_size);
  if (from_own_stack) own_stack = {left_bottom, left_size};
}

}  // namespace cuemu
