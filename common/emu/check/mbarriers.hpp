// Who of a block meets at which mbarrier (cuda::barrier, PTX's mbarrier instructions, a block's cuda::pipeline): what orders
// two accesses, the clocks know from the barriers' words; here stands where an arrival or a wait would have to be.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "shadow.hpp"

namespace cuemu::check {

/// Where two threads of a block meet.
struct Meeting {
  std::vector<std::uintptr_t> barriers;  ///< it is one of these; none where nothing is known
  bool arrives =
      false;  ///< who is first has arrived there behind its access: only the other one's wait is missing
};

class Mbarriers {
 public:
  /// A block of so many threads begins.
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
  /// @param clock the block's
  void arrived(std::uintptr_t barrier, unsigned thread, std::uint32_t clock) {
    note(barrier, &Uses::arrived, thread, clock);
  }
  void waited(std::uintptr_t barrier, unsigned thread, std::uint32_t clock) {
    note(barrier, &Uses::waited, thread, clock);
  }

  /// Of an access that is to come before what thread `second` does: where the two meet. None where they have come to no
  /// mbarrier since the block's last barrier, or only to those that take its place: all threads arrive, and both wait. One
  /// at which nobody has come yet may be meant for the two.
  /// @param since the clock of the block's last barrier
  std::optional<Meeting> between(const Stamp& first, unsigned second, std::uint32_t since) const;

 private:
  /// By thread the time of its last arrival and of its last wait; 0: none.
  struct Uses {
    std::vector<std::uint32_t> arrived, waited;
    bool used = false;  ///< somebody has come there
  };
  void note(std::uintptr_t barrier, std::vector<std::uint32_t> Uses::*how, unsigned thread,
            std::uint32_t clock);

  unsigned threads_ = 0;
  std::map<std::uintptr_t, Uses> all_;
};

}  // namespace cuemu::check
