// Reads types in expressions: the various uses of parentheses, and casts.
#include "parse/expression_reader_detail.hpp"

namespace emucc::detail {
namespace {

/// True if the token begins an operand, whatever the preceding token is. An infix operator does not.
bool begins_operand(const Syntax& syntax, std::size_t at) {
  const TokenKind kind = syntax.stream().tokens[at].kind;
  if (kind == TokenKind::number || kind == TokenKind::string || kind == TokenKind::character) return true;
  if (kind == TokenKind::identifier) {
    for (std::string_view op : {"and", "or", "xor", "bitand", "bitor", "not_eq", "and_eq", "or_eq", "xor_eq"})
      if (syntax.is(at, op)) return false;
    return true;
  }
  return syntax.is(at, "!") || syntax.is(at, "~") || syntax.is(at, "{") || syntax.is(at, "::");
}

bool is_prefix_and_infix(const Syntax& syntax, std::size_t at) {
  for (std::string_view op : {"(", "*", "&", "&&", "+", "-"})
    if (syntax.is(at, op)) return true;
  return false;
}

}  // namespace

/// Returns the position after a type's cv qualifiers, `*` and `&`.
std::size_t ExpressionReader::behind_pointers(std::size_t at, std::size_t end) const {
  const auto is_part = [&](std::size_t i) {
    for (std::string_view part : {"*", "&", "&&", "const", "volatile", "__restrict__", "__restrict"})
      if (syntax_.is(i, part)) return true;
    return false;
  };
  while (at < end && is_part(at)) ++at;
  return at;
}

std::size_t ExpressionReader::behind_builtin(std::size_t at) const {
  while (at < end_ && (is_arithmetic_type(syntax_.at(at)) || is_at(at, "const") || is_at(at, "volatile") ||
                       is_at(at, "void") || is_at(at, "auto")))
    ++at;
  return at;
}

/// Returns the position after `const ns::T<2>`, before `*` and other declarator tokens; npos if no type
/// begins here.
std::size_t ExpressionReader::behind_type(std::size_t at, std::size_t end) const {
  const auto is_word = [&](std::size_t i) {
    return syntax_.is(i, "typename") || syntax_.word(i) == Word::class_key || syntax_.is(i, "enum");
  };
  while (at < end && (syntax_.is(at, "const") || syntax_.is(at, "volatile") || is_word(at))) ++at;
  if (syntax_.is(at, "decltype")) return syntax_.after(at + 1);
  if (const std::size_t builtin = behind_builtin(at); builtin != at) return builtin;
  if (syntax_.is(at, "::")) ++at;
  for (;; ++at) {
    if (at >= end || !syntax_.is_name(at)) return npos;
    ++at;
    if (at < end && syntax_.is(at, "<")) {
      at = syntax_.template_close(at);
      if (at == npos || at >= end) return npos;
      ++at;
    }
    if (at >= end || !syntax_.is(at, "::")) return at;
    if (syntax_.is(at + 1, "template")) ++at;
  }
}

ExpressionReader::IsType ExpressionReader::is_type(std::size_t begin, std::size_t end) {
  const std::size_t base = behind_type(begin, end);
  if (base == npos) return IsType::no;
  std::size_t at = behind_pointers(base, end);
  if (syntax_.is(at, "(") && at > begin) {  // void (*)(int)
    const std::size_t inner = behind_pointers(at + 1, end);
    if (inner == at + 1 || !syntax_.is(inner, ")")) return IsType::no;
    at = inner + 1;
    while (at < end && (syntax_.is(at, "(") || syntax_.is(at, "["))) at = syntax_.after(at);
    return at == end ? IsType::yes : IsType::no;
  }
  if (at != end) return IsType::no;
  if (at != base) return IsType::yes;
  const std::size_t last = base - 1;
  if (base != begin + 1 && !syntax_.is(last - 1, "::")) return IsType::yes;  // const T, T<2>, unsigned long
  if (is_predefined_type(syntax_.at(last))) return IsType::yes;
  if (syntax_.is_built_in_variable(last)) return IsType::no;
  const bool qualified = base != begin + 1;
  const NameMeaning found = qualified ? scopes_.qualified_meaning(last) : scopes_.meaning(last);
  if (found.meaning == Meaning::value) return IsType::no;
  return found.meaning == Meaning::type ? IsType::yes : IsType::unknown;
}

/// Whether the parentheses that close at `close` are those of a cast.
ExpressionReader::IsType ExpressionReader::is_cast(std::size_t close) {
  const IsType type = is_type(at_ + 1, close);
  const std::size_t next = close + 1;
  if (type != IsType::unknown) return type;
  if (next >= end_ || syntax_.is(next, "[")) return IsType::no;
  if (begins_operand(syntax_, next)) return IsType::yes;
  if (syntax_.is(next, "++") || syntax_.is(next, "--"))
    return next + 1 < end_ && (begins_operand(syntax_, next + 1) || syntax_.is(next + 1, "(")) ? IsType::yes
                                                                                               : IsType::no;
  return is_prefix_and_infix(syntax_, next) ? IsType::unknown : IsType::no;
}

ExpressionReader::Node ExpressionReader::parenthesis() {
  const std::size_t open = at_, close = syntax_.partner(at_);
  if (close == npos || close >= end_ || is_at(open + 1, "{")) return nullptr;
  const IsType cast = is_cast(close);
  if (cast == IsType::unknown) return nullptr;
  Expression node;
  node.begin = node.at = open;
  at_ = close + 1;
  if (cast == IsType::no) {
    node.kind = Kind::parentheses;
    node.parts = {&range(open + 1, close)};
    node.end = at_;
    return postfix(make(std::move(node)));
  }
  node.kind = Kind::cast;
  node.style = Style::c;
  node.type_begin = open + 1;
  node.type_end = close;
  node.type = written_type(open + 1, close);
  node.parts = {is("{") ? list() : unary()};
  node.end = at_;
  return make(std::move(node));
}

ValueType ExpressionReader::written_type(std::size_t begin, std::size_t end) const {
  ValueType type = scopes_.specified(begin, end);
  for (std::size_t i = begin; i < end; ++i)
    if (syntax_.is(i, "*")) ++type.pointers;
  return type;
}

ExpressionReader::Node ExpressionReader::named_cast() {
  Expression node;
  node.kind = Kind::cast;
  node.style = Style::named;
  node.begin = node.at = at_;
  const std::size_t angle = syntax_.template_close(at_ + 1);
  if (angle == npos || !is_at(angle + 1, "(")) return nullptr;
  const std::size_t close = syntax_.partner(angle + 1);
  if (close == npos || close >= end_) return nullptr;
  node.type_begin = at_ + 2;
  node.type_end = angle;
  node.type = written_type(node.type_begin, node.type_end);
  node.parts = {&range(angle + 2, close)};
  node.end = at_ = close + 1;
  return make(std::move(node));
}

/// Reads `T(x)` or `T{x}`. [begin, type_end) is the type, and `name` is its name.
ExpressionReader::Node ExpressionReader::functional_cast(std::size_t begin, std::size_t name,
                                                         std::size_t type_end) {
  Expression node;
  node.kind = Kind::cast;
  node.style = Style::functional;
  node.begin = node.type_begin = begin;
  node.at = name;
  node.type_end = at_ = type_end;
  node.type = written_type(begin, type_end);
  if (is("{")) {
    node.parts = {list()};
    node.end = at_;
    return make(std::move(node));
  }
  const std::size_t close = is("(") ? syntax_.partner(at_) : npos;
  if (close == npos || close >= end_) return nullptr;
  arguments(at_, close, node.parts);
  node.end = at_ = close + 1;
  return make(std::move(node));
}

}  // namespace emucc::detail
