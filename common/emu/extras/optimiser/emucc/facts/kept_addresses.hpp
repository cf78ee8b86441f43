/// @file
/// Finds functions that may keep the address of a reference argument in a result, an object or another argument.
///
/// A kernel's phases work on copies of each thread's variables. A variable whose address outlives the statement that
/// takes it must keep its location.
#pragma once
#include "parse/classes.hpp"
#include "parse/functions.hpp"

namespace emucc {

/// Returns true if the call of the function or member function at `callee` may keep the address of the
/// argument at `position`.
bool may_keep_argument(const Syntax& syntax, std::size_t callee, const std::vector<const Method*>& methods,
                       std::size_t position);
/// Returns true if one of the member functions may keep the address of its object or of a part of the object,
/// even inside the object itself.
bool may_keep_object(const Syntax& syntax, const std::vector<const Method*>& methods);

/// The effects of an object's construction, `T v(x)` or `T v{x}`, on its argument.
struct Making {
  bool changes = false;  ///< the construction may change the argument
  bool keeps = false;    ///< the object may keep a reference or pointer to the argument
};
/// @param type the last word of the object's type
Making making_of(const Syntax& syntax, std::size_t type);

}  // namespace emucc
