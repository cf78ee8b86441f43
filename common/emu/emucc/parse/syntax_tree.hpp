/// @file
/// The trees of a token stream. Each expression and each function body is read once, at its first use.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "parse/classes.hpp"
#include "parse/expression.hpp"
#include "parse/functions.hpp"
#include "parse/scopes.hpp"
#include "parse/statements.hpp"

namespace emucc {

/// The statements of a body that were understood; see Reading::everything.
struct Body {
  std::vector<Statement> statements;
};

class SyntaxTree {
 public:
  explicit SyntaxTree(const Syntax& syntax) : syntax_(syntax), scopes_(syntax) {}

  /// Returns the tree of the expression [begin, end). Its kind is `unknown` if the tokens are no expression.
  const Expression& expression(std::size_t begin, std::size_t end);
  /// Returns the statements in [begin, end), the inside of a function or a block.
  const Body& body(std::size_t begin, std::size_t end);
  Scopes& scopes() { return scopes_; }
  /// Returns the classes of the original text. Tokens that passes append add no classes.
  const Classes& classes();
  /// Returns the functions of the original text.
  const Functions& functions();

 private:
  using Range = std::pair<std::size_t, std::size_t>;

  const Syntax& syntax_;
  Scopes scopes_;
  std::optional<Classes> classes_;
  std::optional<Functions> functions_;
  std::deque<Expression> nodes_;  ///< they refer to one another
  std::map<Range, const Expression*> expressions_;
  std::map<Range, Body> bodies_;
};

/// An expression that belongs to a statement.
struct StatementPart {
  const Expression* expression = nullptr;
  const LocalName* initialises = nullptr;  ///< the variable whose initialiser it is
};

/// Returns the expressions of a statement: its value, its condition, the parts of its header, initialisers
/// and array bounds. Expressions of nested statements are left out.
std::vector<StatementPart> parts_of(const Syntax& syntax, const Statement& statement);

}  // namespace emucc
