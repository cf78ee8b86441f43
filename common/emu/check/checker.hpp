// The checker's core. It turns accesses and the runtime's events into events for the rules (rule.hpp), and keeps
// their common state: the memory map with its shadow, and the clocks of the running blocks.
//
// While the checker is active, kernels run one at a time on one OS thread, so the state of a launch needs no
// lock. Host threads may allocate memory at the same time. So the state of allocations is protected by a
// lock, or replaced as a whole.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access_listener.hpp"
#include "clocks.hpp"
#include "findings.hpp"
#include "host_memory.hpp"
#include "loops.hpp"
#include "mbarriers.hpp"
#include "memory_map.hpp"
#include "rule.hpp"
#include "services.hpp"
#include "sites.hpp"
#include "timeline.hpp"

namespace cuemu::check {

constexpr ToolSlot checker_slot = ToolSlot::checker;

/// Selects the words that the fast path handles: only unsplit words, or also split words, which have a cell
/// for each byte.
enum class Words { whole, also_split };

/// A `__shared__` variable of a kernel.
struct SharedArray {
  std::string name;
  std::string type;  ///< "float[32][33]"
  std::vector<std::size_t> extents;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// The layout of a kernel's shared variables.
struct SharedLayout {
  static constexpr std::size_t most_arrays = 254;
  static constexpr std::uint8_t dynamic = 255;
  std::vector<SharedArray> arrays;
  /// For each word of the arena: 1 + the index of the array that contains it; `dynamic` if the whole word is
  /// in dynamic memory; 0 if no array contains it.
  std::vector<std::uint8_t> owner;
  std::size_t dynamic_begin = 0, dynamic_end = 0;  ///< in words

  void set_dynamic(std::size_t first, std::size_t last);
};

struct BlockState;

/// Blocks that can access each other's shared memory.
struct ClusterState {
  struct Member {
    BlockState* state = nullptr;  ///< null: the block has ended
    std::uint32_t block = 0;      ///< linear index in the grid
    std::uint32_t last = 0;       ///< the block's last clock, if the block has ended
    std::uintptr_t arena_begin = 0;
    std::size_t arena_bytes = 0;
  };
  std::vector<Member> members;    ///< in the order of their ranks
  const void* barrier = nullptr;  ///< identifies the barrier in the runtime's events

  /// Returns the member whose shared memory contains the address; null if there is none. An address that is
  /// less than `near` bytes outside a member's memory counts as inside, since it was probably meant to be
  /// inside.
  const Member* at(std::uintptr_t address, std::uintptr_t near = 0) const;
};

/// The results of the last access by one place in the code. The next access by the same place reuses them: an
/// inline cache (Deutsch and Schiffman, POPL 1984).
struct alignas(64) QuickSite {
  const void* pc = nullptr;
  std::uintptr_t begin = 0;  ///< the beginning of the region, or of the array in shared memory
  std::size_t room = 0;      ///< the number of accesses of that size that fit in the region or array
  Cell* cells = nullptr;     ///< the shadow cells of its words
  Region* region = nullptr;
  Mark mark;                     ///< the mark of thread 0
  std::uint32_t departures = 0;  ///< the value of Region::departures
  std::uint32_t settled = 0;
  std::uint32_t first_write = 0;  ///< the smallest epoch that a write of the read word may have
  bool in_shared = false;
};
static_assert(sizeof(QuickSite) == 64);

/// The inline caches of recently used places in the code, by address.
class QuickSites {
 public:
  QuickSite& at(const void* pc) {
    QuickSite* one = &all_[reinterpret_cast<std::uintptr_t>(pc) % count];
    // Keeps the address in one register; otherwise compilers compute it again for nearly every member.
    __asm__("" : "+r"(one));
    return *one;
  }
  void forget() {
    for (QuickSite& one : all_) one = {};
  }

