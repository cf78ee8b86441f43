// Where an object file that holds the user's code lies in memory: the program, or a shared library.
#pragma once

#include <cstdint>
#include <optional>

namespace cuemu::check {

struct OwnCode {
  std::uintptr_t begin;      ///< of the object
  std::uintptr_t code_end;   ///< behind its code
  std::uintptr_t variables;  ///< where its variables begin; what lies before them is constant
};
/// The object that holds the checker.
const OwnCode& own_code();
/// The object that holds this code: of a program with shared libraries each may have code that is checked. None for code that
/// was made while the program runs.
std::optional<OwnCode> object_with(const void* code);

}  // namespace cuemu::check
