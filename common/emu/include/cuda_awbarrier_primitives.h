// The C form of barriers in shared memory: __mbarrier_init, __mbarrier_arrive, __mbarrier_test_wait.
#pragma once
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "cuemu/push_macros.hpp"

#include "cuda_runtime.h"
#include "cuemu/async_barrier.hpp"

typedef unsigned long __mbarrier_t;
typedef unsigned long __mbarrier_token_t;

namespace cuemu::detail {
inline cuda::barrier<cuda::thread_scope_block>& barrier_at(__mbarrier_t* const at) {
  return *reinterpret_cast<cuda::barrier<cuda::thread_scope_block>*>(at);
}
}  // namespace cuemu::detail

inline constexpr unsigned __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}
inline void __mbarrier_init(__mbarrier_t* const barrier, const unsigned expected) {
  init(&cuemu::detail::barrier_at(barrier), static_cast<ptrdiff_t>(expected));
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* const barrier) {
  return cuemu::detail::barrier_at(barrier).arrive();
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* const barrier) {
  cuemu::detail::barrier_at(barrier).arrive_and_drop();
  return 0;
}
/// Returns whether the token's phase has ended.
inline bool __mbarrier_test_wait(__mbarrier_t* const barrier, const __mbarrier_token_t token) {
  return cuemu::detail::barrier_at(barrier).try_wait(token);
}
inline bool __mbarrier_test_wait_parity(__mbarrier_t* const barrier, const bool parity) {
  return cuemu::detail::barrier_at(barrier).try_wait_parity(parity);
}

#include "cuemu/pop_macros.hpp"
