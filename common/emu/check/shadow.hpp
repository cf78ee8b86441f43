// Shadow memory: for each word of memory that kernels share, the last write and the reads since then.
//
// A cell has 16 bytes for each word of 4 bytes, for any number of threads (the idea of HiRace, arXiv
// 2401.04701). It contains the last write and the last reads. Each of the two has a thread, a time, and the
// spread of the accesses that it represents: one thread, one warp, one block or the grid. Launch, block and
// time are common to many accesses, so they are stored once, in a table of epochs.
//
// Accesses to single bytes or halves of a word are often coalesced: consecutive threads access consecutive
// units. A word with this pattern keeps its cell, whose marks are runs: "byte i by thread t + i". When the
// pattern breaks, the word is split: it gets a cell for each byte, in a second array that takes memory only
// where it is used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace cuemu::check {

/// The threads whose accesses a stamp represents.
enum class Spread : std::uint32_t { thread, warp, block, grid };

/// One access, or several unordered accesses of the same kind (reads or atomics).
struct Stamp {
  std::uint32_t era = 0;     ///< the launch; 0: no access yet
  std::uint32_t block = 0;   ///< linear index in the grid
  std::uint32_t clock = 0;   ///< the block's clock (see clocks.hpp)
  std::uint32_t site = 0;    ///< place in the program's code
  std::uint32_t thread = 0;  ///< linear index in its block
  std::uint32_t spread = 0;  ///< a value of Spread
  std::uint32_t atomic = 0;  ///< all of the accesses were atomic
  std::uint32_t narrow = 0;  ///< one of the accesses was atomic only for its block
};

/// The properties that all accesses of a block between two ticks of its clock share.
struct Epoch {
  std::uint32_t era = 0;
  std::uint32_t block = 0;
  std::uint32_t clock = 0;
};

/// All epochs in the order of their beginnings, so later epochs have larger numbers. Several threads may add
/// epochs at the same time. clear() is called only between launches.
class Epochs {
 public:
  static constexpr std::uint32_t none = 0, outside_kernels = 1;
  static constexpr std::size_t many = std::size_t{1} << 24;  ///< beyond it, launches begin with a clear()

  /// Called before the first use. The first use is earlier than the program's initialisers.
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

inline constexpr std::uint32_t most_sites = (1u << 16) - 1;

/// A stamp in 8 bytes.
class Mark {
 public:
  Mark() = default;
  Mark(std::uint32_t epoch, std::uint32_t thread, bool atomic, bool narrow, std::uint32_t site)
      : bits_(std::uint64_t{epoch} | std::uint64_t{thread & 1023u} << 32 | std::uint64_t{atomic} << 44 |
              std::uint64_t{narrow} << 45 | std::uint64_t{site & most_sites} << 48) {}

  bool empty() const { return epoch() == Epochs::none; }
  std::uint32_t epoch() const { return static_cast<std::uint32_t>(bits_); }
  std::uint32_t thread() const { return static_cast<std::uint32_t>(bits_ >> 32) & 1023u; }
  std::uint32_t spread() const { return static_cast<std::uint32_t>(bits_ >> 42) & 3u; }
  bool atomic() const { return (bits_ >> 44 & 1u) != 0; }
  bool narrow() const { return (bits_ >> 45 & 1u) != 0; }
  /// Whether this mark represents only accesses by the other mark's thread in the other mark's epoch. The
  /// other mark must be a single access. (If this mark is a run, only the first unit and older accesses are
  /// compared.)
  bool is_of_thread(const Mark& other) const { return (bits_ ^ other.bits_) << 20 == 0; }
  /// Whether both threads are in the same warp, provided that they are in the same block.
  bool is_of_warp(const Mark& other) const { return ((bits_ ^ other.bits_) >> 37 & 31u) == 0; }
  std::uint32_t site() const { return static_cast<std::uint32_t>(bits_ >> 48); }
  bool operator==(const Mark& other) const { return bits_ == other.bits_; }
  /// The mark of the same access by another thread. This mark must be the mark of thread 0.
  Mark by_thread(std::uint32_t thread) const {
    Mark mark;
    mark.bits_ = bits_ | std::uint64_t{thread} << 32;
    return mark;
  }
  /// This mark, extended to several accesses.
  Mark spread_to(std::uint32_t spread, bool atomic, bool narrow) const {
    Mark mark;
    mark.bits_ = (bits_ & ~(std::uint64_t{15} << 42)) | std::uint64_t{spread & 3u} << 42 |
                 std::uint64_t{atomic} << 44 | std::uint64_t{narrow} << 45;
    return mark;
  }

