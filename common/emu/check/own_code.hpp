// The addresses of an object file that contains the user's code: the program or a shared library.
#pragma once

#include <cstdint>
#include <optional>

namespace cuemu::check {

struct OwnCode {
  std::uintptr_t begin;      ///< the beginning of the object
  std::uintptr_t code_end;   ///< end of its code
  std::uintptr_t variables;  ///< beginning of its variables; memory before them is constant
};
/// Returns the object that contains the checker.
const OwnCode& own_code();
/// Returns the object that contains this code. In programs with shared libraries, several objects may contain
/// checked code. None for code that was generated at run time.
std::optional<OwnCode> object_with(const void* code);

}  // namespace cuemu::check
