// Shadow memory: for each word of memory that kernels share, who wrote it last and who read it since.
//
// A cell is 32 bytes for each word of 4 bytes, whatever the number of threads (the idea is HiRace's,
// arXiv 2401.04701): the last write and the last reads, each with the thread, its place in time, and how far
// the accesses that it stands for are spread: one thread, one warp, one block, the grid. A region whose bytes
// are accessed one by one gets a cell for each byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cuemu::check {

/// How far the accesses that a stamp stands for are spread.
enum class Spread : std::uint32_t { thread, warp, block, grid };

/// One access, or several of the same kind that were not ordered among each other (reads, atomics).
struct Stamp {
  std::uint32_t era : 18;     ///< the launch; 0: nothing yet
  std::uint32_t thread : 10;  ///< linear index in its block
  std::uint32_t spread : 2;   ///< of Spread
  std::uint32_t atomic : 1;   ///< all of them were atomic
  std::uint32_t narrow : 1;   ///< one of them was atomic for its block only
  std::uint32_t block;        ///< linear index in the grid
  std::uint32_t clock;        ///< of the block, see clocks.hpp
  std::uint32_t site;         ///< where in the program's code
};
static_assert(sizeof(Stamp) == 16);

struct Cell {
  Stamp write;
  Stamp read;
};

inline constexpr std::uint32_t most_eras = (1u << 18) - 1;

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
  /// Lets the cells go; the region stays, for reports on its use after it was freed.
  void retire();
  /// Makes all cells empty.
  void forget();
  /// Makes those of a part empty.
  void empty(std::uintptr_t address, std::size_t size);
  /// Notes that something outside kernels wrote here.
  void mark_written(std::uintptr_t address, std::size_t size);
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
  std::size_t element = 0;      ///< bytes of the elements, as the first access shows; 0: none yet

 private:
  void split();
  Cell* cells_ = nullptr;
  std::size_t mapped_ = 0;
  bool by_bytes_ = false;
};

}  // namespace cuemu::check
