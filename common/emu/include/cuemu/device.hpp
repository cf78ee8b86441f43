// Device functions besides arithmetic, atomics and warp functions: barriers of the block, clocks, traps.
#pragma once

#include <time.h>

#include "cuemu/launch.hpp"

/// Waits until every thread of the block that has not returned has arrived.
inline void __syncthreads(::cuemu::SourceLine where = ::cuemu::SourceLine::here()) {
  ::cuemu::block_barrier(where);
}
/// Block barrier; returns the number of threads with a nonzero predicate.
inline int __syncthreads_count(int predicate, ::cuemu::SourceLine where = ::cuemu::SourceLine::here()) {
  return ::cuemu::block_barrier_count(predicate, where);
}
/// Block barrier; returns whether all threads have a nonzero predicate.
inline int __syncthreads_and(int predicate, ::cuemu::SourceLine where = ::cuemu::SourceLine::here()) {
  return ::cuemu::block_barrier_and(predicate, where);
}
/// Block barrier; returns whether any thread has a nonzero predicate.
inline int __syncthreads_or(int predicate, ::cuemu::SourceLine where = ::cuemu::SourceLine::here()) {
  return ::cuemu::block_barrier_or(predicate, where);
}

/// Ends the kernel with cudaErrorLaunchFailure.
[[noreturn]] inline void __trap() {
  ::cuemu::device_trap();
}
/// A breakpoint. It has no effect without a debugger.
inline void __brkpt() {}

/// Lets other threads run once. The emulation ignores the number of nanoseconds.
inline void __nanosleep(unsigned) {
  ::cuemu::yield();
}

/// \name Programmatic dependent launch
/// The next launch of the stream may begin before this launch ends. Here it begins after this launch, as on a fully
/// occupied GPU.
/// @{
/// This block allows the next launch to begin.
inline void cudaTriggerProgrammaticLaunchCompletion() {}
/// Waits until the previous launches have ended and their writes are visible.
inline void cudaGridDependencySynchronize() {}
/// @}

namespace cuemu {
/// `malloc` and `free` of device code use the device's heap, whose size cudaLimitMallocHeapSize sets. In host code they
/// are the functions of the C library, except that memory of the device's heap is returned to that heap.
void* device_malloc(std::size_t bytes);
void device_free(void* memory);

/// Returns the nanoseconds of a steady clock, which represents the clock of a multiprocessor.
long long device_clock();
/// The function `clock()` for code that may be device code. Returns the low bits of device_clock() in a kernel, and the
/// host's clock in host code.
inline clock_t clock() {
  return in_kernel() ? static_cast<clock_t>(static_cast<std::uint32_t>(device_clock())) : ::clock();
}
}  // namespace cuemu
inline long long clock64() {
  return ::cuemu::device_clock();
}
inline unsigned long long globaltimer() {
  return static_cast<unsigned long long>(::cuemu::device_clock());
}

/// \name Memory spaces of an address
/// @{
inline unsigned __isShared(const void* pointer) {
  const ::cuemu::Block& block = *::cuemu::current_fiber->block;
  const unsigned char* const at = static_cast<const unsigned char*>(pointer);
  return at >= block.shared && at < block.dynamic_shared + 256 * 1024;
}
inline unsigned __isLocal(const void* pointer) {
  const ::cuemu::Fiber* const fiber = ::cuemu::current_fiber;
  return pointer >= fiber->stack_low && pointer < static_cast<const void*>(fiber);
}
inline unsigned __isGlobal(const void* pointer) {
  return __isShared(pointer) == 0 && __isLocal(pointer) == 0;
}
inline unsigned __isConstant(const void*) {
  return 0;
}
inline unsigned __isGridConstant(const void*) {
  return 0;
}
inline unsigned __isCtaShared(const void* pointer) {
  return __isShared(pointer);
}
inline unsigned __isClusterShared(const void* pointer) {
  return __isShared(pointer);
}
/// Converts an address in the block's shared memory to a number that fits 32 bits, and back.
inline size_t __cvta_generic_to_shared(const void* pointer) {
  return static_cast<size_t>(static_cast<const unsigned char*>(pointer) -
                             ::cuemu::current_fiber->block->shared);
}
inline void* __cvta_shared_to_generic(size_t offset) {
  return ::cuemu::current_fiber->block->shared + offset;
}
/// @}
