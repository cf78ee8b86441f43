// What the checker found: merged by rule, lines and array, ordered by importance,
// and written as text, JSON and SARIF.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expression.hpp"
#include "shadow.hpp"
#include "source.hpp"

namespace cuemu::check {

/// The rules, most important first.
enum class Rule {
  launch,  ///< a launch that never ran, and nobody asked; all that is missing afterwards follows from it
  out_of_bounds,  ///< outside an array or an allocation; races may follow from it
  use_after_free,
  null_pointer,
  wild_pointer,    ///< an address where no memory is
  barrier,         ///< a barrier that not all threads reach, or different ones that meet; the same
  race,            ///< two accesses, one a write, with no order between them
  async_copy,      ///< an access to what is still being copied: nobody has waited
  constant_write,  ///< a kernel writes to constant memory
  device_pointer,  ///< the host uses memory of the device
  misaligned,
  uninitialised,  ///< read before anything wrote it
  host_pointer,   ///< memory of the host in a kernel
  assertion,      ///< an assert that failed
  stopped,        ///< the emulation had to stop a kernel
  copy,           ///< a copy whose size or direction does not fit
  unchecked,      ///< a call failed, and nobody looked
  early_event,    ///< the time of an event that may not have come yet
  lost_output,    ///< the program ends before it has waited for a kernel that prints
  bad_free,
  timing,       ///< the host's clock around a launch that it does not wait for
  set_bytes,    ///< bytes that are set to what elements should be
  early_exit,   ///< threads that return before a barrier of the others
  absent_lane,  ///< a shuffle from a lane that has returned
  same_work,    ///< blocks that write the same values to the same elements
  leak,
};
inline constexpr int rule_count = static_cast<int>(Rule::leak) + 1;

/// "race", "out-of-bounds" …: as CUEMU_CHECK, JSON and SARIF have them.
const char* name_of(Rule rule);
/// What CUEMU_CHECK calls the group: races, memory, barriers, api, leaks.
const char* group_of(Rule rule);
bool is_error(Rule rule);

/// One access or event that a finding is about.
struct Party {
  std::string what;  ///< "write by thread (4,17,0)"
  Line line;
};

/// What two accesses lack that would order them, or make one step of them.
enum class Lack {
  nothing,                ///< no finding of two accesses, or of different launches
  atomic,                 ///< an atomic function, or one of a wider scope: neither order is the right one
  own_element,            ///< an element for each thread, or an atomic function
  warp_barrier,           ///< __syncwarp()
  warp_or_block_barrier,  ///< the one or the other: it depends on who calls the function
  block_barrier,          ///< __syncthreads()
  mbarrier,               ///< an arrival at an mbarrier behind the first, a wait there before the second
  mbarrier_wait,          ///< the wait: who is first arrives
  cluster_barrier,        ///< cluster.sync()
  grid_barrier,           ///< grid.sync(), in a cooperative launch
  grid_order,             ///< between blocks: another launch, or a fence and an atomic flag
  copy_wait,              ///< a wait for an asynchronous copy, and a barrier
};
inline constexpr int lack_count = static_cast<int>(Lack::copy_wait) + 1;

/// "warp-barrier" …: as JSON has them; empty for nothing.
const char* name_of(Lack lack);
inline bool may_be_warp_barrier(Lack lack) {
  return lack == Lack::warp_barrier || lack == Lack::warp_or_block_barrier;
}
inline bool may_be_block_barrier(Lack lack) {
  return lack == Lack::block_barrier || lack == Lack::warp_or_block_barrier;
}

/// Threads that belong together.
enum class Group { thread, warp, block, cluster, grid };

/// Decided once; what findings say of it, in words or otherwise, follows from this.
struct Missing {
  Lack what = Lack::nothing;
  Group within = Group::thread;  ///< of a race in one launch, the smallest group that it is for
};

/// Whether it is always threads with the same threadIdx that meet in a race between blocks: then the index takes no notice of
/// the block.
class Twins {
 public:
  void met(bool same_thread, std::uint32_t thread) {
    if (!same_thread) others_ = true;
    if (thread_ && *thread_ != thread) several_ = true;
    thread_ = thread;
  }
  /// With those of a finding that is merged. One of threads of the same block has met none.
  void add(const Twins& other) {
    if (!thread_ || !other.thread_ || other.others_) others_ = true;
    if (other.several_ || thread_ != other.thread_) several_ = true;
  }
  /// Of one threadIdx it may be the thread that speaks for its block, and all mean the same element.
  bool of_several_only() const { return several_ && !others_; }

