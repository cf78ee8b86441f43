// Which operations are ordered: those of streams among each other, and with what the host does.
//
// Every stream is a queue of operations (launches, copies, fills, host functions), numbered one by one; the
// host, all its threads together, is queue 0, and its number grows with each operation that it queues. What
// an operation *knows* is a number for each queue: everything up to it is over when the operation begins. It
// follows from the order of the stream, from events, from the rules of the legacy default stream and from
// what the host had waited for when it queued the operation; never from the time at which anything ran.
//
// A grid that a kernel launched is an operation in a queue of its own kind. It knows what the kernel knew, and of the
// kernel itself what the launching thread had done and known (LaunchPoint in clocks.hpp).
//
// Accesses are marked with an *era*, a small number that stands for one launch,
// one copy, or a stretch of the host's time.
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

/// How a queue relates to others.
enum class QueueKind { host, legacy, blocking, non_blocking, graph, child };

struct LaunchPoint;  // clocks.hpp

struct Operation {
  std::uint32_t queue = 0;
  std::uint32_t number = 0;
  QueueKind kind = QueueKind::host;
  std::vector<std::uint32_t> knows;  ///< by queue
  std::vector<std::shared_ptr<Operation>>
      after;                 ///< until it begins: those before may learn more as they run
  std::vector<void*> stack;  ///< where the host queued it, or a kernel launched it
  std::shared_ptr<const LaunchPoint> launched_at;  ///< of a grid that a kernel launched
  std::uint32_t host_era = 0;                      ///< of accesses by host code in it; 0: none yet
  std::uint32_t host_epoch = 0;                    ///< the same as an epoch of shadow memory
};
using OperationPtr = std::shared_ptr<Operation>;

/// What an era stands for.
enum class Doing { kernel, copy, fill, host, host_function };
struct Era {
  Doing doing = Doing::host;
  QueueKind kind = QueueKind::host;
  std::string kernel;
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::vector<void*> stack;
};

/// The operation that a marker ends; null: none is known.
inline const Operation* operation_of(const Marker& marker) {
  return static_cast<const Operation*>(marker.observed[ToolSlot::checker].get());
}

class Timeline {
 public:
  static Timeline& get();

  /// \name What the runtime tells; see Observer.
  /// @{
  void queued(const StreamView& stream, Marker& end, const std::vector<MarkerPtr>& after);
  void begins(Marker& end);
  void ends();
  /// It may release host code by a flag, a lock or a thread, of which nothing is seen: the host counts as having heard of
  /// all that came before it, though not of what the function itself does.
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

  /// Has the host waited for this, or for what comes behind it?
  bool host_knows(const Marker& end);
  bool host_knows(std::uint32_t queue, std::uint32_t number);
  /// Is an operation over when another one, which has begun, begins?
  bool knows(const Operation& me, const Operation& other);
  /// What the calling thread is in: an operation of a stream, or the host's time.
  Operation& now();
  bool in_operation() const;

  /// A new era for a launch, a part of a launch, a copy or a fill by the calling thread.
  /// @param forget_all called where the numbers are used up and begin anew
  template <class ForgetAll>
  std::uint32_t begin_era(Era era, const ForgetAll& forget_all) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (eras_.size() + 1 >= most_eras) {  // marks of so long ago would seem to be of new eras
      forget_all();
      eras_.clear();
      host_.host_era = 0;
    }
    return add_era(now(), std::move(era));
  }
  /// The era of what host code does on the calling thread now.
  std::uint32_t host_era();
  /// The same as an epoch of shadow memory. Behind host_era().
  std::uint32_t host_epoch() { return now().host_epoch; }

  /// The epochs of shadow memory begin anew.
  void forget_epochs();

  /// Is all that the era stands for over when `me` begins?
  bool saw(const Operation& me, std::uint32_t era) const {
    if (era > most_eras) return true;  // outside of kernels, before anything that is watched
    const Place place = places_[era];
    return place.queue < me.knows.size() && me.knows[place.queue] >= place.number;
  }
  /// The same for what the calling thread does now.
  bool saw_here(std::uint32_t era);
  /// Nothing of other queues is left that `me` would not know.
  bool knows_all(const Operation& me);
  /// What is over for the calling thread, by queue.
  std::vector<std::uint32_t> knowledge();
  /// From now on `me` knows what the era stands for, and what that knew:
  /// it has read what was published there.
  void learn(Operation& me, std::uint32_t era, const std::vector<std::uint32_t>& knew);
  /// Will all that is queued from now on know it?
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
  std::vector<std::uint32_t> last_;  ///< by queue: the operation queued last
  std::vector<Era> eras_;            ///< from era 1
  Place* const places_;              ///< by era
};

}  // namespace cuemu::check
