// Places in the program's code as small numbers, given when they are first seen, so that shadow memory can
// keep them in a few bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "own_code.hpp"

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
    const std::uint32_t* const entry = entry_of(pc);
    return entry != nullptr && (*entry & ~own) != unknown ? (*entry & ~own) - 1 : foreign;
  }
  Site at(const void* pc) {
    const std::uint32_t* const entry = entry_of(pc);
    return entry != nullptr && (*entry & ~own) != unknown ? (*entry & ~own) - 1 : find(pc);
  }
  /// Of code that was asked for before: was it written by the user, where it stands?
  bool is_users_own(const void* pc) const {
    const std::uint32_t* const entry = entry_of(pc);
    return entry != nullptr && (*entry & own) != 0;
  }
  /// Does the object that holds the checker, or the code at `pc`, have something constant at this address?
  bool is_constant(std::uintptr_t address, const void* pc) const;

 private:
  static constexpr std::uint32_t unknown = 0;     ///< others are a site and 1
  static constexpr std::uint32_t own = 1u << 31;  ///< and this, in the user's own code
  /// The code of one object.
  struct Table {
    OwnCode code;
    std::uint32_t* by_offset;  ///< by byte of the code; pages that are never used take no memory
    bool has(const void* pc) const {
      return reinterpret_cast<std::uintptr_t>(pc) - code.begin < code.code_end - code.begin;
    }
    std::uint32_t* entry(const void* pc) const {
      return by_offset + (reinterpret_cast<std::uintptr_t>(pc) - code.begin);
    }
  };
  static Table table_for(const OwnCode& code);
  /// Null: no table has it yet.
  std::uint32_t* entry_of(const void* pc) const {
    return __builtin_expect(first_.has(pc), 1) ? first_.entry(pc) : entry_elsewhere(pc);
  }
  std::uint32_t* entry_elsewhere(const void* pc) const;
  const Table* table_elsewhere(const void* pc) const;
  Site find(const void* pc);

  const Table first_;  ///< of the object that holds the checker
  /// Of other objects, such as shared libraries of kernels, in the order in which their code was first seen; null behind the last.
  static constexpr std::size_t most_others = 64;
  std::atomic<const Table*> others_[most_others + 1] = {};
};

}  // namespace cuemu::check