 private:
  static constexpr std::size_t count = 256;
  QuickSite all_[count];
};
[[gnu::visibility("hidden")]] inline QuickSites quick_sites;

/// A running block.
struct BlockState {
  BlockClocks clocks;
  BarrierCounts barriers;
  BarrierCounts cluster_barriers;  ///< barriers of the block's cluster, which `barriers` counts, too
  BarrierCounts grid_barriers;     ///< barriers of the grid, which `barriers` counts, too
  Mbarriers mbarriers;
  const LaunchView* launch = nullptr;
  std::unique_ptr<Region> arena;
  std::uintptr_t arena_begin = 0;  ///< the arena's beginning, which accesses need
  std::size_t arena_bytes = 0;
  SharedLayout* layout = nullptr;
  const std::uint8_t* owner = nullptr;                ///< the layout's owners
  std::uintptr_t dynamic_begin = 0, dynamic_end = 0;  ///< dynamic shared memory
  std::uintptr_t closure_begin = 0;                   ///< the beginning of the kernel's arguments
  std::size_t closure_bytes = 0;
  std::uint32_t first_era = 0;  ///< the launch's first; older marks in shared memory are of other blocks
  std::uint32_t settled = 0;    ///< epochs below this had ended when the launch, or its part, began
  std::uintptr_t last_polled = 0;
  std::uint32_t polls = 0;
  bool every_access = false;              ///< no access may take the fast path
  std::shared_ptr<ClusterState> cluster;  ///< a cluster of several blocks; null: no cluster
  /// The last access that each thread of another block made to this block's shared memory, by block and thread.
  struct Visit {
    Stamp stamp;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    unsigned kind = 0;
  };
  std::map<std::pair<std::uint32_t, unsigned>, Visit> visits;
  bool is_private(const Fiber& fiber, std::uintptr_t address) const;
  /// Returns the array that contains this word of the block's shared memory, as a range of whole words.
  AddressRange array_of(std::size_t word) const;
  /// Clears the cells of shared memory that the previous block in this arena has filled.
  void forget_shared();
  std::uintptr_t self_begin = 0;  ///< the runtime's state of the block
  std::size_t self_bytes = 0;
  std::uint64_t id() const { return std::uint64_t{first_era} << 32 | clocks.block; }
  /// Returns the key of an address in Channels and Phases. Blocks reuse the addresses of private memory, so
  /// the key of such an address includes the block's number.
  std::uint64_t channel_of(std::uintptr_t address, bool blocks_own) const {
    return blocks_own ? std::uint64_t{address} ^ (std::uint64_t{clocks.block} + 1) << 40 : address;
  }
};

/// Returns the calling thread's block; null in host code and in code that the checker does not watch.
inline BlockState* running_block() {
  return this_block().data<BlockState>(checker_slot);
}

/// Returns whether an address is in the thread's stack, the fiber above the stack, the runtime's state of the
/// block, or the kernel's arguments.
inline bool BlockState::is_private(const Fiber& fiber, std::uintptr_t address) const {
  const auto stack = reinterpret_cast<std::uintptr_t>(fiber.stack_low);
  return address - stack < reinterpret_cast<std::uintptr_t>(&fiber + 1) - stack ||
         address - self_begin < self_bytes || address - closure_begin < closure_bytes;
}

inline AddressRange BlockState::array_of(std::size_t word) const {
  const std::uint8_t number = owner[word];
  if (number == SharedLayout::dynamic)
    return {arena_begin + 4 * layout->dynamic_begin, 4 * (layout->dynamic_end - layout->dynamic_begin)};
  const SharedArray& array = layout->arrays[number - 1];
  const std::size_t first = array.offset / 4, end = (array.offset + array.bytes + 3) / 4;
  return {arena_begin + 4 * first, 4 * (end - first)};
}

/// The thread's current calls. If code of the emulation's headers was not inlined, the checker finds the
/// user's call here.
struct Trace {
  static constexpr unsigned size = 64;
  std::uint32_t depth = 0;
  bool block_scope = false;
  bool updates = false;  ///< the thread's compare-and-swaps are parts of another atomic function
  const void* callers[size];
};

/// A pointer that the host has stored in device memory.
struct HostPointer {
  const Region* holder = nullptr;
  std::uintptr_t value = 0;
};

class Checker final : public Observer, public AccessListener {
 public:
  static Checker& get() { return *(instance_ != nullptr ? instance_ : make()); }

