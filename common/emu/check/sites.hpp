// Numbers places in the program's code in the order of first use, so that shadow memory can store a place in
// a few bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "own_code.hpp"

namespace cuemu::check {

/// The number of a place in the user's code; 0 for other code.
using Site = std::uint32_t;

/// How the code at an address is related to the user's source.
enum class Code : std::uint8_t {
  foreign,    ///< code of the emulation, or of a library
  users_own,  ///< code that the user has written
  inlined     ///< code of a function that was inlined into the user's code
};
Code code_at(const void* pc);

/// Returns the code address of a site, which is the end of its call or instruction; null for 0.
const void* address_of(Site site);

/// Records that the atomic accesses at a site are `volatile` accesses. A mark in shadow memory has no bit for
/// that.
void note_volatile(Site site);
bool is_volatile_at(Site site);

/// The sites of all code.
class Sites {
 public:
  static constexpr Site foreign = 0;

  Sites();
  /// Returns the site of an address that was looked up before, if the address is in the user's code.
  Site known(const void* pc) const {
    const std::uint32_t* const entry = entry_of(pc);
    return entry != nullptr && (*entry & ~own) != unknown ? (*entry & ~own) - 1 : foreign;
  }
  Site at(const void* pc) {
    const std::uint32_t* const entry = entry_of(pc);
    return entry != nullptr && (*entry & ~own) != unknown ? (*entry & ~own) - 1 : find(pc);
  }
  /// Whether the user wrote the code at an address that was looked up before.
  bool is_users_own(const void* pc) const {
    const std::uint32_t* const entry = entry_of(pc);
    return entry != nullptr && (*entry & own) != 0;
  }
  /// Whether this address is constant data of the checker's object or of the object that contains the code at
  /// `pc`.
  bool is_constant(std::uintptr_t address, const void* pc) const;

 private:
  static constexpr std::uint32_t unknown = 0;     ///< other values are 1 + a site
  static constexpr std::uint32_t own = 1u << 31;  ///< added to the user's own code
  /// The code of one object.
  struct Table {
    OwnCode code;
    std::uint32_t* by_offset;  ///< by the code's byte offset; unused pages take no memory
    bool has(const void* pc) const {
      return reinterpret_cast<std::uintptr_t>(pc) - code.begin < code.code_end - code.begin;
    }
    std::uint32_t* entry(const void* pc) const {
      return by_offset + (reinterpret_cast<std::uintptr_t>(pc) - code.begin);
    }
  };
  static Table table_for(const OwnCode& code);
  /// Returns the table's entry for an address; null if no table contains the address yet.
  std::uint32_t* entry_of(const void* pc) const {
    return __builtin_expect(first_.has(pc), 1) ? first_.entry(pc) : entry_elsewhere(pc);
  }
  std::uint32_t* entry_elsewhere(const void* pc) const;
  const Table* table_elsewhere(const void* pc) const;
  Site find(const void* pc);

  const Table first_;  ///< the table of the checker's object
  /// The tables of other objects, such as shared libraries with kernels, in the order of first use. A null is
  /// at the end.
  static constexpr std::size_t most_others = 64;
  std::atomic<const Table*> others_[most_others + 1] = {};
};

}  // namespace cuemu::check
