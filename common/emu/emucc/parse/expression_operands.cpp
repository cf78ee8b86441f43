// What stands between operators: names, literals, parentheses and casts, and what is called or indexed.
#include <algorithm>

#include "parse/expression_reader_detail.hpp"

namespace emucc::detail {
namespace {

/// May an operand begin with the token, whatever stands before it? Not with what is an infix operator too.
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

// ---- parentheses and casts

/// Behind the cv words, `*` and `&` of a type.
static std::size_t behind_pointers(const Syntax& syntax, std::size_t at, std::size_t end) {
  const auto is_part = [&](std::size_t i) {
    for (std::string_view part : {"*", "&", "&&", "const", "volatile", "__restrict__", "__restrict"})
      if (syntax.is(i, part)) return true;
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

/// Behind `const ns::T<2>`, without what follows as `*`; npos where no type begins.
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
  std::size_t at = behind_pointers(syntax_, base, end);
  if (syntax_.is(at, "(") && at > begin) {  // void (*)(int)
    const std::size_t inner = behind_pointers(syntax_, at + 1, end);
    if (inner == at + 1 || !syntax_.is(inner, ")")) return IsType::no;
    at = inner + 1;
    while (at < end && (syntax_.is(at, "(") || syntax_.is(at, "["))) at = syntax_.after(at);
    return at == end ? IsType::yes : IsType::no;
  }
  if (at != end) return IsType::no;
  if (at != base) return IsType::yes;
  const std::size_t last = base - 1;
  if (base != begin + 1 && !syntax_.is(last - 1, "::")) return IsType::yes;  // const T, T<2>, unsigned long
  if (is_known_type(syntax_.at(last))) return IsType::yes;
  if (syntax_.is_built_in_variable(last)) return IsType::no;
  const bool qualified = base != begin + 1;
  const NameMeaning found = qualified ? scopes_.qualified_meaning(last) : scopes_.meaning(last);
  if (found.meaning == Meaning::value) return IsType::no;
  return found.meaning == Meaning::type ? IsType::yes : IsType::unknown;
}

/// Do the parentheses that close at `close` belong to a cast?
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

/// `T(x)` or `T{x}`, where the type is [begin, type_end) and is called `name`.
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

/// The `>` of the template arguments that open at `open`, behind a name; npos where that is a comparison.
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
  if (named) return close;
  for (std::size_t i = open + 1; i < close; i = syntax_.after(i))
    if (syntax_.is(i, "||") || (syntax_.is(i, "&&") && i + 1 != close && !syntax_.is(i + 1, ",")))
      return npos;  // a < b && c > d
  // Nobody compares what a comparison gives: where a call follows, these are arguments.
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
  if (found.meaning == Meaning::unknown && is_known_type(syntax_.at(node.at))) found.meaning = Meaning::type;
  if (is("{") || (is("(") && found.meaning == Meaning::type))
    return functional_cast(node.begin, node.at, at_);
  node.type = found.type;
  if (qualified || node.type_end != 0) node.type = {};
  node.type.reference = false;
  return make(std::move(node));
}

// ---- what follows an operand

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

/// The expressions between `open` and `close`, with commas between.
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

// ---- what has a word or a bracket of its own

ExpressionReader::Node ExpressionReader::lambda() {
  const std::size_t body = syntax_.lambda_body(at_);
  if (body == npos || body >= end_ || syntax_.partner(body) == npos || syntax_.partner(body) >= end_)
    return nullptr;
  if (scopes_.is_deep(at_)) return nullptr;  // who walks its body calls itself
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

/// `asm volatile ("…" : "=f"(x) : "f"(y))`: an operand stands in parentheses behind a string.
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

/// `new (place) T[n](x)`
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
  node.type_end = at_ = behind_pointers(syntax_, end, end_);
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