  /// Handles an access by the code at `pc`. The call is cheap for memory that kernels do not share. A bad
  /// access is reported, then suppressed.
  void access(std::uintptr_t address, std::size_t size, unsigned kind, const void* pc) override {
    if (!look_at(address, size, kind, pc)) leave_out(address, size);
  }
  /// Handles memory that a function such as memcpy copies or sets. Returns the number of bytes that the
  /// function may access.
  std::size_t copied_by_function(std::uintptr_t address, std::size_t size, unsigned kind,
                                 const void* pc) override;
  /// Subscribes to the events of the program's code.
  void listen();
  /// \name The most frequent events (HotEvents)
  /// @{
  template <std::size_t size, bool write>
  static void plain_access(std::uintptr_t address, const void* pc);
  static void enter(const void* caller) {
    if (Trace* const trace = trace_of_thread(); trace != nullptr)
      trace->callers[trace->depth++ % Trace::size] = caller;
    else
      instance_->enter_without_trace(caller);
  }
  static void leave() {
    Trace* const trace = trace_of_thread();
    if (trace == nullptr)
      leave_without_trace();
    else if (trace->depth > 0)
      --trace->depth;
  }
  /// @}
  /// Returns whether the address is in the calling thread's private memory, or in the emulation's state of
  /// the thread and its block.
  bool is_private(std::uintptr_t address) override {
    const BlockState* const state = running_block();
    return state != nullptr && state->is_private(*current_fiber, address);
  }
  /// Returns whether the calling thread runs a kernel, and the address is in memory that the kernel's threads
  /// share.
  bool is_shared(std::uintptr_t address);
  /// Called after an atomic operation of the calling thread. Stops the kernel if its threads have waited too
  /// long: for a long time their atomic operations have only read, or changed nothing.
  void atomic_done(std::uintptr_t address, bool changed) override;
  void fence() override;
  void outside_bounds(const CheckedPlace& place, const char* type, long long index) override;
  void misaligned(const MisalignedPointer& pointer) override;
  void set_block_scope(bool on) override;
  void set_updates(bool on) override;
  void object_made(std::uintptr_t table) override;
  void table_asked_for(std::uintptr_t object, const void* pc) override;
  void library_access(std::uintptr_t address, std::size_t bytes, bool stores, const void* pc) override {
    access(address, bytes, (stores ? writes : reads) | unaligned, pc);
  }
  bool keeps_lanes_apart() override { return true; }
  void lanes_found(std::uint32_t lanes) override {
    for (const RulePtr& rule : rules_) rule->lanes_found(lanes);
  }

  void lane_absent(unsigned lane, std::uint32_t mask, const char* file, int line) override;

