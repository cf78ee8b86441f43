/// @file
/// Reads the body of a function as a tree of statements, as far as tokens show it.
#pragma once
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

/// A name in a declaration statement.
struct LocalName {
  std::size_t begin = 0;                   ///< first token of the declarator: `*`, `&` or the name
  std::size_t name = 0;                    ///< the name itself
  std::size_t end = 0;                     ///< after the declarator: initialiser, `,` or `;`
  std::size_t initialiser = Syntax::npos;  ///< after `=`, or the `(` or `{`; npos: none
  std::size_t initialiser_end = 0;         ///< after the initialiser
  bool pointer = false, reference = false, array = false;
  bool direct = false;  ///< `T v(x)`: the initialiser is in parentheses
};

/// Returns the number of bracket pairs after the name: 2 for `s[4][8]`.
std::size_t dimensions_of(const Syntax& syntax, const LocalName& array);

/// Returns the number of elements that `{…}` gives an array without a declared size; 0 if it is unknown.
std::size_t listed_elements(const Syntax& syntax, const LocalName& array);

struct Statement {
  enum class Kind {
    compound,
    declaration,  ///< of variables
    shared,       ///< of `__shared__` variables
    alias,        ///< using, typedef, static_assert, namespace a = b
    expression,   ///< with its `;`; also a lone `;`
    if_,
    for_,
    while_,
    do_,
    switch_,
    return_,
    break_,
    continue_,
    range_for,  ///< `for (T x : range)`; the range is the initialiser of `x`
    unknown,    ///< see Reading::everything
  };
  Kind kind = Kind::expression;
  std::size_t begin = 0, end = 0;     ///< with a `#pragma` before it
  std::size_t head = 0;               ///< the first token after that
  std::size_t open = Syntax::npos;    ///< the header's parenthesis, or the compound's brace
  std::size_t close = Syntax::npos;   ///< its closing bracket
  std::size_t semicolon[2] = {0, 0};  ///< of a for statement
  std::vector<Statement> children;    ///< a compound's statements, an `if`'s branches, a loop's body
  // In a declaration, or in the declaration of a for statement's header:
  std::size_t type = 0, type_end = 0;  ///< the specifiers
  std::vector<LocalName> names;
  std::vector<LocalName> counters;  ///< the variables that the header of a for statement declares
};

enum class Reading {
  splittable,  ///< statements that the splitter can divide
  assembly,    ///< inline PTX is a statement too
  everything,  ///< also static variables; unknown text is a statement of kind `unknown`
};

/// Appends the statements of [begin, end) to `found`. Returns false if they contain text that this reader
/// does not know (labels, `try`, local classes, structured bindings …).
bool read_statements(const Syntax& syntax, std::size_t begin, std::size_t end, std::vector<Statement>& found,
                     Reading reading = Reading::splittable);

/// Reads the variable declaration at `at` into `type` and `names` of `found`. Returns false if there is none.
/// The declaration ends with a `;`, or at `end` if that comes first.
bool read_declaration(const Syntax& syntax, std::size_t at, std::size_t end, Statement& found);

}  // namespace emucc
