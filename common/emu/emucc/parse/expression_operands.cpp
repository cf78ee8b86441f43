// Reads operands: names, literals, calls and elements.
#include <algorithm>

#include "parse/expression_reader_detail.hpp"

namespace emucc::detail {

// ---- names and literals

ExpressionReader::Node ExpressionReader::primary() {
  if (at_ >= end_) return nullptr;
  const TokenKind kind = syntax_.stream().tokens[at_].kind;
  if (kind == TokenKind::number || kind == TokenKind::string || kind == TokenKind::character)
    return literal();
  if (is("[")) return lambda();
  if (is("::")) return name();
  if (kind != TokenKind::identifier) return nullptr;
  for (std::string_view word : {"true", "false", "nullptr"})
    if (is(word)) return literal();
  if (is("this")) {
    Expression node;
    node.kind = Kind::this_;
    node.begin = node.at = at_;
    node.end = ++at_;
    return make(std::move(node));
  }
  for (std::string_view word : {"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"})
    if (is(word)) return named_cast();
  if (syntax_.word(at_) == Word::assembly) return assembly();
  const bool type = is("typename") || is("decltype") || is("void") || is("auto");
  if (type || is_arithmetic_type(syntax_.at(at_))) {
    const std::size_t end = behind_type(at_, end_);
    return end == npos || end >= end_ ? nullptr : functional_cast(at_, end - 1, end);
  }
  return name();
}

ExpressionReader::Node ExpressionReader::literal() {
  Expression node;
  node.kind = Kind::literal;
  node.begin = node.at = at_;
  const bool text = syntax_.stream().tokens[at_].kind == TokenKind::string;
  ++at_;
  while (text && at_ < end_ && syntax_.stream().tokens[at_].kind == TokenKind::string) ++at_;
  node.end = at_;
  if (!text && syntax_.at(node.at) != "nullptr") node.type.base = ValueType::Base::arithmetic;
  return make(std::move(node));
}

/// Returns the `>` that closes the template arguments at `open`, after a name; npos if the `<` is a
/// comparison.
std::size_t ExpressionReader::template_arguments(std::size_t open, bool is_member) {
  if (!is_at(open, "<") || is_at(open + 1, "<") || syntax_.is_launch_open(open)) return npos;
  const std::size_t close = syntax_.template_close(open);
  if (close == npos || close >= end_) return npos;
  const bool called = is_at(close + 1, "(") || is_at(close + 1, "{") || is_at(close + 1, "::");
  const bool named = syntax_.is(open - 2, "template");
  if (!is_member && !named) {
    const NameMeaning found =
        syntax_.is(open - 2, "::") ? scopes_.qualified_meaning(open - 1) : scopes_.meaning(open - 1);
    if (found.meaning == Meaning::value) return npos;
    if (found.meaning != Meaning::unknown) return close;
  }
  if (named || is_type(open + 1, close) == IsType::yes) return close;
  for (std::size_t i = open + 1; i < close; i = syntax_.after(i))
    if (syntax_.is(i, "||") || (syntax_.is(i, "&&") && i + 1 != close && !syntax_.is(i + 1, ",")))
      return npos;  // a < b && c > d
  // In practice, code does not compare the result of a comparison. So if a call follows, the brackets enclose
  // template arguments.
  const bool ends = close + 1 >= end_ || is_at(close + 1, ",") || is_at(close + 1, ")");
  return called || (ends && !is_member) || syntax_.is_launch_open(close + 1) ? close : npos;
}

ExpressionReader::Node ExpressionReader::name() {
  Expression node;
  node.kind = Kind::name;
  node.begin = at_;
  if (is("::")) ++at_;
  for (;;) {
    const bool identifier = at_ < end_ && syntax_.is_identifier(at_);
    const Word word = identifier ? syntax_.word(at_) : Word::none;
    const bool function_name = word == Word::function_name || word == Word::pretty_function;
    if (!identifier || !(syntax_.is_name(at_) || function_name)) return nullptr;
    node.at = at_++;
    node.type_begin = node.type_end = 0;
    if (const std::size_t close = template_arguments(at_, false); close != npos) {
      node.type_begin = at_ + 1;
      node.type_end = close;
      at_ = close + 1;
    }
    if (!is("::")) break;
    ++at_;
    if (is("template")) ++at_;
  }
  node.end = at_;
  const bool qualified = syntax_.is(node.at - 1, "::");
  NameMeaning found = qualified ? scopes_.qualified_meaning(node.at) : scopes_.meaning(node.at);
  if (found.meaning == Meaning::unknown && is_predefined_type(syntax_.at(node.at)))
    found.meaning = Meaning::type;
  if (is("{") || (is("(") && found.meaning == Meaning::type))
    return functional_cast(node.begin, node.at, at_);
  node.type = found.type;
  if (qualified || node.type_end != 0) node.type = {};
  node.type.reference = false;
  return make(std::move(node));
}

// ---- postfix operators

ExpressionReader::Node ExpressionReader::postfix(Node operand) {
  while (operand != nullptr && at_ < end_) {
    if (is("(")) {
      operand = call(operand);
    } else if (is("[")) {
      operand = index(operand);
    } else if (is(".") || is("->")) {
      operand = member(operand);
    } else if (is("++") || is("--") || is("...")) {
      Expression node;
      node.kind = Kind::unary;
      node.postfix = true;
      node.op = is("++") ? "++" : is("--") ? "--" : "...";
      node.begin = operand->begin;
      node.at = at_++;
      node.end = at_;
      node.parts = {operand};
      operand = make(std::move(node));
    } else if (syntax_.is_launch_open(at_)) {
      operand = launch(operand);
    } else {
      break;
    }
  }
  return operand;
}

/// Reads the expressions between `open` and `close`, which are separated by commas.
void ExpressionReader::arguments(std::size_t open, std::size_t close, std::vector<Node>& parts) {
  const std::size_t at = at_, outer_end = end_;
  at_ = open + 1;
  end_ = close;
  bool understood = true;
  const std::size_t before = parts.size();
  while (understood && at_ < end_) {
    Node one = assignment();
    understood = one != nullptr && (at_ == end_ || (is(",") && at_ + 1 < end_));
    parts.push_back(one);
    if (understood && at_ < end_) ++at_;
  }
  at_ = at;
  end_ = outer_end;
  if (understood) return;
  parts.resize(before);
  parts.push_back(unknown(open + 1, close));
}

ExpressionReader::Node ExpressionReader::call(Node callee) {
  const std::size_t close = syntax_.partner(at_);
  if (close == npos || close >= end_) return nullptr;
  Expression node;
  node.kind = Kind::call;
  node.begin = callee->begin;
  node.at = at_;
  node.parts = {callee};
  arguments(at_, close, node.parts);
  node.end = at_ = close + 1;
  return make(std::move(node));
}

ExpressionReader::Node ExpressionReader::index(Node array) {
  const std::size_t close = syntax_.partner(at_);
  if (close == npos || close >= end_ || close == at_ + 1) return nullptr;
  Expression node;
  node.kind = Kind::index;
  node.begin = array->begin;
  node.at = at_;
  node.parts = {array};
  arguments(at_, close, node.parts);
  node.end = at_ = close + 1;
  return make(std::move(node));
}

ExpressionReader::Node ExpressionReader::member(Node object) {
  Expression node;
  node.kind = Kind::member;
  node.begin = object->begin;
  node.op = is(".") ? "." : "->";
  ++at_;
  if (is("template")) ++at_;
  if (is("~")) ++at_;
  if (at_ >= end_ || !syntax_.is_name(at_)) return nullptr;
  node.at = at_++;
  if (const std::size_t close = template_arguments(at_, true); close != npos) {
    node.type_begin = at_ + 1;
    node.type_end = close;
    at_ = close + 1;
  }
  node.end = at_;
  node.parts = {object};
  return is("::") ? nullptr : make(std::move(node));
}

ExpressionReader::Node ExpressionReader::launch(Node callee) {
  const std::size_t last = syntax_.launch_close(at_);
  if (last == npos || !is_at(last + 3, "(")) return nullptr;
  const std::size_t close = syntax_.partner(last + 3);
  if (close == npos || close >= end_) return nullptr;
  Expression node;
  node.kind = Kind::launch;
  node.begin = callee->begin;
  node.at = at_;
  node.parts = {callee};
  arguments(at_ + 2, last, node.parts);
  arguments(last + 3, close, node.parts);
  node.end = at_ = close + 1;
  return make(std::move(node));
}

// ---- constructs with a keyword or special bracket

ExpressionReader::Node ExpressionReader::lambda() {
  const std::size_t body = syntax_.lambda_body(at_);
  if (body == npos || body >= end_ || syntax_.partner(body) == npos || syntax_.partner(body) >= end_)
    return nullptr;
  if (scopes_.is_deep(at_)) return nullptr;  // code that walks the lambda's body recurses
  Expression node;
  node.kind = Kind::lambda;
  node.begin = at_;
  node.at = body;
  node.end = at_ = syntax_.partner(body) + 1;
  return make(std::move(node));
}

ExpressionReader::Node ExpressionReader::list() {
  const std::size_t close = syntax_.partner(at_);
  if (close == npos || close >= end_) return nullptr;
  Expression node;
  node.kind = Kind::list;
  node.begin = node.at = at_;
  const std::size_t outer_end = end_;
  end_ = close;
  ++at_;
  bool understood = true;
  while (understood && at_ < end_) {
    if (is(".") && is_at(at_ + 2, "=")) at_ += 3;  // { .x = 1 }
    Node one = assignment();
    understood = one != nullptr && (at_ == end_ || is(","));
    node.parts.push_back(one);
    if (understood && at_ < end_) ++at_;
  }
  end_ = outer_end;
  if (!understood) node.parts = {unknown(node.begin + 1, close)};
  node.end = at_ = close + 1;
  return make(std::move(node));
}

/// Reads `asm volatile ("…" : "=f"(x) : "f"(y))`. Each operand is in parentheses after a string.
ExpressionReader::Node ExpressionReader::assembly() {
  Expression node;
  node.kind = Kind::assembly;
  node.begin = node.at = at_;
  std::size_t open = at_ + 1;
  while (open < end_ && syntax_.is_identifier(open)) ++open;
  const std::size_t close = is_at(open, "(") ? syntax_.partner(open) : npos;
  if (close == npos || close >= end_) return nullptr;
  for (std::size_t i = open + 1; i < close; i = syntax_.after(i))
    if (syntax_.is(i, "(") && syntax_.partner(i) != npos)
      node.parts.push_back(&range(i + 1, syntax_.partner(i)));
  node.end = at_ = close + 1;
  return make(std::move(node));
}

ExpressionReader::Node ExpressionReader::query() {
  Expression node;
  node.kind = Kind::query;
  node.begin = node.at = at_++;
  if (is("...")) ++at_;
  if (is("(")) {
    const std::size_t close = syntax_.partner(at_);
    if (close == npos || close >= end_) return nullptr;
    at_ = close + 1;
  } else if (unary() == nullptr) {
    return nullptr;
  }
  node.end = at_;
  return make(std::move(node));
}

/// Reads `new (place) T[n](x)`.
ExpressionReader::Node ExpressionReader::new_expression() {
  Expression node;
  node.kind = Kind::new_;
  node.begin = at_;
  if (is("::")) ++at_;
  node.at = at_++;
  const auto bracket = [&](std::string_view open) {
    if (!is(open)) return true;
    const std::size_t close = syntax_.partner(at_);
    if (close == npos || close >= end_) return false;
    arguments(at_, close, node.parts);
    at_ = close + 1;
    return true;
  };
  if (!bracket("(")) return nullptr;
  const std::size_t end = behind_type(at_, end_);
  if (end == npos) return nullptr;
  node.type_begin = at_;
  node.type_end = at_ = behind_pointers(end, end_);
  while (is("["))
    if (!bracket("[")) return nullptr;
  if (is("{"))
    node.parts.push_back(list());
  else if (!bracket("("))
    return nullptr;
  node.end = at_;
  return make(std::move(node));
}

ExpressionReader::Node ExpressionReader::delete_expression() {
  Expression node;
  node.kind = Kind::delete_;
  node.begin = at_;
  if (is("::")) ++at_;
  node.at = at_++;
  if (is("[") && is_at(at_ + 1, "]")) at_ += 2;
  node.parts = {unary()};
  node.end = at_;
  return make(std::move(node));
}

ExpressionReader::Node ExpressionReader::throw_expression() {
  Expression node;
  node.kind = Kind::throw_;
  node.begin = node.at = at_++;
  if (at_ < end_ && !is(":") && !is(",")) node.parts = {assignment()};
  node.end = at_;
  return make(std::move(node));
}

}  // namespace emucc::detail
