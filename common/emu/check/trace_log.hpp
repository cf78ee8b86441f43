// Records the actions of a block's threads until the next barrier, one thread after another. Writes them as
// steps of each warp, which lockstep.hpp merges. Entries are many and short. So they form one list in the
// order of arrival, and data common to several entries is stored once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "recorded.hpp"
#include "sites.hpp"

namespace cuemu::check {

/// The kind of a step.
enum class Does : std::uint8_t { read, write, atomic, warp_meets, group_meets };

/// The data that accesses of one kind, or meetings at one place, have in common.
struct DeedKind {
  Site site = 0;            ///< 0: lanes meet
  std::uint32_t place = 0;  ///< the number of its line
  std::uint32_t array = 0;
  std::uint32_t size = 0;  ///< bytes
  Does does = Does::read;
  bool is_atomic = false;
  bool strays = false;  ///< outside every array: without a value
  bool operator==(const DeedKind& other) const {
    return site == other.site && place == other.place && array == other.array && size == other.size &&
           does == other.does && is_atomic == other.is_atomic && strays == other.strays;
  }
};

struct Deed {
  std::int64_t at = 0;  ///< bytes from the array's beginning; outside the array if the access strays
  std::array<unsigned char, 16> value{};  ///< its value, or the first bytes
  std::uint32_t kind = 0;
  std::uint32_t thread = 0;  ///< `none`: it is a part of another deed
  static constexpr std::uint32_t none = ~0u;
};

class TraceLog {
 public:
  /// Begins a block with this many threads. Discards the data of earlier blocks.
  void begin(std::size_t threads);
  std::size_t threads() const { return last_.size(); }
  std::size_t size() const { return deeds_.size(); }

  /// @param address the address of the value, unless the access strays
  void add(std::uint32_t thread, const DeedKind& kind, std::int64_t at, std::uintptr_t address);
  /// Sets the value of the deed at this position to the current one. The position is the value of size()
  /// before the deed was added.
  void renew(std::size_t position, std::uintptr_t address);
  /// The thread's last deed; null if there is none.
  const Deed* last_of(std::uint32_t thread) const;
  const DeedKind& kind_of(const Deed& deed) const { return kinds_[deed.kind]; }
  void drop_last_of(std::uint32_t thread);

  /// Appends the steps of all warps, as comma-separated JSON: [warp, place, array, kind, lane mask, bytes of
  /// each, offset in the array, 1 for even steps, values]. A meeting has only the fields before the bytes.
  /// @param has_room called before each step with the number of bytes appended since the last call
  /// @return whether all steps were written
  bool write_to(std::string& text, const std::function<bool(std::size_t)>& has_room);
  /// Discards all entries. Called when the block has passed the barrier.
  void clear();

 private:
  std::uint32_t number_of(const DeedKind& kind);
  void rank_kinds();
  void write_step(std::string& text, std::size_t warp, std::uint32_t lanes, const std::uint32_t* deeds) const;

  std::vector<Deed> deeds_;
  std::vector<std::uint32_t> last_;  ///< for each thread, 1 + the position of its last deed; 0: none
  std::vector<DeedKind> kinds_;
  std::vector<std::uint32_t>
      ranks_;  ///< the rank of each kind, in code order; equal for kinds that steps do not distinguish
  std::vector<std::uint32_t> by_hash_;  ///< 1 + the last kind with this hash
};

/// Writes threads as ranges whose ends are both included: [0,31,40,40].
std::string ranges_text(std::vector<std::uint32_t> threads);

}  // namespace cuemu::check