  void launch_begins(const LaunchView& launch) override;
  void launch_ends(const LaunchView& launch) override;
  void launch_refused(const LaunchView& launch, cudaError_t error, const std::string& why) override;
  void grid_synchronised(const LaunchView& launch, std::uint64_t gone) override;
  void block_begins(BlockView block) override;
  void block_ends(BlockView block) override;
  void cluster_begins(const std::vector<BlockView>& blocks) override;
  void cluster_synchronised(const std::vector<BlockView>& blocks, unsigned gone, bool by_halves) override;
  void block_synchronised(BlockView block) override;
  void warp_synchronised(BlockView block, unsigned warp, std::uint32_t lanes) override;
  void group_synchronised(BlockView block, const std::vector<WaitingThread>& members) override;
  void barrier_arrived(BlockView block, const void* barrier, std::uint32_t thread) override;
  void barrier_phase_ends(BlockView block, const void* barrier) override;
  void barrier_passed(BlockView block, const void* barrier) override;
  void mbarrier_made(BlockView block, const void* barrier) override;
  void mbarrier_arrived(BlockView block, const void* barrier) override;
  void mbarrier_filled(BlockView block, const void* barrier) override;
  void mbarrier_phase_ends(BlockView block, const void* barrier) override;
  void mbarrier_waited(BlockView block, const void* barrier) override;
  void mbarrier_counts(BlockView block, bool on) override;
  void async_copied(BlockView block, const void* destination, std::size_t bytes, const void* pc) override;
  void async_committed(BlockView block) override;
  void async_waited(BlockView block, std::size_t prior) override;
  void block_deadlocked(BlockView block) override;
  void shared_placed(BlockView block, const char* description, std::uint32_t offset,
                     std::uint32_t bytes) override;
  bool text_printed(const char* text, std::size_t most, const void* pc) override;
  void kernel_stopped(const char* why) override;
  void kernel_faulted(const KernelFault& fault) override;
  void allocated(const Allocation& made) override;
  void freed(const Allocation& allocation) override;
  void heap_given(const void* memory, std::size_t bytes) override;
  void heap_refused(std::size_t bytes, std::size_t capacity) override {
    notify_rules(&Observer::heap_refused, bytes, capacity);
  }
  void heap_freed(const void* memory) override;
  void heap_free_refused(const void* memory) override { notify_rules(&Observer::heap_free_refused, memory); }
  void free_refused(const void* pointer) override;
  void symbol_known(const char* name, VariableKind kind, const volatile void* address,
                    std::size_t bytes) override;
  void symbol_named_on_host(const char* name, const void* copy, std::size_t bytes) override {
    map_.add_host_copy(reinterpret_cast<std::uintptr_t>(copy), bytes, name);
  }
  void copy_planned(const CopyView& plan) override { notify_rules(&Observer::copy_planned, plan); }
  void copied(const CopyView& plan) override;
  void filled(const FillView& plan) override;
  void copy_refused(const CopyView& plan, cudaError_t error) override;
  void operation_queued(const StreamView& stream, Marker& end, const std::vector<MarkerPtr>& after) override;
  void operation_begins(Marker& end) override;
  void operation_ends() override;
  void host_function_begins() override;
  void graph_node_begins(std::size_t place, const std::vector<std::size_t>& after) override;
  void graph_ends() override;
  void child_given(const LaunchView& child) override;
  void child_launched(cudaStream_t stream, ToolData& kept) override;
  void child_begins(const ToolData& kept) override;
  void child_ends() override;
  void children_ended() override;
  void event_queued(const Marker& end) override { notify_rules(&Observer::event_queued, end); }
  void event_recorded(Marker& end) override;
  void waited(const Marker& end) override;
  void waited_for_device() override;
  void events_compared(const Marker& start, const Marker& end) override;
  void clock_read(const void* pc) override;
  void error_returned(cudaError_t error) override;
  void error_asked() override;
  void output_lost(const char* kernel) override { notify_rules(&Observer::output_lost, kernel); }
  void program_stops(int status) override;
  int program_exits(int status) override { return report(status); }
  void call_numbered(std::uint32_t& place) override { place = remember_place(); }
  void fill_asked(const FillView& plan, int value) override;
  void fill_refused(const FillView& plan, cudaError_t error) override;
  void pitched(const void* memory, std::size_t width, std::size_t pitch) override;
  void host_touched_device(std::uintptr_t address, const void* instruction) override;
  bool explains_faults() const override { return true; }
  bool judges_accesses() const override { return true; }
  std::uintptr_t host_block_end(const void* address) const override { return host_memory_at(address).end(); }
  std::uint32_t shared_gap() const override { return 64; }
  std::size_t device_gap() const override { return std::size_t{64} << 20; }

  /// Writes the report. Returns the exit status that the report requires; 0 if it requires none.
  /// @param status the program's status, or the negated number of the signal that ends the program
  int report(int status);

 private:
  Checker();
  static Checker* make();
  [[gnu::visibility("hidden")]] static inline Checker* instance_ = nullptr;

