#include "facts/lambdas.hpp"

#include "parse/syntax_tree.hpp"

namespace emucc {

std::optional<Lambda> read_lambda(const Syntax& syntax, const Expression& expression) {
  if (expression.kind != ExpressionKind::lambda) return std::nullopt;
  Lambda lambda;
  lambda.expression = &expression;
  lambda.begin = expression.begin;
  lambda.body = expression.at;
  const std::size_t close = syntax.partner(lambda.begin);
  for (std::size_t i = lambda.begin + 1; i < close; i = syntax.after(i)) {
    const bool first = i == lambda.begin + 1, last = i + 1 == close || syntax.is(i + 1, ",");
    const bool starts = first || syntax.is(i - 1, ",");
    if (syntax.is(i, "=") && starts && last)
      lambda.by_default = lambda.copies = true;
    else if (syntax.is(i, "&") && starts && last)
      lambda.by_default = true;
    else if (syntax.is(i, "="))
      lambda.has_state = true;  // [n = 2 * m]
    else if (starts && !syntax.is(i, "&"))
      lambda.copies = true;
  }
  for (std::size_t i = close + 1; i < lambda.body; i = syntax.after(i)) {
    if (syntax.is(i, "<") && syntax.template_close(i) != npos) i = syntax.template_close(i);
    if (syntax.is(i, "(") && lambda.parameters == npos && syntax.word(i - 1) != Word::argument_keyword)
      lambda.parameters = i;
    lambda.has_state = lambda.has_state || syntax.is(i, "mutable");
  }
  return lambda;
}

std::optional<Lambda> lambda_of(const Syntax& syntax, const LocalName& name) {
  if (name.initialiser == npos || name.pointer || name.reference || name.array || name.direct ||
      !syntax.is(name.initialiser, "["))
    return std::nullopt;
  return read_lambda(syntax, syntax.tree().expression(name.initialiser, name.initialiser_end));
}

const std::vector<Statement>& body_of(const Syntax& syntax, const Lambda& lambda) {
  return syntax.tree().body(lambda.body + 1, lambda.end() - 1).statements;
}

namespace {
void add_names(const Syntax& syntax, const std::vector<Statement>& statements,
               std::vector<std::size_t>& names) {
  const auto add_lambda = [&](const Expression& node) {
    if (const auto inner = read_lambda(syntax, node)) {
      const auto own = own_names(syntax, *inner);
      names.insert(names.end(), own.begin(), own.end());
    }
  };
  for (const Statement& statement : statements) {
    for (const auto* list : {&statement.names, &statement.counters})
      for (const LocalName& name : *list) names.push_back(name.name);
    for (const StatementPart& part : parts_of(syntax, statement)) walk(*part.expression, add_lambda);
    add_names(syntax, statement.children, names);
  }
}
}  // namespace

std::vector<std::size_t> own_names(const Syntax& syntax, const Lambda& lambda) {
  std::vector<std::size_t> names;
  if (lambda.parameters != npos)
    for (const Parameter& parameter : read_parameters(syntax, lambda.parameters))
      if (parameter.name != npos) names.push_back(parameter.name);
  add_names(syntax, body_of(syntax, lambda), names);
  return names;
}

std::uint64_t reference_mask(const Syntax& syntax, const Lambda& lambda) {
  return lambda.parameters == npos ? 0 : reference_mask(read_parameters(syntax, lambda.parameters));
}

}  // namespace emucc
