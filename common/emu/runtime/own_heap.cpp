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
/// The linker makes it for programs alone.
extern const char __executable_start __attribute__((weak, visibility("hidden")));
}

namespace cuemu {

namespace {

/// Pieces of 16, 32, 64 … bytes, each kind in chunks of its own, with a list of those that are free. Whatever is larger, or more,
/// comes from the C library: data, mostly.
class OwnHeap {
 public:
  /// Null: not from here.
  void* take(std::size_t bytes) {
    if (bytes > largest) return nullptr;
    const unsigned kind = kind_of(bytes);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_[kind] == nullptr && !add_chunk(kind)) return nullptr;
    Piece* const piece = free_[kind];
    free_[kind] = piece->next;
    return piece;
  }

  bool give(void* memory) {
    const unsigned char* const begin = begin_.load(std::memory_order_relaxed);
    const std::size_t at = reinterpret_cast<std::uintptr_t>(memory) - reinterpret_cast<std::uintptr_t>(begin);
    if (begin == nullptr || at >= room) return false;
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

  /// In a shared library `delete` need not be ours, nor in a program that has its own.
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

// Ready before anything is initialised, and for ever.
OwnHeap heap;

}  // namespace

bool give_back_own(void* memory) {
  const RuntimeSection section;
  return heap.give(memory);
}

}  // namespace cuemu

/// `new` of the runtime's sources (own_new.hpp).
void* cuemu_own_new(std::size_t bytes) {
  const cuemu::RuntimeSection section;  // as in heap.cpp, for the lock
  void* const memory = cuemu::heap.take(bytes);
  return memory != nullptr ? memory : ::operator new(bytes);
}
