/// @file
/// Reads the parameters of a function or of a template, as far as tokens show them.
#pragma once
#include <cstdint>
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

/// `const float* __restrict__ in`, `float (&s)[4][8]`, `int n = 3`
struct Parameter {
  std::size_t begin = 0, end = 0;            ///< without a default argument
  std::size_t name = Syntax::npos;           ///< npos: it has none
  std::size_t default_begin = Syntax::npos;  ///< after `=`; npos: none
  std::size_t default_end = Syntax::npos;
  int pointers = 0;            ///< number of `*` before the name
  bool constant = false;       ///< `const` before the name
  bool reference = false;      ///< `T&`
  bool rvalue = false;         ///< `T&&`
  bool array = false;          ///< `T s[]`: a pointer
  bool parenthesised = false;  ///< `T (&s)[4]` or `T (*f)(int)`
  bool pack = false;
};

/// @param open the `(` of a function's parameters, or the `<` of a template's
std::vector<Parameter> read_parameters(const Syntax& syntax, std::size_t open);

/// The parameters that may be references by which the function changes an argument. The first one is the
/// lowest bit.
std::uint64_t reference_mask(const std::vector<Parameter>& parameters);

}  // namespace emucc
