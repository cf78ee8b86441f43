// cuda::pipeline: stages of copies that run while the program uses the data of earlier stages.
//
// A pipeline of one thread consists of batches of the thread's own copies, which are complete when their calls return;
// waits are reported to tools. A pipeline that is shared by a block has two barriers for each stage, which order
// producers and consumers.
#pragma once

#include "cuemu/async_barrier.hpp"

namespace cuda {

enum class pipeline_role { producer, consumer };

/// The state shared by a pipeline's threads, in shared or global memory.
template <thread_scope Scope, unsigned char Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  struct Stage {
    barrier<Scope> produced, consumed;
  };
  Stage stages[Stages];
  int producers;
};

template <thread_scope Scope>
class pipeline {
  using Stage = typename pipeline_shared_state<Scope, 1>::Stage;

 public:
  pipeline(Stage* const stages, const unsigned count) : stages_(stages), count_(count) {}
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  /// Waits until the next stage may be filled.
  void producer_acquire() { stages_[head_].consumed.wait_parity(head_parity_); }
  /// Ends the filled stage.
  void producer_commit() {
    static_cast<void>(stages_[head_].produced.arrive());
    advance(head_, head_parity_);
  }
  /// Waits until the oldest stage is filled.
  void consumer_wait() { stages_[tail_].produced.wait_parity(tail_parity_); }
  template <typename Duration>
  bool consumer_wait_for(const Duration&) {
    return stages_[tail_].produced.try_wait_parity(tail_parity_);
  }
  /// Releases the consumed stage.
  void consumer_release() {
    static_cast<void>(stages_[tail_].consumed.arrive());
    advance(tail_, tail_parity_);
  }
  bool quit() { return true; }

 private:
  void advance(unsigned& stage, bool& parity) const {
    if (++stage < count_) return;
    stage = 0;
    parity = !parity;
  }

  Stage* stages_;
  unsigned count_;
  unsigned head_ = 0, tail_ = 0;
  bool head_parity_ = true;  // no stage has been consumed yet, and the phase before the first counts as ended
  bool tail_parity_ = false;
};

/// The pipeline of one thread.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline() = default;
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  void producer_acquire() {}
  void producer_commit() {
    ::cuemu::detail::commit_batch();
    ++committed_;
  }
  /// Waits for the oldest stage that has not been released.
  void consumer_wait() {
    if (released_ < committed_) ::cuemu::detail::wait_for_batches(committed_ - released_ - 1);
  }
  template <typename Duration>
  bool consumer_wait_for(const Duration&) {
    consumer_wait();
    return true;
  }
  void consumer_release() { ++released_; }
  bool quit() { return true; }

 private:
  size_t committed_ = 0, released_ = 0;
};

inline pipeline<thread_scope_thread> make_pipeline() {
  return {};
}

namespace detail {

template <typename Group, thread_scope Scope, unsigned char Stages>
inline pipeline<Scope> pipeline_of(const Group& group, pipeline_shared_state<Scope, Stages>* const state,
                                   const ptrdiff_t producers, const ptrdiff_t consumers) {
  if (group.thread_rank() == 0) {
    for (auto& stage : state->stages) {
      init(&stage.produced, producers);
      init(&stage.consumed, consumers);
    }
  }
  group.sync();
  return pipeline<Scope>(reinterpret_cast<typename pipeline_shared_state<Scope, 1>::Stage*>(state->stages),
                         Stages);
}

}  // namespace detail

/// \name Pipelines of a group: every thread fills and consumes, or the first threads fill and the others consume, or
/// each thread passes its role
/// @{
template <typename Group, thread_scope Scope, unsigned char Stages>
inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* const state) {
  const auto all = static_cast<ptrdiff_t>(group.size());
  return detail::pipeline_of(group, state, all, all);
}
template <typename Group, thread_scope Scope, unsigned char Stages>
inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* const state,
                                     const size_t producers) {
  return detail::pipeline_of(group, state, static_cast<ptrdiff_t>(producers),
                             static_cast<ptrdiff_t>(group.size() - producers));
}
template <typename Group, thread_scope Scope, unsigned char Stages>
inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* const state,
                                     const pipeline_role role) {
  if (group.thread_rank() == 0) __atomic_store_n(&state->producers, 0, __ATOMIC_RELAXED);
  group.sync();
  if (role == pipeline_role::producer) __atomic_fetch_add(&state->producers, 1, __ATOMIC_RELAXED);
  group.sync();
  const ptrdiff_t producers = __atomic_load_n(&state->producers, __ATOMIC_RELAXED);
  return detail::pipeline_of(group, state, producers, static_cast<ptrdiff_t>(group.size()) - producers);
}
/// @}

/// Waits for all stages of the calling thread except the latest Prior ones.
template <unsigned char Prior>
inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
  ::cuemu::detail::wait_for_batches(Prior);
}
/// Makes the end of the barrier's phase depend on the pipeline's copies, which are already complete.
template <thread_scope Scope>
inline void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<Scope>&) {}

namespace detail {
/// The kind of wait for a pipeline's copies. A shared pipeline waits at barriers.
template <thread_scope Scope>
inline constexpr auto awaited = Scope == thread_scope_thread ? ::cuemu::detail::Awaited::in_batches
                                                             : ::cuemu::detail::Awaited::at_barrier;
}  // namespace detail

template <typename Size, thread_scope Scope>
inline void memcpy_async(void* const destination, const void* const source, const Size bytes,
                         pipeline<Scope>&) {
  cuemu::detail::copy_async<detail::awaited<Scope>>(destination, source, static_cast<size_t>(bytes));
}
template <typename Group, typename Size, thread_scope Scope>
inline void memcpy_async(const Group& group, void* const destination, const void* const source,
                         const Size bytes, pipeline<Scope>&) {
  cuemu::detail::copy_share<detail::awaited<Scope>>(destination, source, static_cast<size_t>(bytes),
                                                    group.size(), group.thread_rank());
}

}  // namespace cuda