  /// \name State that most accesses change
  /// Only one checker exists. So this state is static, and code needs no pointer to it.
  /// @{
  /// The last write of whole words that has not been examined yet; address 0 if there is none.
  [[gnu::visibility("hidden")]] static inline Written last_write_;
  /// The initial content of local variables.
  [[gnu::visibility("hidden")]] static inline std::uint32_t unset_bytes_ = 0;
  /// The number of reads since a kernel last changed memory.
  [[gnu::visibility("hidden")]] static inline std::uint32_t vain_ = 0;
  [[gnu::visibility("hidden")]] static inline std::uint32_t polls_in_turn_ = 0;
  /// The address of the last 8 bytes that a kernel read from shared memory. A virtual call reads the object's
  /// pointer to its table, then the table. When the table is read, this is therefore the address of the
  /// object.
  [[gnu::visibility("hidden")]] static inline std::uintptr_t last_pointer_read_ = 0;
  /// @}

  /// Calls every rule with an event of the runtime.
  template <class... Parameters, class... Arguments>
  void notify_rules(void (Observer::*event)(Parameters...), Arguments&&... arguments) {
    for (const RulePtr& rule : rules_) (rule.get()->*event)(arguments...);
  }

  std::uint32_t begin_era(const LaunchView& launch);
  std::uint32_t settled_now();

  /// Records a plain access of `size` bytes, if no rule can report it. This is the fast path (fast_path.hpp).
  template <std::size_t size, bool write, Words words>
  static bool fast_access(std::uintptr_t address, const void* pc);
  template <std::size_t size, bool write>
  static bool quick_access(std::uintptr_t address, const void* pc);
  template <std::size_t size, bool write>
  static void other_access(std::uintptr_t address, const void* pc);
  template <std::size_t size, bool write>
  static void slower_access(std::uintptr_t address, const void* pc);
  template <std::size_t size, bool write>
  static void seldom_access(std::uintptr_t address, const void* pc);

  // access.cpp
  /// Returns the trace of the thread that runs in a kernel; null before the thread's first call.
  static Trace* trace_of_thread() {
    return running_block() != nullptr ? thread_data<Trace>(checker_slot) : nullptr;
  }
  void enter_without_trace(const void* caller);
  static void leave_without_trace();
  bool look_at(std::uintptr_t address, std::size_t size, unsigned kind, const void* pc);
  void leave_out(std::uintptr_t address, std::size_t size);
  bool touch(BlockState& state, BlockState& home, Region& region, std::uintptr_t address, std::size_t size,
             unsigned kind, const void* pc);
  bool in_cluster(BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind, const void* pc,
                  bool& good);
  bool outside_local(BlockState& state, const ArrayZone& zone, std::uintptr_t address, std::size_t size,
                     unsigned kind, const void* pc);
  bool stray(BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind, const void* pc,
             Stray::Where where, const ClusterState::Member* home = nullptr);
  void visit(BlockState& state, BlockState& home, std::uintptr_t address, std::size_t size, unsigned kind,
             Site site);
  void end_visits(BlockState& home);
  bool may_be_mistaken(unsigned kind, const void* pc);
  bool read_constant(BlockState& state, std::uintptr_t address, std::size_t size, unsigned kind,
                     const void* pc);
  /// Returns whether the address lies in one of the host's tables of virtual functions.
  static bool is_table_of_host(const Unreachable& place);
  void use_turned_table(BlockState& state, std::uintptr_t table, const void* pc);
  void use_table(BlockState& state, const Variable& table, std::uintptr_t object, const void* pc);
  void host_reads_pointer(const Region& region, std::uintptr_t object, Site site);
  std::optional<Doing> last_writer(const Region& region, std::uintptr_t word);
  bool is_the_hosts_constant(const LaunchView& launch, std::uintptr_t address, std::size_t size,
                             const void* pc);
  /// Returns whether the kernel has a pointer into the variable. If not, an index of a neighbouring device
  /// variable may have led to the address.
  bool is_the_hosts_variable(const LaunchView& launch, std::uintptr_t address);
  /// Returns the last pointer that a kernel read, if the host had stored that pointer; otherwise none.
  HostPointer last_pointer_of_host();
  /// Returns the memory from which a kernel read the pointer to a host address. Returns null if the memory is
  /// unknown, or if the pointer was an argument.
  const Region* holder_of_pointer(const LaunchView& launch, std::uintptr_t address);
  bool in_arrays(const BlockState& state, std::uintptr_t address, std::size_t size) const;
  /// Allows the fast path for the next accesses of the thread's warp. Does nothing if the next access
  /// acquires order through a flag.
  void prepare_epoch(BlockState& state, unsigned thread) const {
    if (state.clocks.fast_epoch[thread / warp_width] == 0 && !state.every_access &&
        looked_at_.reader == nullptr)
      state.clocks.prepare_fast_path(thread);
  }
  /// Allows the fast path for a region.
  static void prepare_region(const BlockState& state, Region& region);
  /// Checks the value of the last write. Must be called after that write, and before any operation that may
  /// change the memory or end the block. Reads don't change the value.
  void see_last_write() {
    if (last_write_is_unset()) report_unset();
    last_write_.address = 0;
  }
  static bool last_write_is_unset() {
    return last_write_.address != 0 &&
           *reinterpret_cast<const std::uint32_t*>(last_write_.address) == unset_bytes_;
  }
  [[gnu::noinline]] void report_unset();
  void synchronise(BlockState& state, const BlockState& home, std::uintptr_t address, unsigned kind,
                   bool in_shared);
  void arrive(BlockView block, const void* barrier, unsigned thread);
  void pass(BlockView block, const void* barrier);
  void publish(std::uintptr_t flag, std::uint32_t era);
  void learn(Operation& me, std::uintptr_t flag);
  void learn_late();
  void watch_polling(bool polls);
  void polled();
  bool gives_way(BlockState& state, std::uintptr_t address);
  Site site_of(const void* pc) {
    const Site known = sites_.at(pc);
    return known != Sites::foreign ? known : site_of_caller();
  }
  Site site_of_caller();
  bool host_may_use(std::uintptr_t address, const void* pc);
  void host_access(std::uintptr_t address, std::size_t size, unsigned kind, const void* pc);
  /// Called when host code reads or writes its copy of a device variable.
  void host_copy_access(std::uintptr_t address, unsigned kind, const void* pc);

