// Shadow memory: for each word of memory that kernels share, who wrote it last and who read it since.
//
// A cell is 16 bytes for each word of 4 bytes, whatever the number of threads (the idea is HiRace's,
// arXiv 2401.04701): the last write and the last reads, each with the thread, its place in time, and how far
// the accesses that it stands for are spread: one thread, one warp, one block, the grid. Launch, block and
// time, which many accesses have in common, stand once in a table of epochs. A region whose bytes are
// accessed one by one gets a cell for each byte.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace cuemu::check {

/// How far the accesses that a stamp stands for are spread.
enum class Spread : std::uint32_t { thread, warp, block, grid };

/// One access, or several of the same kind that were not ordered among each other (reads, atomics).
struct Stamp {
  std::uint32_t era = 0;     ///< the launch; 0: nothing yet
  std::uint32_t block = 0;   ///< linear index in the grid
  std::uint32_t clock = 0;   ///< of the block, see clocks.hpp
  std::uint32_t site = 0;    ///< where in the program's code
  std::uint32_t thread = 0;  ///< linear index in its block
  std::uint32_t spread = 0;  ///< of Spread
  std::uint32_t atomic = 0;  ///< all of them were atomic
  std::uint32_t narrow = 0;  ///< one of them was atomic for its block only
};

/// What accesses of a block between two of its clock's ticks have in common.
struct Epoch {
  std::uint32_t era = 0;
  std::uint32_t block = 0;
  std::uint32_t clock = 0;
};

/// All epochs, in the order in which they began: what began later has a larger number. They may be added by
/// several threads; they are forgotten between launches.
class Epochs {
 public:
  static constexpr std::uint32_t none = 0, outside_kernels = 1;
  static constexpr std::size_t many = std::size_t{1} << 24;  ///< then they are forgotten between launches

  /// Before the first use, which is before the program's own initialisation.
  void prepare();
  void clear() {
    all_[outside_kernels] = {~0u, 0, 0};
    size_.store(outside_kernels + 1);
  }
  const Epoch& operator[](std::uint32_t number) const { return all_[number]; }
  std::uint32_t add(const Epoch& epoch) {
    const std::uint32_t number = size_.fetch_add(1, std::memory_order_relaxed);
    if (number >= most) no_room();
    all_[number] = epoch;
    return number;
  }
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t most = std::size_t{1} << 28;
  [[noreturn]] static void no_room();
  Epoch* all_ = nullptr;
  std::atomic<std::uint32_t> size_{0};
};
inline Epochs epochs;

inline constexpr std::uint32_t most_sites = (1u << 18) - 1;

/// A stamp in 8 bytes.
class Mark {
 public:
  Mark() = default;
  Mark(std::uint32_t epoch, std::uint32_t thread, bool atomic, bool narrow, std::uint32_t site)
      : bits_(std::uint64_t{epoch} | std::uint64_t{thread & 1023u} << 32 | std::uint64_t{atomic} << 44 |
              std::uint64_t{narrow} << 45 | std::uint64_t{site & most_sites} << 46) {}

  bool empty() const { return epoch() == Epochs::none; }
  std::uint32_t epoch() const { return static_cast<std::uint32_t>(bits_); }
  std::uint32_t thread() const { return static_cast<std::uint32_t>(bits_ >> 32) & 1023u; }
  std::uint32_t spread() const { return static_cast<std::uint32_t>(bits_ >> 42) & 3u; }
  bool atomic() const { return (bits_ >> 44 & 1u) != 0; }
  bool narrow() const { return (bits_ >> 45 & 1u) != 0; }
  /// Does it stand for accesses by the other's thread in the other's epoch alone? The other is of one access.
  bool is_of_thread(const Mark& other) const {
    return ((bits_ ^ other.bits_) & ((std::uint64_t{1} << 44) - 1)) == 0;
  }
  /// Is it of a thread of the same warp, where both are of one block?
  bool is_of_warp(const Mark& other) const { return ((bits_ ^ other.bits_) >> 37 & 31u) == 0; }
  std::uint32_t site() const { return static_cast<std::uint32_t>(bits_ >> 46); }
  /// The same for several accesses.
  Mark spread_to(std::uint32_t spread, bool atomic, bool narrow) const {
    Mark mark;
    mark.bits_ = (bits_ & ~(std::uint64_t{15} << 42)) | std::uint64_t{spread & 3u} << 42 |
                 std::uint64_t{atomic} << 44 | std::uint64_t{narrow} << 45;
    return mark;
  }
  Stamp stamp() const {
    const Epoch& when = epochs[epoch()];
    return {when.era, when.block, when.clock,         site(),
            thread(), spread(),   atomic() ? 1u : 0u, narrow() ? 1u : 0u};
  }

 private:
  std::uint64_t bits_ = 0;
};