  /// \name Runs: each unit of a word (a byte or a half) is accessed by the thread after the previous unit's
  /// thread
  /// @{
  /// Begins a run of only the first unit. `rest`: all accesses to the other units are older than any that may
  /// be unordered.
  static Mark run(const Mark& first, std::uint32_t unit, bool rest) {
    Mark mark;
    mark.bits_ = (first.bits_ & ~(std::uint64_t{15} << 42)) | std::uint64_t{rest} << 45 | run_bit |
                 std::uint64_t{unit - 1} << 47;
    return mark;
  }
  bool is_run() const { return (bits_ & run_bit) != 0; }
  bool is_run_or_atomic() const { return (bits_ >> 44 & 5u) != 0; }
  std::uint32_t unit() const { return static_cast<std::uint32_t>(bits_ >> 47 & 1u) + 1; }
  std::uint32_t units() const { return spread() + 1; }
  bool has_rest() const { return narrow(); }
  bool is_full() const { return units() * unit() == 4; }
  /// Returns this run, extended by the next unit.
  Mark longer() const {
    Mark mark;
    mark.bits_ = bits_ + (std::uint64_t{1} << 42);
    return mark;
  }
  /// Returns the mark of one byte in the word.
  Mark of_byte(std::uint32_t byte) const {
    if (!is_run()) return *this;
    const std::uint32_t at = byte / unit();
    if (at < units()) return {epoch(), thread() + at, false, false, site()};
    return has_rest() ? Mark(Epochs::outside_kernels, 0, false, false, 0) : Mark();
  }
  /// Returns this run, in which the rest of the word was accessed, too.
  Mark with_rest() const {
    Mark mark;
    mark.bits_ = bits_ | std::uint64_t{1} << 45;
    return mark;
  }
  /// @}

  Stamp stamp() const {
    const Epoch& when = epochs[epoch()];
    return {when.era, when.block, when.clock,         site(),
            thread(), spread(),   atomic() ? 1u : 0u, narrow() ? 1u : 0u};
  }

 private:
  static constexpr std::uint64_t run_bit = std::uint64_t{1} << 46;
  std::uint64_t bits_ = 0;
};

struct Cell {
  Mark write;
  Mark read;

  /// The cell of a split word, whose bytes have their own cells. Its epoch is later than all real ones.
  static Cell split() { return {Mark(~0u, 0, false, false, 0), Mark()}; }
  bool is_split() const { return write.epoch() == ~0u; }
  bool has_run() const { return write.is_run() || read.is_run(); }
  Cell of_byte(std::uint32_t byte) const { return {write.of_byte(byte), read.of_byte(byte)}; }
};
static_assert(sizeof(Cell) == 16);

/// The threads that a mark represents, if they are several threads of a block that has met only in parts. All
/// of these threads may happen before an access although the rest of their warp or block does not
/// (FastTrack's shared reads). Also used for threads of several blocks of a cluster, in the shared memory of
/// one of them.
struct Sharers {
  struct Member {
    std::uint32_t block;
    std::uint32_t thread;
    std::uint32_t clock;
  };
  Mark mark;                    ///< the mark when they were recorded; for another mark they are invalid
  std::vector<Member> members;  ///< sorted by block and thread

