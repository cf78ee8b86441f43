// Loads and stores with cache hints, and functions that let compilers assume something.
// accesses.
#pragma once

/// Read-only and cached loads. __ldg reads through the read-only cache; ca, cg, cs, lu and cv select a caching policy.
#define CUEMU_LOAD(NAME)                    \
  template <typename Value>                 \
  inline Value NAME(const Value* address) { \
    return *address;                        \
  }
CUEMU_LOAD(__ldg)
CUEMU_LOAD(__ldca)
CUEMU_LOAD(__ldcg)
CUEMU_LOAD(__ldcs)
CUEMU_LOAD(__ldlu)
#undef CUEMU_LOAD

/// Reads memory at each call, because another thread may have written it.
template <typename Value>
inline Value __ldcv(const Value* address) {
  asm volatile("" : : : "memory");
  return *address;
}

namespace cuemu::detail {
/// A type that takes no part in template argument deduction: the stored value is converted to the pointer's type.
template <typename Value>
struct Same {
  using type = Value;
};
}  // namespace cuemu::detail

/// Stores by caching policy.
#define CUEMU_STORE(NAME)                                                                   \
  template <typename Value>                                                                 \
  inline void NAME(Value* address, const typename cuemu::detail::Same<Value>::type value) { \
    *address = value;                                                                       \
  }
CUEMU_STORE(__stwb)
CUEMU_STORE(__stcg)
CUEMU_STORE(__stcs)
CUEMU_STORE(__stwt)
#undef CUEMU_STORE

// g++ has no __builtin_assume.
#if !defined(__clang__)
#define __builtin_assume(condition) ((condition) ? static_cast<void>(0) : __builtin_unreachable())
#endif
#define __assume(condition) __builtin_assume(condition)

/// Converts an address within one memory space to a generic address, and back.
#define CUEMU_ADDRESS_SPACE(SPACE)                                     \
  inline size_t __cvta_generic_to_##SPACE(const void* const address) { \
    return reinterpret_cast<size_t>(address);                          \
  }                                                                    \
  inline void* __cvta_##SPACE##_to_generic(const size_t address) {     \
    return reinterpret_cast<void*>(address);                           \
  }
CUEMU_ADDRESS_SPACE(global)
CUEMU_ADDRESS_SPACE(constant)
CUEMU_ADDRESS_SPACE(local)
CUEMU_ADDRESS_SPACE(grid_constant)
#undef CUEMU_ADDRESS_SPACE

/// Increments one of the profiler's counters 0 … 7. The emulation has no such counters.
inline void __prof_trigger(int) {}