 private:
  std::optional<std::uint32_t> thread_;  ///< the last
  bool several_ = false;                 ///< they differ
  bool others_ = false;                  ///< also threads with different ones met
};

struct Finding {
  Rule rule = Rule::race;
  std::string array;     ///< its name, empty where none is concerned
  std::string headline;  ///< one sentence without a full stop
  std::string kernel;
  std::vector<Party> parties;
  std::vector<std::string> notes;
  std::string first;  ///< when it was first seen: "in the 2nd iteration of the loop at line 39", or empty
  std::string hint;
  Twins twins;
  std::string twins_hint;  ///< in place of the other one, where only twins have met; or empty
  Missing missing;
  Group between = Group::thread;  ///< of a race in one launch, the smallest group that both belong to
  /// Of findings that are merged the one with the largest speaks for all: of a race, how far it reaches.
  int weight = 0;
  /// When it was first seen, as Findings::now() counts; 0: when it is added.
  std::uint64_t time = 0;
  std::uint64_t count = 1;
  bool by_index = false;           ///< told before the access, by the index: the access may be told as well
  std::uint64_t repeated = 0;      ///< occurrences that were forgiven as such
  std::uint64_t same_values = 0;   ///< writes that left what another one had written
  std::set<std::uint64_t> blocks;  ///< in which it was seen, by launch and block
};

/// All findings of the program.
class Findings {
 public:
  static Findings& get();

  /// Takes a finding, or counts it where its like is known.
  void add(Finding finding, std::uint64_t block);
  /// The same for a finding that is made only when it is new: `key` tells those that must be alike.
  template <class Make>
  void add(const std::vector<std::uint64_t>& key, std::uint64_t block, const Make& make) {
    const Busy busy;
    if (!count(key, block)) keep(key, make(), block);
  }
  /// Takes one occurrence back. `repeated`: it is a write by another block's thread with the same threadIdx,
  /// of the same value.
  void forgive(const std::vector<std::uint64_t>& key, bool repeated = false);
  /// Of one occurrence, two writes: they wrote the same value.
  void note_same_value(const std::vector<std::uint64_t>& key);
  /// Of one occurrence, a race between blocks: the thread, and whether the other one has the same threadIdx.
  void note_twins(const std::vector<std::uint64_t>& key, bool same_thread, std::uint32_t thread);
  /// Those that are not suppressed, merged and in order.
  std::vector<Finding> merged();
  /// How many there are before they are merged: no less than before.
  std::size_t count();
  /// A moment: later than all that were asked for before.
  std::uint64_t now() { return ++moments_; }

 private:
  bool count(const std::vector<std::uint64_t>& key, std::uint64_t block);
  void keep(const std::vector<std::uint64_t>& key, Finding finding, std::uint64_t block);

  std::mutex mutex_;
  std::atomic<std::uint64_t> moments_{0};
  std::vector<Finding> all_;
  std::map<std::vector<std::uint64_t>, std::size_t> by_key_;
};

/// The findings as their readers want them. The text has at most `limit` of them, and counts the rest.
std::string as_text(const std::vector<Finding>& findings, std::size_t limit, bool color);
/// @param unwatched kernels that ran and whose code tells nothing: no report may look as if it spoke for them
std::string as_json(const std::vector<Finding>& findings, const std::set<std::string>& unwatched);
std::string as_sarif(const std::vector<Finding>& findings, const std::set<std::string>& unwatched);

/// What is said of such kernels, in a sentence without a full stop; empty for none.
std::string about_unwatched(const std::set<std::string>& kernels);
/// The same as a line of the text.
std::string line_about_unwatched(const std::set<std::string>& kernels);

/// What of its line a party is about: where the carets go.
Span part_of(const Finding& finding, const Party& party);

/// "30,720"
std::string grouped(std::uint64_t number);

}  // namespace cuemu::check
