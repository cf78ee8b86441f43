#include "shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <tuple>

#include "services.hpp"

namespace cuemu::check {

namespace {

constexpr std::size_t wiped_by_hand = 64 * 1024 / sizeof(Cell);  // cells

/// Returns zeroed memory, whose pages take memory only when they are written.
template <class T>
T* map_zeros(std::size_t bytes) {
  if (bytes == 0) return nullptr;  // an array without elements
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fatal("no address space is left for the checker; check a smaller problem");
  return static_cast<T*>(memory);
}

}  // namespace

void Epochs::prepare() {
  all_ = map_zeros<Epoch>(most * sizeof(Epoch));
  clear();
}

void Epochs::no_room() {
  fatal("a launch orders more than the checker can remember; check a smaller problem");
}

void Sharers::add(const Mark& one) {
  const Epoch& when = epochs[one.epoch()];
  const Member added{when.block, one.thread(), when.clock};
  const auto at =
      std::lower_bound(members.begin(), members.end(), added, [](const Member& a, const Member& b) {
        return std::tie(a.block, a.thread) < std::tie(b.block, b.thread);
      });
  if (at != members.end() && at->block == added.block && at->thread == added.thread)
    at->clock = added.clock;
  else
    members.insert(at, added);
}

Region::Region(RegionKind kind_, std::uintptr_t begin_, std::size_t bytes_)
    : kind(kind_), begin(begin_), bytes(bytes_) {
  cells_ = map_zeros<Cell>(words() * sizeof(Cell));
}

Region::~Region() {
  retire();
}

void Region::retire() {
  if (cells_ != nullptr) munmap(cells_, words() * sizeof(Cell));
  if (by_byte_ != nullptr) munmap(by_byte_, 4 * words() * sizeof(Cell));
  cells_ = by_byte_ = nullptr;
  leave_fast_path();
}

void Region::forget() {
  boxes.clear();
  more_reads.clear();
  sharers.clear();
  open.clear();
  open_for = 0;
  if (cells_ != nullptr) madvise(cells_, words() * sizeof(Cell), MADV_DONTNEED);
  if (by_byte_ != nullptr) madvise(by_byte_, 4 * words() * sizeof(Cell), MADV_DONTNEED);
}

void Region::forget(std::size_t at, std::size_t size) {
  sharers.clear();
  const std::size_t first = at / 4, last = std::min(words(), (at + size + 3) / 4);
  if (last - first > wiped_by_hand || by_byte_ != nullptr)
    forget();
  else
    std::fill(cells_ + first, cells_ + last, Cell{});
}

Cell* Region::cells(std::uintptr_t address, std::size_t size, std::size_t& count) {
  const std::size_t at = address - begin, end = at + size;
  bool whole = ((at | size) & 3u) == 0;
  for (std::size_t word = at / 4; whole && word < end / 4; ++word)
    whole = !cells_[word].is_split() && !cells_[word].has_run();
  count = whole ? size / 4 : size;
  if (whole) return cells_ + at / 4;
  for (std::size_t word = at / 4; word < (end + 3) / 4; ++word) split(word);
  return by_byte_ + at;
}

void Region::split(std::size_t word) {
  Cell& cell = cells_[word];
  if (cell.is_split()) return;
  if (by_byte_ == nullptr) by_byte_ = map_zeros<Cell>(4 * words() * sizeof(Cell));
  Cell* const fine = by_byte_ + 4 * word;
  const auto other_read = more_reads.find(&cell);
  for (std::uint32_t i = 0; i < 4; ++i) {
    fine[i] = cell.of_byte(i);
    if (other_read != more_reads.end()) more_reads[fine + i] = other_read->second;
  }
  more_reads.erase(&cell);
  cell = Cell::split();
}

void Region::empty(std::uintptr_t address, std::size_t size) {
  const std::size_t at = address - begin;
  std::fill(cells_ + at / 4, cells_ + (at + size + 3) / 4, Cell{});
  more_reads.clear();
}

void Region::mark_written(std::uintptr_t address, std::size_t size) {
  const Mark written(Epochs::outside_kernels, 0, false, false, 0);
  const std::size_t end = address - begin + size;
  for (std::size_t at = address - begin; at < end;) {
    Cell& word = cells_[at / 4];
    const std::size_t next = std::min(end, at / 4 * 4 + 4);
    if (next - at == 4 && !word.is_split()) {
      if (word.write.empty())
        word.write = written;
      else if (word.write.is_run())
        word.write = word.write.with_rest();
    } else {
      split(at / 4);
      for (std::size_t byte = at; byte < next; ++byte)
        if (by_byte_[byte].write.empty()) by_byte_[byte].write = written;
    }
    at = next;
  }
}

bool Region::is_unwritten(std::uintptr_t address, std::size_t size) {
  bool unwritten = true;
  each_cell(address, size, [&](std::uintptr_t, const Cell& cell) { return unwritten = cell.write.empty(); });
  return unwritten;
}

}  // namespace cuemu::check
