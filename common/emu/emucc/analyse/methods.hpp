/// @file
/// Member functions of the user's classes, as far as tokens show which one a call means: `grid.along(x)`, where
/// `grid` is declared with the name of a class that is defined once.
#pragma once
#include <string_view>
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

struct Method {
  std::size_t parameters = Syntax::npos;  ///< its `(`
  std::size_t body = Syntax::npos;        ///< its `{`; npos: it is defined elsewhere, or virtual
  bool constant = false;                  ///< it can't change the object
  bool gives_address = false;             ///< its result may lead to the object's memory
};

/// The `{` of the class of the variable that is named at `variable`; npos where that can't be told.
std::size_t class_of(const Syntax& syntax, std::size_t variable);

/// All functions of that name in the class whose `{` is given.
std::vector<Method> methods(const Syntax& syntax, std::size_t class_body, std::string_view name);

/// What is called at `name`, behind a variable and a `.`; empty where that can't be told.
std::vector<Method> called_methods(const Syntax& syntax, std::size_t name);

/// Is what stands at `name`, behind a variable and a `.`, a pointer? Then `v.p[i] = 1` does not change v.
bool is_pointer_member(const Syntax& syntax, std::size_t name);

/// Is it an array of the object's own? Then `v.a[i]` is a part of v.
bool is_array_member(const Syntax& syntax, std::size_t name);

}  // namespace emucc