  /// Adds the mark of an access. A mark that represents several threads adds only the thread that it names.
  void add(const Mark& mark);
};

/// The part of a region that a copy or fill accessed: rows of `width` bytes.
struct BoxAccess {
  std::uintptr_t begin = 0;
  std::size_t row = 0, slice = 0;  ///< bytes from one row or slice to the next; 0 if there is only one
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

/// Memory that a kernel has allocated on the device's heap.
struct HeapPiece {
  std::size_t bytes = 0;
  std::vector<void*> made_at;   ///< call stack of malloc() or new
  std::vector<void*> freed_at;  ///< call stack of free() or delete
  bool freed = false;
};

enum class RegionKind { device, managed, pinned, registered, symbol, shared, heap };

/// A range of memory that kernels share, and its cells.
class Region {
 public:
  Region(RegionKind kind_, std::uintptr_t begin_, std::size_t bytes_);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  bool contains(std::uintptr_t address, std::size_t size) const {
    return address >= begin && address - begin + size <= bytes;
  }
  /// Returns the cells of an access inside the region, and stores their number in `count`. Splits each word
  /// that the access covers only in part. If any word is split, splits all words of the access.
  Cell* cells(std::uintptr_t address, std::size_t size, std::size_t& count);
  /// Returns the cell of a word as it is. The word may be split, or the cell may contain runs.
  Cell& word_at(std::uintptr_t address) { return cells_[(address - begin) / 4]; }
  /// Returns the cell of a byte of a split word.
  Cell* byte_at(std::uintptr_t address) { return by_byte_ + (address - begin); }
  /// Returns the cell of a byte, whether its word is split or not.
  Cell at(std::uintptr_t address) const {
    const std::size_t at = address - begin;
    const Cell& word = cells_[at / 4];
    return word.is_split() ? by_byte_[at] : word.of_byte(at % 4);
  }
  /// Calls `visit(address, cell)` for each word of a part in order, or for each byte if the word is split,
  /// until `visit` returns false.
  template <class Visit>
  void each_cell(std::uintptr_t address, std::size_t size, const Visit& visit) const {
    const std::size_t end = address - begin + size;
    for (std::size_t at = address - begin; at < end;) {
      const Cell& word = cells_[at / 4];
      const bool whole = !word.is_split() && !word.has_run();
      if (!visit(begin + (whole ? at / 4 * 4 : at), whole ? word : this->at(begin + at))) return;
      at = whole ? at / 4 * 4 + 4 : at + 1;
    }
  }
  /// Whether host code may access the region, too.
  bool for_host() const {
    return kind == RegionKind::managed || kind == RegionKind::pinned || kind == RegionKind::registered;
  }
  /// Frees the cells. The region is kept for reports on use after free.
  void retire();
  /// Makes accesses to the region take the slow path until prepare_fast_path() allows the fast path again.
  void leave_fast_path() {
    fast_era = 0;
    departures.fetch_add(1, std::memory_order_relaxed);
  }
  /// The number of times that any region has left the fast path. When it changes, results remembered before
  /// may be invalid.
  [[gnu::visibility("hidden")]] static inline std::atomic<std::uint32_t> departures{0};
  /// Makes all cells empty.
  void forget();
  /// Empties the cells of a part that begins `at` bytes after the region's beginning, and perhaps more. This
  /// is quick if the part is small.
  void forget(std::size_t at, std::size_t size);
  /// Empties the cells of a part.
  void empty(std::uintptr_t address, std::size_t size);
  /// Records that code outside kernels has written to this part.
  void mark_written(std::uintptr_t address, std::size_t size);
  /// Whether no byte of this part has been written.
  bool is_unwritten(std::uintptr_t address, std::size_t size);
  bool retired() const { return cells_ == nullptr; }

  const RegionKind kind;
  const std::uintptr_t begin;
  const std::size_t bytes;
  std::uint64_t number = 0;     ///< the number of the allocation, 1 for the program's first
  std::string name;             ///< the name of a symbol; other names are found when a report needs them
  std::vector<void*> made_at;   ///< call stack of the allocation
  std::vector<void*> freed_at;  ///< call stack of the free
  bool of_runtime = false;      ///< the emulation allocated it, and frees it
  bool initialised = false;     ///< reads need no earlier write
  bool from_host = false;       ///< a copy has brought data from the host
  /// Further reads by unordered launches, in addition to the read in the cell.
  std::unordered_map<const Cell*, Mark> more_reads;
  std::unordered_map<const Mark*, Sharers> sharers;
  std::vector<BoxAccess> boxes;  ///< copies and fills that may be unordered with later accesses
  std::vector<BoxAccess> open;   ///< boxes that do not happen before `open_for`
  std::uint32_t open_for = 0;    ///< an era
  std::uint32_t fast_era =
      0;  ///< the era of a launch whose accesses may take the fast path; see leave_fast_path()
  bool constant = false;  ///< kernels only read it
  std::size_t width = 0;  ///< bytes of a row of cudaMallocPitch, at every `pitch` bytes; 0: no rows
  std::size_t pitch = 0;
  bool is_heap = false;                        ///< the device's heap: kernels may use its pieces only
  std::map<std::uintptr_t, HeapPiece> pieces;  ///< by address; freed pieces stay until their memory is reused
  /// Returns the last piece of the heap that begins at or before an address; null if there is none.
  const HeapPiece* piece_at(std::uintptr_t address, std::uintptr_t& its_begin) const {
    const auto after = pieces.upper_bound(address);
    if (after == pieces.begin()) return nullptr;
    its_begin = std::prev(after)->first;
    return &std::prev(after)->second;
  }
  /// Whether the whole part is memory that a kernel may access.
  bool is_given(std::uintptr_t address, std::size_t size) const {
    std::uintptr_t its_begin = 0;
    const HeapPiece* const piece = is_heap ? piece_at(address, its_begin) : nullptr;
    return !is_heap || (piece != nullptr && !piece->freed && address - its_begin + size <= piece->bytes);
  }

 private:
  void split(std::size_t word);
  std::size_t words() const { return (bytes + 3) / 4; }
  Cell* cells_ = nullptr;    ///< the cells by word
  Cell* by_byte_ = nullptr;  ///< the cells by byte, for split words
};

}  // namespace cuemu::check
