#include "shadow.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "services.hpp"

namespace cuemu::check {

namespace {

constexpr std::size_t wiped_by_hand = 64 * 1024;  // bytes of cells

/// Zeros that take no memory until they are written.
template <class T>
T* map_zeros(std::size_t bytes) {
  if (bytes == 0) return nullptr;  // an array without elements
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("no address space is left for the checker; check a smaller problem");
  return static_cast<T*>(memory);
}

bool is_empty(const Cell& cell) {
  return cell.write.empty() && cell.read.empty();
}

}  // namespace

void Epochs::prepare() {
  all_ = map_zeros<Epoch>(most * sizeof(Epoch));
  clear();
}

void Epochs::no_room() {
  fatal("a launch orders more than the checker can remember; check a smaller problem");
}

Region::Region(RegionKind kind_, std::uintptr_t begin_, std::size_t bytes_)
    : kind(kind_), begin(begin_), bytes(bytes_) {
  mapped_ = (bytes + 3) / 4 * sizeof(Cell);
  cells_ = map_zeros<Cell>(mapped_);
}

Region::~Region() {
  retire();
}

void Region::retire() {
  if (cells_ != nullptr) munmap(cells_, mapped_);
  cells_ = nullptr;
  fast_era = 0;
}

void Region::forget() {
  boxes.clear();
  more_reads.clear();
  open.clear();
  open_for = 0;
  if (cells_ != nullptr) madvise(cells_, mapped_, MADV_DONTNEED);
}

void Region::wipe() {
  if (mapped_ > wiped_by_hand)
    forget();
  else
    std::fill(cells_, cells_ + mapped_ / sizeof(Cell), Cell{});
}

void Region::empty(std::uintptr_t address, std::size_t size) {
  std::size_t count = 0;
  Cell* const first = cells(address, (size + 3) / 4 * 4, count);
  std::fill(first, first + count, Cell{});
  more_reads.clear();
}

void Region::mark_written(std::uintptr_t address, std::size_t size) {
  std::size_t count = 0;
  Cell* const cell = cells(address, size, count);
  for (std::size_t i = 0; i < count; ++i)
    if (cell[i].write.empty()) cell[i].write = Mark(Epochs::outside_kernels, 0, false, false, 0);
}

bool Region::is_unwritten(std::uintptr_t address, std::size_t size) {
  std::size_t count = 0;
  const std::size_t whole = by_bytes_ ? size : (size + 3) / 4 * 4;
  const Cell* const cell =
      cells(address & (by_bytes_ ? ~std::uintptr_t{0} : ~std::uintptr_t{3}), whole, count);
  return std::all_of(cell, cell + count, [](const Cell& each) { return each.write.empty(); });
}

void Region::split() {
  const std::size_t words = (bytes + 3) / 4;
  Cell* const fine = map_zeros<Cell>(words * 4 * sizeof(Cell));
  for (std::size_t i = 0; i < words; ++i)
    if (!is_empty(cells_[i]))
      for (std::size_t k = 0; k < 4; ++k) fine[4 * i + k] = cells_[i];
  more_reads.clear();
  munmap(cells_, mapped_);
  cells_ = fine;
  mapped_ = words * 4 * sizeof(Cell);
  by_bytes_ = true;
}

}  // namespace cuemu::check
