/// @file
/// Reads declarations of variables with one of CUDA's specifiers: the type, the names, and each name's
/// pointers and array bounds.
#pragma once
#include "parse/syntax.hpp"

namespace emucc {

/// One name in a declaration. `float *(*p)[4]` has the specifiers `float` and the declarator `*(*p)[4]`.
struct Declarator {
  std::size_t begin = 0, end = 0;  ///< tokens, without an initialiser
  std::size_t name =
      Declaration::npos;  ///< the identifier; npos when there is none: the declaration is broken
  std::size_t initialiser = Declaration::npos;  ///< `=`, `{` or `(`
};

struct VariableDeclaration {
  std::size_t begin = 0, end = 0;  ///< [begin, end) with the `;`
  bool is_extern = false;
  std::vector<std::size_t> type;        ///< the tokens that spell the type: no storage class, no attributes
  std::vector<std::size_t> alignments;  ///< the `(` of alignas and __align__
  std::size_t class_key = Declaration::npos;   ///< the type is defined in place: `struct`, `union` or `class`
  std::size_t class_body = Declaration::npos;  ///< the type's `{`
  std::size_t class_name = Declaration::npos;  ///< the type's name, if it has one
  std::vector<Declarator> declarators;
};

/// Reads a declaration in a function or a namespace. `word` is the position of its specifier (`__shared__`,
/// `__device__` …).
/// @param limit the end of the enclosing block
VariableDeclaration read_variables(const Syntax& syntax, std::size_t word, std::size_t limit);

}  // namespace emucc
