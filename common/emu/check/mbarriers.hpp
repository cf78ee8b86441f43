// Records which threads of a block meet at which mbarrier: a cuda::barrier, PTX's mbarrier instructions, or a
// block's cuda::pipeline. The clocks take the order from accesses to the barriers' words. These records show
// where an arrival or a wait is missing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "shadow.hpp"

namespace cuemu::check {

/// The barriers where two threads of a block meet.
struct Meeting {
  std::vector<std::uintptr_t> barriers;  ///< the two meet at one of these; empty if unknown
  bool arrives =
      false;  ///< the first thread has arrived there after its access: only the other thread's wait is missing
};

class Mbarriers {
 public:
  /// Called when a block with this many threads begins.
  void begin(unsigned threads) {
    threads_ = threads;
    all_.clear();
  }
  void made(std::uintptr_t barrier) {
    Uses& fresh = all_[barrier];
    fresh.used = false;
    fresh.arrived.assign(threads_, 0);
    fresh.waited.assign(threads_, 0);
  }
  /// @param clock the block's clock
  void arrived(std::uintptr_t barrier, unsigned thread, std::uint32_t clock) {
    note(barrier, &Uses::arrived, thread, clock);
  }
  void waited(std::uintptr_t barrier, unsigned thread, std::uint32_t clock) {
    note(barrier, &Uses::waited, thread, clock);
  }

  /// Finds where two threads meet, for an access `first` that should precede the current operation of thread
  /// `second`. None if the threads have used no mbarrier since the block's last barrier. None, too, if they
  /// used only mbarriers that replace such a barrier: all threads arrive, and both wait. An mbarrier that was
  /// never used may be meant for the two threads.
  /// @param since the clock of the block's last barrier
  std::optional<Meeting> between(const Stamp& first, unsigned second, std::uint32_t since) const;

 private:
  /// For each thread, the times of its last arrival and its last wait; 0 if there was none.
  struct Uses {
    std::vector<std::uint32_t> arrived, waited;
    bool used = false;  ///< a thread has used it
  };
  void note(std::uintptr_t barrier, std::vector<std::uint32_t> Uses::*how, unsigned thread,
            std::uint32_t clock);

  unsigned threads_ = 0;
  std::map<std::uintptr_t, Uses> all_;
};

}  // namespace cuemu::check
