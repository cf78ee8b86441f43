// Loops over the threads of a block, for kernels that emucc splits at their barriers.
//
// Such a kernel runs once for each block, on one fiber, and its threads never wait. emucc's fission.hpp documents
// which kernels qualify.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "cuemu/launch.hpp"
#include "cuemu/thread.hpp"

namespace cuemu {

namespace detail {

inline std::size_t threads_of(const dim3& block) {
  return std::size_t{block.x} * block.y * block.z;
}

}  // namespace detail

/// Calls `phase(threadIdx, linear index)` for each thread of a block.
template <class Phase>
__attribute__((always_inline)) inline void for_threads(const dim3 block, Phase&& phase) {
  // From these limits, compilers can derive that indices don't overflow.
  if (block.x > max_block_threads || block.y > max_block_threads || block.z > 64) __builtin_unreachable();
  std::size_t row = 0;
  for (unsigned z = 0; z < block.z; ++z)
    for (unsigned y = 0; y < block.y; ++y) {
      for (unsigned x = 0; x < block.x; ++x) phase(uint3{x, y, z}, row + x);
      row += block.x;
    }
}

/// Runs phases that do nothing for threads that `guard(threadIdx)` rejects. If `guard` accepts all threads of a row,
/// the row runs as a loop without a branch, which compilers vectorise.
template <class Guard, class Phase>
__attribute__((always_inline)) inline void for_guarded_threads(const uint3 block_index, const dim3 block,
                                                               Guard&& guard, Phase&& phase) {
  if (block.x > max_block_threads || block.y > max_block_threads || block.z > 64) __builtin_unreachable();
  std::size_t row = 0;
  for (unsigned z = 0; z < block.z; ++z)
    for (unsigned y = 0; y < block.y; ++y) {
      unsigned passing = 0;
      for (unsigned x = 0; x < block.x; ++x) passing += guard(uint3{x, y, z}) ? 1 : 0;
      if (passing == block.x && block_index.x < near_blocks && block_index.y < 65536 &&
          block_index.z < 65536) {
        for (unsigned x = 0; x < block.x; ++x) {
          if (!guard(uint3{x, y, z})) __builtin_unreachable();
          phase(uint3{x, y, z}, row + x);
        }
      } else if (passing != 0) {
        for (unsigned x = 0; x < block.x; ++x) phase(uint3{x, y, z}, row + x);
      }
      row += block.x;
    }
}

/// Runs phases that begin with `if (threadIdx.x == x)` and do nothing for other threads.
template <class X, class Phase>
__attribute__((always_inline)) inline void for_column(const dim3 block, const X& x, Phase&& phase) {
  if constexpr (std::is_integral_v<X>) {
    const auto column =
        static_cast<unsigned>(x);  // if this conversion changes the number, the phase's own condition decides
    if (column < block.x)
      for_threads(
          dim3(1, block.y, block.z), [&](const uint3 index, const std::size_t row)
                                         __attribute__((always_inline)) {
                                           phase(uint3{column, index.y, index.z}, row * block.x + column);
                                         });
  } else {
    for_threads(block, phase);  // x may be fractional
  }
}

/// Runs phases in which a called function may read the thread's index.
template <class Phase>
__attribute__((always_inline)) inline void for_known_threads(const dim3 block, Phase&& phase) {
  Fiber& fiber = *current_fiber;
  for_threads(
      block, [&](const uint3 index, const std::size_t linear) __attribute__((always_inline)) {
        fiber.thread_index = index;
        fiber.linear = static_cast<std::uint32_t>(linear);
        phase(index, linear);
      });
  fiber.linear = no_thread;
}

/// Returns an array of raw memory with one element for each thread of the block.
template <class T>
inline auto values_for_threads(unsigned slot, const dim3& block) {
  static_assert(alignof(T) <= 64, "a local variable's alignment is at most 64 bytes");
  return static_cast<std::remove_cv_t<T>*>(
      detail::thread_storage(slot, sizeof(T) * detail::threads_of(block)));
}

/// Stores a thread's value for later phases.
template <class T>
inline void keep(T& to, const T& value) {
  ::new (static_cast<void*>(&to)) T(value);
}
template <class T, std::size_t N>
inline void keep(T (&to)[N], const T (&value)[N]) {
  for (std::size_t i = 0; i < N; ++i) keep(to[i], value[i]);
}

/// Returns an array with a copy of a parameter for each thread of the block. As on a GPU, the parameter's bytes are
/// copied, and no copy constructor runs for a thread.
template <class T>
inline T* copies_for_threads(unsigned slot, const T& value, const dim3& block) {
  T* const copies = values_for_threads<T>(slot, block);
  for (std::size_t i = 0; i < detail::threads_of(block); ++i)
    __builtin_memcpy(static_cast<void*>(copies + i), static_cast<const void*>(&value), sizeof(T));
  return copies;
}

/// Begins the lifetime of a variable that was declared without a value.
template <class T>
inline T& begin_life(T& variable) {
  if constexpr (!std::is_trivially_default_constructible_v<T> && !std::is_array_v<T>)
    ::new (static_cast<void*>(&variable)) T;
  return variable;
}

/// Returns an array that stores for each thread whether it has not returned; all elements are true at first.
inline bool* all_alive(const dim3& block) {
  bool* const alive = values_for_threads<bool>(0, block);
  std::memset(alive, 1, detail::threads_of(block));
  return alive;
}

/// Returns whether at least one thread has not returned.
inline bool some_alive(const bool* alive, const dim3& block) {
  return std::memchr(alive, 1, detail::threads_of(block)) != nullptr;
}

}  // namespace cuemu

/// \name Counting barriers. emucc splits such a barrier into two phases: first each thread votes, then all threads read
/// the number of votes
/// @{
inline void cuemu_vote(int& votes, const int yes) {
  votes += yes != 0 ? 1 : 0;
}
inline int cuemu_votes(int& votes) {
  const int all = votes;
  votes = 0;  // for the barrier's next use
  return all;
}
/// @}

/// \name Queries of groups; emucc's analyses know these names
/// @{
/// The thread's number in its block.
inline unsigned cuemu_thread_rank(const uint3 thread, const dim3 block) {
  return (thread.z * block.y + thread.y) * block.x + thread.x;
}
/// Returns the lanes of the thread's tile.
inline unsigned cuemu_tile_mask(const uint3 thread, const dim3 block, const unsigned size) {
  return 0xffffffffu >> (32 - size) << (cuemu_thread_rank(thread, block) % 32 & ~(size - 1));
}
/// @}
