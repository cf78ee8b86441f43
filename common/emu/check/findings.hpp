// Merges the checker's findings by rule, lines and array, orders them by importance, and writes them as text,
// JSON and SARIF.
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
#include "racing_threads.hpp"
#include "shadow.hpp"
#include "source.hpp"
#include "wire/finding.hpp"

namespace cuemu::check {

/// The rules, the most important first.
enum class Rule {
  launch,         ///< a refused launch whose error was never read; missing results follow from it
  out_of_bounds,  ///< an access outside an array or an allocation; races may follow from it
  use_after_free,
  host_pointer,  ///< host memory in a kernel; a pointer read from there is null or wild
  null_pointer,
  wild_pointer,    ///< an address without memory
  one_memory,      ///< two arrays that begin at the same address; races may follow from it
  barrier,         ///< a barrier that only some threads reach; races may follow from it
  race,            ///< two accesses, one a write, with no order between them
  async_copy,      ///< an access to memory of an asynchronous copy that has not been waited for
  constant_write,  ///< a kernel writes to constant memory
  device_pointer,  ///< the host uses device memory
  misaligned,
  uninitialised,  ///< a read before any write
  assertion,      ///< a failed assert
  stopped,        ///< the emulation had to stop a kernel
  copy,           ///< a copy whose size or direction does not fit
  unchecked,      ///< a call failed, and its error was not read
  early_event,    ///< the time of an event that may not have been reached
  lost_output,    ///< the program ends before it has waited for a kernel that prints
  bad_free,
  timing,       ///< the host's clock around a launch without a wait
  set_bytes,    ///< bytes set to a value meant for elements
  early_exit,   ///< threads that return before a barrier of the others
  absent_lane,  ///< a shuffle from a lane that has returned
  same_work,    ///< blocks that write the same values to the same elements
  leak,
};
inline constexpr int rule_count = static_cast<int>(Rule::leak) + 1;

/// Returns the rule's name in CUEMU_CHECK: "race", "out-of-bounds" …
const char* name_of(Rule rule);
/// Returns the name of the rule's group in CUEMU_CHECK: races, memory, barriers, api, leaks.
const char* group_of(Rule rule);
bool is_error(Rule rule);

/// One access or event of a finding.
struct Party {
  std::string what;  ///< "write by thread (4,17,0)"
  Line line;
  kit_wire::Access access = kit_wire::Access::none;
  std::optional<kit_wire::Index> thread = {}, block = {};  ///< none: no single thread, or unknown
};

/// The missing operation that would order the two accesses, or make them one step.
enum class Lack {
  nothing,                ///< not a finding of two accesses, or accesses of different launches
  atomic,                 ///< an atomic function, or one with a wider scope: neither order would be right
  own_element,            ///< an element for each thread, or an atomic function
  warp_barrier,           ///< __syncwarp()
  warp_or_block_barrier,  ///< either of these: it depends on the function's callers
  block_barrier,          ///< __syncthreads()
  mbarrier,         ///< an arrival at an mbarrier after the first access, and a wait there before the second
  mbarrier_wait,    ///< only the wait: the first thread does arrive
  cluster_barrier,  ///< cluster.sync()
  grid_barrier,     ///< grid.sync(), in a cooperative launch
  grid_order,       ///< between blocks: another launch, or a fence and an atomic flag
  copy_wait,        ///< a wait for an asynchronous copy, and a barrier
};
inline constexpr int lack_count = static_cast<int>(Lack::copy_wait) + 1;

/// Returns the name in JSON, such as "warp-barrier"; an empty text for `nothing`.
const char* name_of(Lack lack);
inline bool may_be_warp_barrier(Lack lack) {
  return lack == Lack::warp_barrier || lack == Lack::warp_or_block_barrier;
}
inline bool may_be_block_barrier(Lack lack) {
  return lack == Lack::block_barrier || lack == Lack::warp_or_block_barrier;
}
inline bool is_barrier(Lack lack) {
  return may_be_warp_barrier(lack) || may_be_block_barrier(lack) || lack == Lack::cluster_barrier ||
         lack == Lack::grid_barrier;
}

enum class Group { thread, warp, block, cluster, grid };

/// The operation that is missing between two accesses. It is decided once: all text and data of a finding
/// follow from it.
struct Missing {
  Lack what = Lack::nothing;
  Group within = Group::thread;  ///< for a race in one launch, the smallest group to order
  std::vector<int> lines = {};   ///< for a barrier: the lines around its place, if the place is known
};

struct Finding {
  Rule rule = Rule::race;
  std::string array;  ///< the array's name; empty if no array is involved
  kit_wire::Element element;
  std::string headline;  ///< one sentence without a full stop
  std::string kernel;
  std::vector<Party> parties;
  std::vector<std::string> notes;
  std::string first;  ///< first occurrence: "in the 2nd iteration of the loop at line 39", or empty
  std::string hint;
  Twins twins;
  std::string twins_hint;  ///< replaces `hint` if only threads with the same threadIdx raced; may be empty
  Apart apart;
  std::string apart_hint;  ///< follows the question of `apart`, in place of `hint`; empty: no question
  dim3 grid, block;        ///< the launch's sizes, for that question
  Missing missing;
  Group between = Group::thread;  ///< for a race in one launch, the smallest group that contains both threads
  /// If several findings are merged, the one with the largest weight represents them. For a race, the weight
  /// is its spread.
  int weight = 0;
  /// The time of the first occurrence, by Findings::now(); 0: the time at which the finding is added.
  std::uint64_t time = 0;
  std::uint64_t count = 1;
  bool by_index = false;           ///< reported by its index; the access itself may be reported, too
  std::uint64_t repeated = 0;      ///< the number of forgiven occurrences with `repeated`
  std::uint64_t same_values = 0;   ///< the number of writes of the value that another write had left
  std::set<std::uint64_t> blocks;  ///< the blocks where the finding occurred, by launch and block
};

class Findings {
 public:
  static Findings& get();

