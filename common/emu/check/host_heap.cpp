// The table has a number for every 16 bytes of addresses: 0, or 1 + the length of the block that begins
// there. It consists of windows, each of which is created when the first block begins in it. To record a
// block takes two loads and a store. A look-up searches backwards from an address for the beginning of a
// block; only copies need look-ups.
#include "host_heap.hpp"

#ifndef __SANITIZE_ADDRESS__

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
void cuemu_host_free(void*);
// The functions are weak, so that a program may replace them.
__attribute__((weak)) void free(void*) noexcept;
}

namespace cuemu::check {

namespace {

using Number = std::atomic<std::uint32_t>;
constexpr std::uint32_t too_long = ~0u;  ///< the length of a block that is not checked

constexpr unsigned unit_bits = 4, window_bits = 20, part_bits = 14, address_bits = 48;
constexpr std::uintptr_t window_bytes = std::uintptr_t{1} << window_bits;
constexpr std::size_t units = std::size_t{1} << (window_bits - unit_bits);
constexpr std::size_t parts = std::size_t{1} << part_bits;
static_assert(window_bits + 2 * part_bits == address_bits);

struct Window {
  Number of_unit[units];
};
struct Part {
  std::atomic<Window*> windows[parts];
};
std::atomic<Part*> all[parts];
std::atomic<std::size_t> longest{0};  ///< the longest block so far

/// Returns a zeroed T that lives as long as the program. Pages take memory only when they are touched. If
/// several threads call this function, only the first creates the object.
template <class T>
T* made(std::atomic<T*>& place) {
  void* const memory =
      mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  T* present = nullptr;
  if (place.compare_exchange_strong(present, static_cast<T*>(memory))) return static_cast<T*>(memory);
  munmap(memory, sizeof(T));
  return present;
}

Window* window_of(std::uintptr_t address, bool make) {
  if (address >> address_bits != 0) return nullptr;
  std::atomic<Part*>& place = all[address >> (window_bits + part_bits)];
  Part* part = place.load();
  if (part == nullptr && (!make || (part = made(place)) == nullptr)) return nullptr;
  std::atomic<Window*>& in_part = part->windows[(address >> window_bits) % parts];
  Window* const window = in_part.load();
  return window != nullptr || !make ? window : made(in_part);
}

std::size_t unit_of(std::uintptr_t address) {
  return address % window_bytes >> unit_bits;
}

void note(const void* block, std::uint32_t number) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (Window* const window = window_of(address, true); window != nullptr)
    window->of_unit[unit_of(address)].store(number, std::memory_order_relaxed);
}

/// Records a block that the C library has allocated, and returns it.
void* given(void* block, std::size_t bytes) {
  if (block == nullptr) return nullptr;
  note(block, bytes < too_long - 1 ? static_cast<std::uint32_t>(bytes) + 1 : too_long);
  for (std::size_t before = longest.load(std::memory_order_relaxed);
       before < bytes && !longest.compare_exchange_weak(before, bytes);)
    continue;
  return block;
}

/// Removes a block before the library can give it to another thread.
/// @return the number that was recorded for the block
std::uint32_t taken_back(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  Window* const window = window_of(address, false);
  return window != nullptr ? window->of_unit[unit_of(address)].exchange(0, std::memory_order_relaxed) : 0;
}

std::atomic<bool (*)(const void*)> foreign_free{nullptr};

/// Calls the handler if the table does not contain a freed address.
void look_at_freed(const void* block, std::uint32_t number) {
  if (number != 0 || block == nullptr) return;
  const auto ends_program = foreign_free.load(std::memory_order_relaxed);
  if (ends_program == nullptr || !ends_program(block)) return;
  constexpr char words[] = "free(): invalid pointer\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, words, sizeof words - 1);
  std::abort();
}

bool is_power_of_two(std::size_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

}  // namespace

void watch_foreign_frees(bool (*ends_program)(const void* address)) {
  foreign_free.store(ends_program);
}

HostBlock host_block_at(const void* pointer) {
  if (&::free != &cuemu_host_free) return {};  // the program defines free()
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::uintptr_t lowest = address - std::min<std::uintptr_t>(address, longest.load());
  for (std::uintptr_t window_begin = address / window_bytes * window_bytes;; window_begin -= window_bytes) {
    const Window* const window = window_of(window_begin, false);
    const std::size_t last = address - window_begin < window_bytes ? unit_of(address) : units - 1;
    for (std::size_t unit = window != nullptr ? last + 1 : 0; unit-- > 0;) {
      const std::uint32_t number = window->of_unit[unit].load(std::memory_order_relaxed);
      if (number == 0) continue;
      const HostBlock block{window_begin + (unit << unit_bits), number - 1};
      const bool inside = address < block.end() || address == block.begin;
      return inside && number != too_long ? block : HostBlock{};
    }
    if (window_begin <= lowest) return {};
  }
}

}  // namespace cuemu::check

using cuemu::check::given;
using cuemu::check::is_power_of_two;
using cuemu::check::look_at_freed;
using cuemu::check::note;
using cuemu::check::taken_back;

#define CUEMU_WEAK __attribute__((weak))

extern "C" {

void cuemu_host_free(void* block) {
  look_at_freed(block, taken_back(block));
  __libc_free(block);
}
CUEMU_WEAK __attribute__((alias("cuemu_host_free"))) void free(void* block) noexcept;

CUEMU_WEAK void* malloc(std::size_t bytes) noexcept {
  return given(__libc_malloc(bytes), bytes);
}

CUEMU_WEAK void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return given(__libc_calloc(count, bytes), count * bytes);
}

CUEMU_WEAK void* realloc(void* block, std::size_t bytes) noexcept {
  const std::uint32_t before = block != nullptr ? taken_back(block) : 0;
  void* const result = __libc_realloc(block, bytes);
  if (result == nullptr && before != 0 && bytes != 0) note(block, before);  // the block is unchanged
  return given(result, bytes);
}

CUEMU_WEAK void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return given(__libc_memalign(alignment, bytes), bytes);
}

CUEMU_WEAK void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return given(__libc_memalign(alignment, bytes), bytes);
}

CUEMU_WEAK int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) noexcept {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* const block = given(__libc_memalign(alignment, bytes), bytes);
  errno = before;
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}
}

#else  // AddressSanitizer replaces malloc(), and knows its blocks

#include <sanitizer/asan_interface.h>

#include <cstring>

namespace cuemu::check {

void watch_foreign_frees(bool (*)(const void*)) {}

HostBlock host_block_at(const void* pointer) {
  char name[1];
  void* begin = nullptr;
  std::size_t bytes = 0;
  const char* const kind =
      __asan_locate_address(const_cast<void*>(pointer), name, sizeof name, &begin, &bytes);
  if (std::strcmp(kind, "heap") != 0) return {};
  return {reinterpret_cast<std::uintptr_t>(begin), bytes};
}

}  // namespace cuemu::check

#endif
