// Where the object file that holds the checker, with the user's code that is linked to it, lies in memory: the program,
// or a shared library.
#pragma once

#include <cstdint>

namespace cuemu::check {

struct OwnCode {
  std::uintptr_t begin;      ///< of the object
  std::uintptr_t code_end;   ///< behind its code
  std::uintptr_t variables;  ///< where its variables begin; what lies before them is constant
};
const OwnCode& own_code();

}  // namespace cuemu::check
