/// @file
/// Which functions may keep the address of what they get by a reference, in a result, an object or another argument.
///
/// A kernel's phases work on copies of what each thread has for itself. A variable whose address outlives the statement
/// that takes it must stay where it is.
#pragma once
#include "parse/classes.hpp"
#include "parse/functions.hpp"

namespace emucc {

/// May the call of what is named at `callee`, a function or a member function, keep the address of the argument at
/// `position`?
bool may_keep_argument(const Syntax& syntax, std::size_t callee, const std::vector<const Method*>& methods,
                       std::size_t position);
/// May one of the member functions keep the address of its object, or of a part of it, there itself among others?
bool may_keep_object(const Syntax& syntax, const std::vector<const Method*>& methods);

/// What an object does with that of which it is made, `T v(x)` or `T v{x}`.
struct Making {
  bool changes = false;  ///< it may change it while it is made
  bool keeps = false;    ///< it may know it by a reference or a pointer from then on
};
/// @param type the last word of the object's type
Making making_of(const Syntax& syntax, std::size_t type);

}  // namespace emucc
