// Places in the program's code as small numbers, given when they are first seen, so that shadow memory can
// keep them in a few bits.
#pragma once

#include <cstdint>

namespace cuemu::check {

/// A place in the user's code; 0: code that is not the user's.
using Site = std::uint32_t;

/// How code at an address relates to the user's source.
enum class Code : std::uint8_t {
  foreign,    ///< the emulation's, or a library's
  users_own,  ///< written by the user
  inlined     ///< of a function that was inlined into the user's code
};
Code code_at(const void* pc);

/// What stands at a site, as where its call or instruction ends; null for 0.
const void* address_of(Site site);
Code code_of(Site site);

/// A mark in shadow memory has no room for it: is what is atomic at a site a `volatile` access?
void note_volatile(Site site);
bool is_volatile_at(Site site);

/// The sites of all code.
class Sites {
 public:
  static constexpr Site foreign = 0;

  Sites();
  /// The site if it was asked for before, and is the user's.
  Site known(const void* pc) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(pc) - begin_;
    if (offset >= bytes_) return foreign;
    const std::uint32_t known = by_offset_[offset] & ~own;
    return known != unknown ? known - 1 : foreign;
  }
  Site at(const void* pc) {
    const auto offset = reinterpret_cast<std::uintptr_t>(pc) - begin_;
    if (offset >= bytes_) return foreign;
    const std::uint32_t known = by_offset_[offset] & ~own;
    return known != unknown ? known - 1 : find(pc);
  }
  /// Of code that was asked for before: was it written by the user, where it stands?
  bool is_users_own(const void* pc) const {
    return (by_offset_[reinterpret_cast<std::uintptr_t>(pc) - begin_] & own) != 0;
  }

 private:
  static constexpr std::uint32_t unknown = 0;     ///< others are a site and 1
  static constexpr std::uint32_t own = 1u << 31;  ///< and this, in the user's own code
  Site find(const void* pc);

  std::uintptr_t begin_;
  std::size_t bytes_;
  std::uint32_t* by_offset_;  ///< by byte of the program's code; pages that are never used take no memory
};

}  // namespace cuemu::check