  MemoryMap map_;
  /// The names of launched kernels whose code is not instrumented. `launches_` protects this set.
  std::set<std::string> unwatched_;
  std::vector<RulePtr> rules_;
  std::vector<RuleObserver*> access_rules_;  ///< the rules that observe every access

  std::mutex host_memory_;       ///< held while the shadow of memory that host code may access is in use
  std::mutex launches_;          ///< held while a launch runs
  std::uint32_t era_ = 0;        ///< the era since the launch began, or since its last grid barrier
  std::uint32_t first_era_ = 0;  ///< the first era of that launch
  std::map<BlockView, std::unique_ptr<BlockState>> blocks_;
  std::unordered_map<const Kernel*, std::unique_ptr<SharedLayout>> layouts_;
  std::mutex flags_mutex_;
  struct Flag {
    std::uint32_t era = 0;             ///< the era that wrote the flag after a fence
    std::vector<std::uint32_t> knows;  ///< the writer's knowledge
  };
  std::unordered_map<std::uintptr_t, Flag> flags_;
  struct LookedAt {
    Operation* reader = nullptr;
    std::uintptr_t flag = 0;
  };
  LookedAt looked_at_;           ///< the last flag that a kernel read
  std::uint32_t suspended_ = 0;  ///< the number of launches that wait for other launches or for the host
  Channels channels_;
  Phases phases_;
  std::uintptr_t odd_pointer_ = 0;  ///< the last pointer reported for wrong alignment
  const Fiber* odd_in_ = nullptr;   ///< the thread that used that pointer
  const Fiber* counting_ =
      nullptr;  ///< this thread's atomic operations count at an mbarrier, and order nothing by themselves
  std::uint32_t settled_ = 0;  ///< Horizon::settled for the blocks of the running launch
  std::vector<std::unique_ptr<Trace>> traces_;
  Sites sites_;
  std::set<std::uintptr_t> tables_of_kernels_;  ///< tables of virtual functions of objects that kernels made
};

}  // namespace cuemu::check
