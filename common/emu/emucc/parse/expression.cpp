#include "parse/expression.hpp"

namespace emucc {

const Expression& inside_parentheses(const Expression& expression) {
  const Expression* inner = &expression;
  while (inner->kind == Expression::Kind::parentheses) inner = inner->parts[0];
  return *inner;
}

namespace {
/// True if the cast is a type's name followed by such brackets. They may contain a constructor's arguments.
bool constructs_by(const Syntax& syntax, const Expression& cast, std::string_view open) {
  return cast.kind == Expression::Kind::cast && cast.style == Expression::Style::functional &&
         syntax.is(cast.type_end, open) && cast.type.base != ValueType::Base::arithmetic;
}
}  // namespace

bool is_construction(const Syntax& syntax, const Expression& cast) {
  return constructs_by(syntax, cast, "(");
}

bool is_list_construction(const Syntax& syntax, const Expression& cast) {
  return constructs_by(syntax, cast, "{");
}

const char* kind_name(Expression::Kind kind) {
  switch (kind) {
    case Expression::Kind::literal:
      return "literal";
    case Expression::Kind::name:
      return "name";
    case Expression::Kind::this_:
      return "this";
    case Expression::Kind::parentheses:
      return "parentheses";
    case Expression::Kind::member:
      return "member";
    case Expression::Kind::index:
      return "index";
    case Expression::Kind::call:
      return "call";
    case Expression::Kind::unary:
      return "unary";
    case Expression::Kind::binary:
      return "binary";
    case Expression::Kind::assignment:
      return "assignment";
    case Expression::Kind::conditional:
      return "conditional";
    case Expression::Kind::cast:
      return "cast";
    case Expression::Kind::query:
      return "query";
    case Expression::Kind::new_:
      return "new";
    case Expression::Kind::delete_:
      return "delete";
    case Expression::Kind::throw_:
      return "throw";
    case Expression::Kind::lambda:
      return "lambda";
    case Expression::Kind::list:
      return "list";
    case Expression::Kind::launch:
      return "launch";
    case Expression::Kind::assembly:
      return "assembly";
    case Expression::Kind::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace emucc
