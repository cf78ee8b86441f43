// The counters' core: records the events of each thread between two barriers, merges them into the warps' steps
// (convergence.hpp), and counts the cost of the warps' requests (requests.hpp).
//
//   AccessListener (../watch): accesses, basic blocks, conditions  ─┐
//   Observer (../watch): the runtime's events                       ─┴─> Counters ──> Tally
//
// Launches run one at a time on one OS thread while the counters watch.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "access_listener.hpp"
#include "convergence.hpp"
#include "observer.hpp"
#include "requests.hpp"
#include "services.hpp"
#include "source.hpp"
#include "tally.hpp"

namespace cuemu::counters {

constexpr ToolSlot counters_slot = ToolSlot::counters;

using cuda_lab_profile::Occupancy;

/// The memory that an access uses.
enum class Space : std::uint8_t { none, shared, global, constant };

/// A place in a kernel: an instruction, and the chain of calls that leads to it.
struct Place {
  Line line;
  std::uint8_t bytes = 0;  ///< bytes of an access; 0: a branch or its target
  unsigned kind = 0;       ///< AccessKind
  bool is_condition = false;
  std::uint64_t entered = 0;  ///< for a branch's target: how many times warps ran the code that follows it
  std::uintptr_t code = 0;    ///< the address of that code
  Tally tally;
};

struct LaunchTally {
  dim3 grid, block;
  std::size_t dynamic_shared = 0;
  std::size_t shared = 0;  ///< bytes of a block's shared memory, static and dynamic
  Occupancy occupancy;
  Tally tally;
  std::uint64_t loaded = 0, stored = 0;  ///< total bytes of the allocations that it loads from and stores to
};

struct KernelTally {
  std::string name;
  std::vector<Place> places;
  std::map<Line, std::uint64_t> barriers;
  std::vector<LaunchTally> launches;
  std::uint64_t unseen = 0;  ///< accesses that were dropped because of the limit on memory

  Tally total() const;
  /// Returns the counts by line; places without a line are omitted.
  std::map<Line, Tally> by_line() const;
};

/// The fiber's current chain of calls.
struct CallChain {
  static constexpr unsigned most = 64;
  std::uint32_t depth = 0;
  std::array<const void*, most> callers{};
  std::array<std::uint64_t, most + 1> hash{};  ///< by depth
};

/// A running block.
struct BlockPaths {
  KernelTally* kernel = nullptr;
  std::vector<Path> paths;          ///< by thread
  std::vector<std::uint32_t> gone;  ///< for each warp: lanes that had returned before the interval began
  std::uint64_t events = 0;
  unsigned last_warp = 0;
  std::uintptr_t shared_begin = 0;
  std::size_t shared_bytes = 0;
  std::unordered_set<std::uint64_t> loaded, stored;  ///< sectors of global memory
  std::uintptr_t looked_at = 0;                      ///< address that an atomic function has read
  std::uint32_t looking_thread = 0;
};

class Counters final : public Observer, public AccessListener {
 public:
  static Counters& get();

  /// \name Events of the program's code. Requests made by a library are not counted as the user's.
  /// @{
  void access(std::uintptr_t address, std::size_t bytes, unsigned kind, const void* pc) override;
  std::size_t copied_by_function(std::uintptr_t address, std::size_t bytes, unsigned kind,
                                 const void* pc) override {
    access(address, bytes, kind, pc);
    return bytes;
  }
  template <std::size_t size, bool write>
  static void plain_access(std::uintptr_t address, const void* pc) {
    get().access(address, size, write ? writes : reads, pc);
  }
  void control(bool is_condition, const void* pc) override;
  static void enter(const void* caller);
  static void leave();
  /// @}

  std::vector<std::uint64_t> chosen_blocks(const LaunchView& launch) override;
  void launch_begins(const LaunchView& launch) override;
  void launch_ends(const LaunchView& launch) override;
  void block_begins(BlockView block) override;
  void block_ends(BlockView block) override;
  void block_synchronised(BlockView block) override;
  void allocated(const Allocation& made) override;
  void freed(const Allocation& allocation) override;
  void symbol_known(const char* name, VariableKind kind, const volatile void* address,
                    std::size_t bytes) override;
  void program_stops(int status) override;
  int program_exits(int status) override;
  std::int64_t counted(const char* counter) const override;

  void report();

 private:
  Counters();

  /// Identifies a place.
  struct Key {
    const void* pc = nullptr;
    std::uint64_t chain = 0;
    std::uint32_t what = 0;
    bool operator==(const Key& other) const {
      return pc == other.pc && chain == other.chain && what == other.what;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Known {
    Key key;
    std::uint32_t place = 0;
  };
  struct Range {
    std::uintptr_t end = 0;
    Space space = Space::none;
  };

  Space space_of(std::uintptr_t address) const;
  std::uint32_t place_of(const Key& key, bool is_access, unsigned bytes, unsigned kind, bool is_condition);
  Line line_at(const void* pc) const;
  static bool is_half_of_atomic(std::uintptr_t address, unsigned& kind, const void* pc);
  void record(std::uint32_t place, std::uintptr_t address);
  void settle(BlockView block, BlockPaths& state, unsigned warp);
  void settle_all(BlockView block, BlockPaths& state);
  void know(std::uintptr_t begin, std::size_t bytes, Space space);
  /// Adds the allocations that contain these sectors to the set of allocations that the launch has touched.
  void touch(const std::unordered_set<std::uint64_t>& sectors, std::set<std::uintptr_t>& touched,
             std::uint64_t& bytes) const;

  AddressRange device_{0, 0};
  mutable std::mutex mutex_;  ///< protects data that host threads change
  std::map<std::uintptr_t, Range> others_;
  std::map<std::uintptr_t, std::uintptr_t> allocations_;  ///< begin and end of allocations in device memory
  std::set<std::uintptr_t> loaded_, stored_;  ///< begins of allocations that the running launch has used

  std::mutex launches_;  ///< held while a launch runs
  KernelTally* running_ = nullptr;
  std::vector<std::unique_ptr<KernelTally>> kernels_;  ///< in the order of their first launch
  std::map<const Kernel*, KernelTally*> by_kernel_;
  std::map<const Kernel*, std::unordered_map<Key, std::uint32_t, Hash>> places_;
  std::unordered_map<Key, std::uint32_t, Hash>* running_places_ = nullptr;
  std::array<Known, 4096> cache_{};  ///< of the running kernel
  std::vector<std::unique_ptr<CallChain>> chains_;
  std::map<BlockView, std::unique_ptr<BlockPaths>> blocks_;
};

/// Returns the table for a terminal, 80 columns wide.
std::string as_text(const std::vector<std::unique_ptr<KernelTally>>& kernels, std::size_t lines);
std::string as_json(const std::vector<std::unique_ptr<KernelTally>>& kernels);

}  // namespace cuemu::counters