struct Cell {
  Mark write;
  Mark read;
};
static_assert(sizeof(Cell) == 16);

/// What a copy or a fill accessed of a region: rows of `width` bytes.
struct BoxAccess {
  std::uintptr_t begin = 0;
  std::size_t row = 0, slice = 0;  ///< bytes from one to the next; 0 where there is only one
  std::size_t width = 0, height = 1, depth = 1;
  std::uint32_t era = 0;
  bool write = false;

  bool touches(std::uintptr_t address, std::size_t size) const {
    return address + size > begin && contains(address < begin ? begin : address, size);
  }

 private:
  bool contains(std::uintptr_t address, std::size_t size) const {
    std::size_t at = address - begin;
    const std::size_t z = slice != 0 ? at / slice : 0;
    at -= z * slice;
    const std::size_t y = row != 0 ? at / row : 0;
    at -= y * row;
    if (z >= depth || y >= height) return false;
    return at < width || (row != 0 && at + size > row && y + 1 < height);
  }
};

enum class RegionKind { device, managed, pinned, registered, symbol, shared, heap };

/// A stretch of memory that kernels share, with its cells.
class Region {
 public:
  Region(RegionKind kind_, std::uintptr_t begin_, std::size_t bytes_);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  bool contains(std::uintptr_t address, std::size_t size) const {
    return address >= begin && address - begin + size <= bytes;
  }
  /// The cells of an access, which lies inside; how many, in `count`.
  Cell* cells(std::uintptr_t address, std::size_t size, std::size_t& count) {
    const std::size_t at = address - begin;
    if (!by_bytes_ && ((at | size) & 3u) != 0) split();
    if (by_bytes_) {
      count = size;
      return cells_ + at;
    }
    count = size / 4;
    return cells_ + at / 4;
  }
  /// The same without a change of the region: `count` is 0 where its cells are too coarse.
  Cell* cells_as_they_are(std::uintptr_t address, std::size_t size, std::size_t& count) const {
    const std::size_t at = address - begin;
    count = by_bytes_ ? size : size / 4;
    return cells_ + (by_bytes_ ? at : at / 4);
  }
  /// The same, for what is no single access: words that it touches in part count whole.
  Cell* cells_around(std::uintptr_t address, std::size_t size, std::size_t& count) {
    const std::size_t first = (address - begin) / (by_bytes_ ? 1 : 4);
    const std::size_t last = (address - begin + size - 1) / (by_bytes_ ? 1 : 4);
    count = last - first + 1;
    return cells_ + first;
  }
  /// The address that a cell stands for.
  std::uintptr_t address_of(const Cell* cell) const {
    return begin + static_cast<std::size_t>(cell - cells_) * (by_bytes_ ? 1 : 4);
  }
  /// May host code touch it too?
  bool for_host() const {
    return kind == RegionKind::managed || kind == RegionKind::pinned || kind == RegionKind::registered;
  }
  /// Lets the cells go; the region stays, for reports on its use after it was freed.
  void retire();
  /// Makes all cells empty.
  void forget();
  /// The same, quick for small regions that are used all the time.
  void wipe();
  /// Makes those of a part empty.
  void empty(std::uintptr_t address, std::size_t size);
  /// Notes that something outside kernels wrote here.
  void mark_written(std::uintptr_t address, std::size_t size);
  /// Has nothing written any part of this?
  bool is_unwritten(std::uintptr_t address, std::size_t size);
  bool retired() const { return cells_ == nullptr; }

  const RegionKind kind;
  const std::uintptr_t begin;
  const std::size_t bytes;
  std::uint64_t number = 0;     ///< of the allocation, 1 for the program's first
  std::string name;             ///< of a symbol; otherwise found when a report needs it
  std::vector<void*> made_at;   ///< call stack of the allocation
  std::vector<void*> freed_at;  ///< and of its end
  bool of_runtime = false;      ///< the emulation made it, and frees it
  bool initialised = false;     ///< reads need no write before them
  /// Reads by launches that no order joins, where a cell has room for one: those that it had before.
  std::unordered_map<const Cell*, Mark> more_reads;
  std::vector<BoxAccess> boxes;  ///< copies and fills that may not be ordered before what comes
  std::vector<BoxAccess> open;   ///< those of them that `open_for` is not ordered behind
  std::uint32_t open_for = 0;    ///< an era
  std::uint32_t fast_era = 0;    ///< the era of a launch whose accesses here may take the fast path
  bool constant = false;         ///< kernels only read it
  std::size_t width = 0;         ///< bytes of a row of cudaMallocPitch, every `pitch` bytes; 0: no rows
  std::size_t pitch = 0;

 private:
  void split();
  Cell* cells_ = nullptr;
  std::size_t mapped_ = 0;
  bool by_bytes_ = false;
};

}  // namespace cuemu::check
