/// @file
/// Expressions as trees. SyntaxTree reads them, and the analyses walk them.
///
/// An analysis of neighbouring tokens would have to know every C++ spelling of a construct. With trees, only
/// the reader knows the spellings. Code that walks a tree uses a `switch` over the kinds without a default,
/// so that a new kind causes a compile error wherever it isn't handled. Text that the reader does not
/// understand becomes an expression of kind `unknown`, which may have any effect.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

/// The known facts about the type of a variable or an expression.
struct ValueType {
  enum class Base : std::uint8_t { unknown, arithmetic, other };
  Base base = Base::unknown;
  std::uint8_t pointers = 0;    ///< number of `*`
  std::uint8_t dimensions = 0;  ///< of an array
  bool reference = false;       ///< as declared; an expression has none
  bool watched = false;         ///< `volatile`
  std::size_t name =
      Syntax::npos;  ///< the last word of a type that isn't a number: the `T` of `const a::T<int>*`
  bool known() const {
    return base != Base::unknown || pointers > 0 || dimensions > 0 || name != Syntax::npos;
  }
};

struct Expression {
  enum class Kind : std::uint8_t {
    literal,  ///< number, character, strings, `true`, `false`, `nullptr`
    name,     ///< `a`, `ns::f<2>`; `at` is the last identifier
    this_,
    parentheses,  ///< around one expression
    member,       ///< `object.name`, `object->name`; `at` is the member's name
    index,        ///< `array[i]`: the array, then the contents of the brackets
    call,         ///< the callee, then the arguments; `at` is the `(`
    unary,        ///< also `x++`, which is `postfix`
    binary,       ///< binary operators, and the comma
    assignment,   ///< `=`, `+=`, … : the target, then the value
    conditional,  ///< condition, then, else
    cast,         ///< the operands of `(T)x`, `T(x)`, `T{x}`, `static_cast<T>(x)`; for `T(x)` and
                  ///< `T{x}`, `at` is the type's name, or its last word
    query,        ///< `sizeof`, `alignof`, `typeid`, `noexcept`: the operand is not evaluated
    new_,
    delete_,
    throw_,
    lambda,    ///< `at` is the `{` of its body
    list,      ///< `{a, b}`
    launch,    ///< `f<<<a, b>>>(x)`: the callee, then all arguments
    assembly,  ///< its operands; `at` is the keyword
    unknown,   ///< tokens that were not understood
  };
  enum class Style : std::uint8_t { c, functional, named };  ///< of a cast

  Kind kind = Kind::unknown;
  Style style = Style::c;
  bool postfix = false;
  std::uint16_t depth = 1;         ///< of the tree below
  std::size_t begin = 0, end = 0;  ///< its tokens [begin, end)
  std::size_t at = 0;              ///< its characteristic token: the operator, the name …
  std::string_view op;             ///< of unary, binary, assignment, member: the operator
  /// For a cast: the tokens of the type. For a name or a member: the template arguments, without `<` and `>`.
  std::size_t type_begin = 0, type_end = 0;
  ValueType type;
  std::vector<const Expression*> parts;

  const Expression& part(std::size_t index) const { return *parts[index]; }
};

using ExpressionKind = Expression::Kind;

/// True for `T(x)` if it may call a constructor with `x`. False for `float(x)`.
bool is_construction(const Syntax& syntax, const Expression& cast);

/// True for `T{x}` if it may call a constructor or initialise members.
bool is_list_construction(const Syntax& syntax, const Expression& cast);

/// Returns the expression inside any number of parentheses.
const Expression& inside_parentheses(const Expression& expression);

/// Returns the name of a kind, for dumps.
const char* kind_name(Expression::Kind kind);

/// Calls `visit` for the expression and all expressions below it, in the order of the text. The bodies of
/// lambdas are skipped.
template <class Visit>
void walk(const Expression& expression, const Visit& visit) {
  visit(expression);
  for (const Expression* part : expression.parts) walk(*part, visit);
}

}  // namespace emucc