  /// Adds a finding, or counts it if an equal finding is known.
  void add(Finding finding, std::uint64_t block);
  /// Adds a finding. Calls `make` to create it only if no finding has this key. Findings with the same key
  /// must be equal.
  template <class Make>
  void add(const std::vector<std::uint64_t>& key, std::uint64_t block, const Make& make) {
    const Busy busy;
    if (!count(key, block)) keep(key, make(), block);
  }
  /// Removes one occurrence.
  /// @param repeated a thread of another block with the same threadIdx wrote the same value
  void forgive(const std::vector<std::uint64_t>& key, bool repeated = false);
  /// Records that in one occurrence both writes stored the same value.
  void note_same_value(const std::vector<std::uint64_t>& key);
  /// Notes the threads of one occurrence: a race of one launch.
  void note_threads(const std::vector<std::uint64_t>& key, const RacingThreads& pair);
  /// Returns the findings that are not suppressed, merged and ordered.
  std::vector<Finding> merged();
  /// Returns the number of findings before merging, which never decreases.
  std::size_t count();
  /// Returns a time that is later than all times returned before.
  std::uint64_t now() { return ++moments_; }

 private:
  bool count(const std::vector<std::uint64_t>& key, std::uint64_t block);
  void keep(const std::vector<std::uint64_t>& key, Finding finding, std::uint64_t block);

  std::mutex mutex_;
  std::atomic<std::uint64_t> moments_{0};
  std::vector<Finding> all_;
  std::map<std::vector<std::uint64_t>, std::size_t> by_key_;
};

/// Returns the findings as text, JSON or SARIF. The text contains at most `limit` findings, and the number of
/// the others.
std::string as_text(const std::vector<Finding>& findings, std::size_t limit, bool color);
/// @param unwatched kernels that ran uninstrumented; the report names them, since it does not cover them
std::string as_json(const std::vector<Finding>& findings, const std::set<std::string>& unwatched);
std::string as_sarif(const std::vector<Finding>& findings, const std::set<std::string>& unwatched);

/// Returns a sentence about kernels that ran uninstrumented, without a full stop; empty if there are none.
std::string about_unwatched(const std::set<std::string>& kernels);
/// Returns the same sentence as a line of the text report.
std::string line_about_unwatched(const std::set<std::string>& kernels);

/// Returns the part of its line that a party refers to, at which the carets point.
Span part_of(const Finding& finding, const Party& party);

/// Returns the number with commas: "30,720".
std::string grouped(std::uint64_t number);

}  // namespace cuemu::check
