/// @file
/// Reads local variables that are lambdas, as in `auto scaled = [&](int i) { return in[i] * scale; };`. The
/// names and the captures of a lambda show its effects.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "parse/expression.hpp"
#include "parse/parameters.hpp"
#include "parse/statements.hpp"

namespace emucc {

struct Lambda {
  const Expression* expression = nullptr;
  std::size_t begin = 0;                  ///< the `[`
  std::size_t parameters = Syntax::npos;  ///< the `(`; npos: the lambda has none
  std::size_t body = 0;                   ///< the `{`
  bool by_default = false;                ///< `[&]` or `[=]`: captures every variable that it mentions
  bool copies = false;                    ///< some variable is captured by value
  bool has_state = false;                 ///< the lambda is `mutable`, or has an init-capture
  std::size_t end() const { return expression->end; }
};

/// Returns the lambda that `expression` is, if any.
std::optional<Lambda> read_lambda(const Syntax& syntax, const Expression& expression);
/// Returns the lambda that initialises the variable, if any. The result is valid as long as the variable
/// isn't assigned to.
std::optional<Lambda> lambda_of(const Syntax& syntax, const LocalName& name);

/// Returns the statements of the lambda's body that the parser understood.
const std::vector<Statement>& body_of(const Syntax& syntax, const Lambda& lambda);
/// Returns the tokens of names that the lambda's parameters, its body and the lambdas in its body declare.
std::vector<std::size_t> own_names(const Syntax& syntax, const Lambda& lambda);
/// See reference_mask() in parse/parameters.hpp.
std::uint64_t reference_mask(const Syntax& syntax, const Lambda& lambda);

}  // namespace emucc
