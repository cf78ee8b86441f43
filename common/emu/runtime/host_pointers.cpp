// Inverts a bit of pointers in a kernel's arguments if the kernel could not access their target on a GPU
// (watch/services.hpp).
#include "host_pointers.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstring>

#include "cuemu/launch.hpp"
#include "memory.hpp"
#include "own_heap.hpp"
#include "services.hpp"
#include "symbols.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

constexpr std::uintptr_t parents_bit = std::uintptr_t{1} << 44, function_bit = std::uintptr_t{1} << 43;
constexpr std::uintptr_t first_page = 4096;
/// Words outside this range are numbers, not pointers to the host's memory. Nearly all doubles and pairs of
/// ints are outside of it.
constexpr std::uintptr_t lowest_of_host = std::uintptr_t{1} << 44, highest_of_host = std::uintptr_t{1} << 47;

std::atomic<bool> any_turned{false};

bool is_device_memory(std::uintptr_t address) {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  Allocation found;
  return in_device_space(address) || find_allocation(pointer, found) || is_symbol_memory(pointer);
}

/// Returns whether an address lies in the thread's local memory or in its block's shared memory, which other grids
/// can't access.
bool is_own_memory(std::uintptr_t address) {
  const auto shared = reinterpret_cast<std::uintptr_t>(current_fiber->block->shared);
  return is_on_stack(*current_fiber, address) || address - shared < arena_bytes();
}

}  // namespace

std::uintptr_t turn_host_bit(std::uintptr_t address) {
  any_turned.store(true, std::memory_order_relaxed);
  return address ^ host_bit;
}

const volatile void* detail::as_device_sees(const volatile void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address < first_page || in_device_space(address)) return pointer;
  // A kernel's string literals and constants are in device memory; only the kernel's local and shared memory is
  // inaccessible to its children. A pointer to the end of an array counts as a pointer to an element.
  const bool reachable =
      in_kernel() ? !is_own_memory(address) : is_device_memory(address) || is_device_memory(address - 1);
  const std::uintptr_t turned = address ^ (in_kernel() ? parents_bit : host_bit);
  if (reachable || !is_mapped(address) || is_mapped(turned)) return pointer;
  any_turned.store(true, std::memory_order_relaxed);
  return reinterpret_cast<const volatile void*>(turned);
}

/// A word has no type. So pointers to code, constants and variables of the program remain unchanged, because they may
/// lead to a `__device__` function or a kernel's string. Pointers to the runtime's own objects remain unchanged, too,
/// because they may be handles, such as texture objects.
void detail::let_device_see(void* object, std::size_t bytes) {
  auto* const bytes_of = static_cast<unsigned char*>(object);
  for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const volatile void* pointer = nullptr;
    std::memcpy(&pointer, bytes_of + at, sizeof pointer);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    Dl_info image;
    if (address < lowest_of_host || address > highest_of_host || !is_mapped(address) ||
        may_be_own(const_cast<const void*>(pointer)) || dladdr(const_cast<const void*>(pointer), &image) != 0)
      continue;
    pointer = as_device_sees(pointer);
    std::memcpy(bytes_of + at, &pointer, sizeof pointer);
  }
}

const volatile void* function_on_host(const volatile void* const function) {
  any_turned.store(true, std::memory_order_relaxed);
  return reinterpret_cast<const volatile void*>(reinterpret_cast<std::uintptr_t>(function) ^ function_bit);
}

Unreachable turned_back(std::uintptr_t address) {
  using Kind = Unreachable::Kind;
  if (!any_turned.load(std::memory_order_relaxed) || is_mapped(address)) return {Kind::nothing, address};
  if (is_mapped(address ^ host_bit)) return {Kind::host_memory, address ^ host_bit};
  if (is_mapped(address ^ parents_bit)) return {Kind::parents_memory, address ^ parents_bit};
  if (is_mapped(address ^ function_bit)) return {Kind::hosts_function, address ^ function_bit};
  return {Kind::nothing, address};
}

}  // namespace cuemu
