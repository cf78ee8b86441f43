// Decides which operations are ordered: operations of streams with each other, and with the host's actions.
//
// Every stream is a queue of operations (launches, copies, fills, host functions), which are numbered in
// sequence. The host with all its threads is queue 0; its number increases with each operation that it
// queues. An operation *knows* a number for each queue: everything up to that number has ended when the
// operation begins. An operation acquires this knowledge from its stream's order, from events, from the rules
// of the legacy default stream, and from what the host waited for before it queued the operation. The time at
// which anything ran is never used.
//
// A grid that a kernel launches is an operation in a queue of its own kind. It knows everything that the
// kernel knew, and everything that the launching thread had done and known (LaunchPoint in clocks.hpp).
//
// Accesses are marked with an *era*: the number of one launch, one copy, or a span of the host's time.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuemu/thread.hpp"
#include "shadow.hpp"
#include "views.hpp"

namespace cuemu::check {

/// How the operations of a queue are ordered with other queues.
enum class QueueKind { host, legacy, blocking, non_blocking, graph, child };

struct LaunchPoint;  // clocks.hpp

struct Operation {
  std::uint32_t queue = 0;
  std::uint32_t number = 0;
  QueueKind kind = QueueKind::host;
  std::vector<std::uint32_t> knows;  ///< the known number of each queue
  std::vector<std::shared_ptr<Operation>>
      after;                 ///< the operations before it, until it begins: they may learn more as they run
  std::vector<void*> stack;  ///< the location of the host's call, or of a kernel's launch
  std::shared_ptr<const LaunchPoint> launched_at;  ///< for a grid that a kernel launched
  std::uint32_t host_era = 0;                      ///< the era of host code that runs in it; 0: none yet
  std::uint32_t host_epoch = 0;                    ///< the epoch of that era in shadow memory
};
using OperationPtr = std::shared_ptr<Operation>;

/// The kind of an era.
enum class Doing { kernel, copy, fill, host, host_function };
struct Era {
  Doing doing = Doing::host;
  QueueKind kind = QueueKind::host;
  std::string kernel;
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::vector<void*> stack;
};

/// The operation that a marker ends; null if it is unknown.
inline const Operation* operation_of(const Marker& marker) {
  return static_cast<const Operation*>(marker.observed[ToolSlot::checker].get());
}

class Timeline {
 public:
  static Timeline& get();

  /// \name Events of the runtime (see Observer)
  /// @{
  void queued(const StreamView& stream, Marker& end, const std::vector<MarkerPtr>& after);
  void begins(Marker& end);
  void ends();
  /// A host function may release host code by a flag, a lock or a thread, and the checker sees none of these.
  /// So the host is assumed to know everything that happened before the function, but not the function's own
  /// actions.
  void host_function_begins();
  void node_begins(std::size_t node, const std::vector<std::size_t>& after);
  void graph_ends();
  void child_begins(std::shared_ptr<const LaunchPoint> launched_at);
  void child_ends();
  void children_ended();
  void recorded(Marker& end);
  void waited(const Marker& end);
  void waited_for_all();
  /// @}

  /// Whether the host has waited for this operation, or for a later one of its queue.
  bool host_knows(const Marker& end);
  bool host_knows(std::uint32_t queue, std::uint32_t number);
  /// Whether `other` had ended when `me` began; `me` must have begun.
  bool knows(const Operation& me, const Operation& other);
  /// Returns what the calling thread runs: an operation of a stream, or the host's own time.
  Operation& now();
  bool in_operation() const;

  /// Begins an era for a launch, a part of a launch, a copy or a fill by the calling thread.
  /// @param forget_all called when all numbers are used, and start from 1 again
  template <class ForgetAll>
  std::uint32_t begin_era(Era era, const ForgetAll& forget_all) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (eras_.size() + 1 >= most_eras) {  // marks of old eras would seem to belong to new eras
      forget_all();
      eras_.clear();
      host_.host_era = 0;
    }
    return add_era(now(), std::move(era));
  }
  /// Returns the era of the host code that the calling thread runs.
  std::uint32_t host_era();
  /// Returns the epoch of that era in shadow memory. Call host_era() first.
  std::uint32_t host_epoch() { return now().host_epoch; }

  /// Called when the epochs of shadow memory start from the beginning again.
  void forget_epochs();

  /// Whether everything in the era has ended when `me` begins.
  bool saw(const Operation& me, std::uint32_t era) const {
    if (era > most_eras) return true;  // outside kernels, before anything was watched
    const Place place = places_[era];
    return place.queue < me.knows.size() && me.knows[place.queue] >= place.number;
  }
  /// saw() for the calling thread's current operation.
  bool saw_here(std::uint32_t era);
  /// Whether `me` knows all operations that other queues contain.
  bool knows_all(const Operation& me);
  /// Returns the knowledge of the calling thread, by queue.
  std::vector<std::uint32_t> knowledge();
  /// Adds the era and its knowledge to `me`, which has read a value that was released in that era.
  void learn(Operation& me, std::uint32_t era, const std::vector<std::uint32_t>& knew);
  /// Whether all operations that are queued later will know the era.
  bool is_settled(std::uint32_t era);
  Era era(std::uint32_t number);

 private:
  static constexpr std::uint32_t most_eras = 1u << 20;
  struct Place {
    std::uint32_t queue;
    std::uint32_t number;
  };
  Timeline();
  std::uint32_t add_era(Operation& me, Era era);

  std::mutex mutex_;
  Operation host_;
  std::vector<std::uint32_t> last_;  ///< the last queued operation of each queue
  std::vector<Era> eras_;            ///< the eras from era 1 on
  Place* const places_;              ///< the place of each era
};

}  // namespace cuemu::check
