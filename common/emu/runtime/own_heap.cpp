#include "own_heap.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "worker.hpp"

extern "C" {
void* cuemu_own_new(std::size_t bytes);
void cuemu_give_back(void* memory) noexcept;
/// Defined by the linker, but only in programs, not in shared libraries.
extern const char __executable_start __attribute__((weak, visibility("hidden")));
}

namespace cuemu {

namespace {

/// A heap with pieces of 16, 32, 64 … bytes. Each size has its own chunks and a list of free pieces. The C library
/// provides larger pieces, which usually contain data, and all pieces when this heap is full.
class OwnHeap {
 public:
  /// Takes a piece; null if it can't come from this heap.
  void* take(std::size_t bytes) {
    if (bytes > largest) return nullptr;
    const unsigned kind = kind_of(bytes);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_[kind] == nullptr && !add_chunk(kind)) return nullptr;
    Piece* const piece = free_[kind];
    free_[kind] = piece->next;
    return piece;
  }

  bool started() const { return begin_.load(std::memory_order_relaxed) != nullptr; }
  bool contains(const void* memory) const { return started() && offset_of(memory) < room; }

  bool give(void* memory) {
    if (!contains(memory)) return false;
    const std::size_t at = offset_of(memory);
    const std::lock_guard<std::mutex> lock(mutex_);
    Piece*& first = free_[kind_of_chunk_[at / chunk]];
    first = new (memory) Piece{first};
    return true;
  }

 private:
  struct Piece {
    Piece* next;
  };
  static constexpr std::size_t smallest = 16, chunk = std::size_t{64} << 10, largest = chunk / 2,
                               room = std::size_t{64} << 20;
  static constexpr unsigned kinds = 12;
  static_assert(smallest << (kinds - 1) == largest);

  std::size_t offset_of(const void* memory) const {
    return reinterpret_cast<std::uintptr_t>(memory) -
           reinterpret_cast<std::uintptr_t>(begin_.load(std::memory_order_relaxed));
  }

  static unsigned kind_of(std::size_t bytes) {
    unsigned kind = 0;
    while (smallest << kind < bytes) ++kind;
    return kind;
  }

  bool add_chunk(unsigned kind) {
    if (begin_.load() == nullptr && !start()) return false;
    if (chunks_ == room / chunk) return false;
    kind_of_chunk_[chunks_] = static_cast<std::uint8_t>(kind);
    unsigned char* const first = begin_.load() + chunks_++ * chunk;
    for (std::size_t at = chunk; at >= smallest << kind;) {
      at -= smallest << kind;
      free_[kind] = new (first + at) Piece{free_[kind]};
    }
    return true;
  }

  /// Starts the heap. Returns false in a shared library and in a program that replaces `delete`, because another
  /// `delete` than the runtime's may then free the memory.
  bool start() {
    if (&__executable_start == nullptr ||
        static_cast<void (*)(void*) noexcept>(&::operator delete) != &cuemu_give_back)
      return false;
    void* const memory =
        mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    begin_.store(static_cast<unsigned char*>(memory));
    return true;
  }

  std::mutex mutex_;
  std::atomic<unsigned char*> begin_{nullptr};  ///< set once
  std::size_t chunks_ = 0;                      ///< in use
  std::array<std::uint8_t, room / chunk> kind_of_chunk_{};
  std::array<Piece*, kinds> free_{};
};

// Constant-initialised and never destroyed.
OwnHeap heap;

}  // namespace

bool give_back_own(void* memory) {
  const RuntimeSection section;
  return heap.give(memory);
}

bool may_be_own(const void* memory) {
  return !heap.started() || heap.contains(memory);
}

}  // namespace cuemu

/// Implements `new` of the runtime's sources (own_new.hpp).
void* cuemu_own_new(std::size_t bytes) {
  const cuemu::RuntimeSection section;  // protects the heap's lock, as in heap.cpp
  void* const memory = cuemu::heap.take(bytes);
  return memory != nullptr ? memory : ::operator new(bytes);
}
