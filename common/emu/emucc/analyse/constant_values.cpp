#include "analyse/constant_values.hpp"

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// Returns the beginning of the declaration of the name at `name`. The search ends at the enclosing bracket.
std::size_t declaration_begin(const Syntax& syntax, std::size_t name) {
  std::size_t begin = name;
  while (begin > 0) {
    const std::size_t before = begin - 1;
    if (syntax.is(before, ";") || syntax.is(before, "{") || syntax.is(before, "}") || syntax.is(before, "("))
      break;
    const bool closes = syntax.is(before, ")") || syntax.is(before, "]");
    if (closes && syntax.partner(before) == npos) break;
    begin = closes ? syntax.partner(before) : before;
  }
  return begin;
}

/// Returns true if the declaration is an enumeration, as in `enum E : int { a, b = 2 }`.
bool is_enumerator(const Syntax& syntax, std::size_t begin) {
  if (begin == 0 || !syntax.is(begin - 1, "{")) return false;
  std::size_t head = begin - 1;
  while (head > 0 &&
         (syntax.is_identifier(head - 1) || syntax.is(head - 1, ":") || syntax.is(head - 1, "::")))
    if (syntax.word(--head) == Word::enumeration) return true;
  return false;
}

/// Returns true if C++ may accept the variable declared at `name` where it requires a constant.
bool may_be_constant(const Syntax& syntax, std::size_t name, int depth) {
  const std::size_t begin = declaration_begin(syntax, name);
  if (is_enumerator(syntax, begin)) return true;
  const bool in_parentheses = begin > 0 && syntax.is(begin - 1, "(");
  bool constant = false;
  for (std::size_t i = begin; i < name; ++i) {
    if (syntax.word(i) == Word::constexpr_ || syntax.is(i, "auto") || syntax.is(i, "&") || syntax.is(i, "<"))
      return true;  // the type is one that tokens don't show
    constant = constant || syntax.is(i, "const");
  }
  if (in_parentheses || !constant) return false;
  if (!syntax.is(name + 1, "=")) return true;
  std::size_t end = name + 2;
  while (end < syntax.size() && !syntax.is(end, ";") && !syntax.is(end, ",")) end = syntax.after(end);
  return depth > 8 || !is_known_at_run_time(syntax, syntax.tree().expression(name + 2, end));
}

bool known_at_run_time(const Syntax& syntax, const Expression& expression, int depth) {
  switch (expression.kind) {
    case ExpressionKind::name: {
      if (syntax.is_built_in_variable(expression.at)) return syntax.word(expression.at) != Word::warp_size;
      if (!expression.type.known() || expression.type.base != ValueType::Base::arithmetic ||
          expression.type.pointers > 0 || expression.type.dimensions > 0)
        return false;
      if (expression.end - expression.begin != 1) return false;
      const std::size_t declared = syntax.tree().scopes().meaning(expression.at).declared;
      return declared != npos && declared < expression.at && !may_be_constant(syntax, declared, depth);
    }
    case ExpressionKind::parentheses:
    case ExpressionKind::unary:
    case ExpressionKind::binary:
    case ExpressionKind::conditional:
    case ExpressionKind::cast:
    case ExpressionKind::member:
      for (const Expression* part : expression.parts)
        if (known_at_run_time(syntax, *part, depth + 1)) return true;
      return false;
    case ExpressionKind::literal:
    case ExpressionKind::this_:
    case ExpressionKind::index:
    case ExpressionKind::call:
    case ExpressionKind::assignment:
    case ExpressionKind::query:
    case ExpressionKind::new_:
    case ExpressionKind::delete_:
    case ExpressionKind::throw_:
    case ExpressionKind::lambda:
    case ExpressionKind::list:
    case ExpressionKind::launch:
    case ExpressionKind::assembly:
    case ExpressionKind::unknown:
      return false;
  }
  return false;
}

}  // namespace

bool is_known_at_run_time(const Syntax& syntax, const Expression& expression) {
  return known_at_run_time(syntax, expression, 0);
}

}  // namespace emucc
