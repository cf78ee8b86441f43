/// @file
/// Local variables that are lambdas, `auto scaled = [&](int i) { return in[i] * scale; };`: functions whose names and
/// captures show their effects.
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
  std::size_t parameters = Syntax::npos;  ///< the `(`; npos: it has none
  std::size_t body = 0;                   ///< the `{`
  bool by_default = false;                ///< `[&]` or `[=]`: every variable that it mentions is captured
  bool copies = false;                    ///< something is captured by value
  bool has_state = false;                 ///< it is `mutable`, or has an init-capture
  std::size_t end() const { return expression->end; }
};

/// The lambda at `expression`, if it is one.
std::optional<Lambda> read_lambda(const Syntax& syntax, const Expression& expression);
/// The lambda that initialises the variable, if any; valid as long as the variable isn't assigned to.
std::optional<Lambda> lambda_of(const Syntax& syntax, const LocalName& name);

/// The statements of its body that were understood.
const std::vector<Statement>& body_of(const Syntax& syntax, const Lambda& lambda);
/// The names' tokens of its parameters, and of declarations in its body and in lambdas there.
std::vector<std::size_t> own_names(const Syntax& syntax, const Lambda& lambda);
/// See reference_mask in parse/parameters.hpp.
std::uint64_t reference_mask(const Syntax& syntax, const Lambda& lambda);

}  // namespace emucc
