// What the threads of a block do until the next barrier, one after the other, and how it is told: for each warp in steps, as
// lockstep.hpp puts lanes together. Made for many short entries: they stand in one list, in the order in which they come, and
// what many of them have in common stands once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "recorded.hpp"
#include "sites.hpp"

namespace cuemu::check {

/// How a step is told.
enum class Does : std::uint8_t { read, write, atomic, warp_meets, group_meets };

/// What accesses of one kind, or meetings at one place, have in common.
struct DeedKind {
  Site site = 0;            ///< 0: lanes meet
  std::uint32_t place = 0;  ///< a number for its line
  std::uint32_t array = 0;
  std::uint32_t size = 0;  ///< bytes
  Does does = Does::read;
  bool is_atomic = false;
  bool strays = false;  ///< outside of every array: it has no value
  bool operator==(const DeedKind& other) const {
    return site == other.site && place == other.place && array == other.array && size == other.size &&
           does == other.does && is_atomic == other.is_atomic && strays == other.strays;
  }
};

struct Deed {
  std::int64_t at = 0;                    ///< bytes from the array's beginning; outside of it where it strays
  std::array<unsigned char, 16> value{};  ///< or its first bytes
  std::uint32_t kind = 0;
  std::uint32_t thread = 0;  ///< `none`: it is a part of another
  static constexpr std::uint32_t none = ~0u;
};

class TraceLog {
 public:
  /// For a block of so many threads; what was there is gone.
  void begin(std::size_t threads);
  std::size_t threads() const { return last_.size(); }
  std::size_t size() const { return deeds_.size(); }

  /// @param address of its value, unless it strays
  void add(std::uint32_t thread, const DeedKind& kind, std::int64_t at, std::uintptr_t address);
  /// The deed at this position (size() before it was added) has this value now.
  void renew(std::size_t position, std::uintptr_t address);
  /// The thread's last deed; null: there is none.
  const Deed* last_of(std::uint32_t thread) const;
  const DeedKind& kind_of(const Deed& deed) const { return kinds_[deed.kind]; }
  void drop_last_of(std::uint32_t thread);

  /// Appends the steps of all warps, as JSON with commas between: [warp, place, array, what is done, mask of lanes, bytes of
  /// each, where in the array, 1 if in even steps, values]; of a meeting what comes before the bytes.
  /// @param has_room asked before each step, with the bytes that were appended since it was asked last. @return whether all
  ///        steps are told
  bool tell(std::string& text, const std::function<bool(std::size_t)>& has_room);
  /// The barrier is passed.
  void clear();

 private:
  std::uint32_t number_of(const DeedKind& kind);
  void rank_kinds();
  void tell_step(std::string& text, std::size_t warp, std::uint32_t lanes, const std::uint32_t* deeds) const;

  std::vector<Deed> deeds_;
  std::vector<std::uint32_t> last_;  ///< of each thread, its position and 1; 0: none
  std::vector<DeedKind> kinds_;
  std::vector<std::uint32_t>
      ranks_;  ///< of each kind, in the order of the code; equal where steps do not tell them apart
  std::vector<std::uint32_t> by_hash_;  ///< the kind that was seen last with this hash, and 1
};

/// Threads as ranges, both ends included: [0,31,40,40].
std::string ranges_text(std::vector<std::uint32_t> threads);

}  // namespace cuemu::check
