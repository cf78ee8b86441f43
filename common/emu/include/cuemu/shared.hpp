// Shared memory: each block has an arena, in which variables have real offsets and limits.
//
// Each `__shared__` declaration is an instantiation of shared<T, Tag>(). A variable gets its permanent offset in a
// kernel when the kernel first accesses the variable. The arena is filled with a pattern when a block begins. Dynamic
// shared memory ends just before a guard page, so that an overrun stops the kernel (with a large alignment, a few bytes
// later).
#pragma once

#include "cuemu/thread.hpp"

namespace cuemu {

namespace detail {

/// Returns a unique number for each shared variable of the program. @param description its type and tag as the compiler
/// spells them; the pointer is stored
unsigned new_shared_slot(const char* description);
/// Gives the variable `slot` its position in the running kernel and makes it usable; returns its offset.
std::uint32_t place_shared(unsigned slot, std::uint32_t bytes, std::uint32_t alignment);

/// Returns the address of a shared variable of the calling thread's block.
inline unsigned char* shared_variable(unsigned slot, std::uint32_t bytes, std::uint32_t alignment) {
  const Block& block = *current_fiber->block;
  // Blocks on other workers may place the variable concurrently, at the same offset.
  std::uint32_t offset = __atomic_load_n(&block.shared_offset[slot], __ATOMIC_RELAXED);
  if (__builtin_expect(offset + bytes > block.shared_ready, 0)) offset = place_shared(slot, bytes, alignment);
  return block.shared + offset;
}
/// Find shared variables and dynamic shared memory by calls of the runtime, for code that reports each access.
unsigned char* find_shared_variable(const unsigned& slot, std::uint32_t bytes, std::uint32_t alignment);
unsigned char* find_dynamic_shared();

template <class T, class Tag>
struct SharedSlot {
  static const char* description() { return __PRETTY_FUNCTION__; }
  static inline const unsigned number = new_shared_slot(description());
};

}  // namespace detail

/// Returns the shared variable of the calling thread's block that `Tag` identifies. Throws no exception; ends the
/// kernel with a message if the kernel's shared variables exceed the device's limit.
template <class T, class Tag>
inline T& shared() {
  static_assert(sizeof(T) <= 48 * 1024,
                "static shared memory is limited to 48 KiB (0xc000 bytes); use extern __shared__");
#ifdef CUEMU_WATCHED
  constexpr auto where = &detail::find_shared_variable;
#else
  constexpr auto where = &detail::shared_variable;
#endif
  return *reinterpret_cast<T*>(where(detail::SharedSlot<T, Tag>::number, sizeof(T), alignof(T)));
}

namespace detail {
/// Returns the alignment that an `alignas` requires; its argument is a type or a number.
template <class T>
constexpr std::size_t alignment() {
  return alignof(T);
}
template <std::size_t Bytes>
constexpr std::size_t alignment() {
  return Bytes;
}
/// Lets dynamic shared memory begin at a multiple of `alignment`, or of a greater alignment that another declaration of
/// the program requires.
bool align_dynamic_shared(std::size_t alignment);
template <std::size_t Alignment>
struct DynamicAlignment {
  static inline const bool is_known = align_dynamic_shared(Alignment);
};

template <class T>
struct DynamicShared;
template <class T>
struct DynamicShared<T[]> {
  using Type = T[];
};
template <class T, std::size_t N>
struct DynamicShared<T[N]> {
  using Type = T[N];
};
}  // namespace detail

/// Returns the block's dynamic shared memory as an array of unknown bound: `dynamic_shared<float[]>()`. It is aligned
/// to 16 bytes, or to more if required.
template <class Array, std::size_t Alignment = 16>
inline typename detail::DynamicShared<Array>::Type& dynamic_shared() {
  using Type = typename detail::DynamicShared<Array>::Type;
  if constexpr (Alignment > 16) static_cast<void>(&detail::DynamicAlignment<Alignment>::is_known);
#ifdef CUEMU_WATCHED
  return *reinterpret_cast<Type*>(detail::find_dynamic_shared());
#else
  return *reinterpret_cast<Type*>(current_fiber->block->dynamic_shared);
#endif
}

}  // namespace cuemu
