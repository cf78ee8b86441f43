#include "parse/expression_reader.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "parse/expression_reader_detail.hpp"

namespace emucc {
namespace detail {
namespace {

/// A binary operator. Its precedence is its place in the table, the lowest first; it may have an alternative
/// spelling as a word.
struct BinaryOperator {
  std::string_view spelling;
  int level;
  std::string_view op;
};
constexpr BinaryOperator binary_operators[] = {
    {"||", 0, "||"},    {"or", 0, "||"},   {"&&", 1, "&&"}, {"and", 1, "&&"},    {"|", 2, "|"},
    {"^", 3, "^"},      {"bitor", 2, "|"}, {"xor", 3, "^"}, {"&", 4, "&"},       {"bitand", 4, "&"},
    {"==", 5, "=="},    {"!=", 5, "!="},   {"<", 6, "<"},   {"not_eq", 5, "!="}, {">", 6, ">"},
    {"<=", 6, "<="},    {">=", 6, ">="},   {"<<", 7, "<<"}, {">>", 7, ">>"},     {"+", 8, "+"},
    {"-", 8, "-"},      {"*", 9, "*"},     {"/", 9, "/"},   {"%", 9, "%"},       {".*", 10, ".*"},
    {"->*", 10, "->*"},
};

const BinaryOperator* binary_operator_of(std::string_view spelling) {
  const auto* const found =
      std::find_if(std::begin(binary_operators), std::end(binary_operators),
                   [&](const BinaryOperator& each) { return each.spelling == spelling; });
  return found == std::end(binary_operators) ? nullptr : found;
}

constexpr std::string_view assignment_operators[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

/// Returns the prefix operator that one of its alternative spellings names.
std::string_view prefix_operator_of(std::string_view spelling) {
  if (spelling == "not") return "!";
  if (spelling == "compl") return "~";
  constexpr std::string_view all[] = {"+", "-", "!", "~", "*", "&", "++", "--"};
  const auto* const found = std::find(std::begin(all), std::end(all), spelling);
  return found == std::end(all) ? std::string_view() : *found;
}

}  // namespace

const Expression& ExpressionReader::range(std::size_t begin, std::size_t end) {
  const std::size_t at = at_, outer_end = end_;
  at_ = begin;
  end_ = end;
  Node found = ++nesting_ < max_nesting ? comma() : nullptr;
  --nesting_;
  if (found == nullptr || at_ != end) found = unknown(begin, end);
  at_ = at;
  end_ = outer_end;
  return *found;
}

ExpressionReader::Node ExpressionReader::unknown(std::size_t begin, std::size_t end) {
  Expression node;
  node.begin = node.at = begin;
  node.end = end;
  return make(std::move(node));
}

/// Makes a node of the tree. Returns null if the tree would become too deep to walk.
ExpressionReader::Node ExpressionReader::make(Expression node) {
  for (Node part : node.parts) {
    if (part == nullptr || part->depth >= max_depth) return nullptr;
    node.depth = std::max<std::uint16_t>(node.depth, static_cast<std::uint16_t>(part->depth + 1));
  }
  if (!node.type.known()) node.type = type_of(node);
  nodes_.push_back(std::move(node));
  return &nodes_.back();
}

ExpressionReader::Node ExpressionReader::comma() {
  Node left = assignment();
  while (left != nullptr && is(",")) {
    Expression node;
    node.kind = Kind::binary;
    node.op = ",";
    node.at = at_++;
    node.begin = left->begin;
    node.parts = {left, assignment()};
    node.end = at_;
    left = make(std::move(node));
  }
  return left;
}

ExpressionReader::Node ExpressionReader::assignment() {
  Node found = ++nesting_ < max_nesting ? guarded_assignment() : nullptr;
  --nesting_;
  return found;
}

ExpressionReader::Node ExpressionReader::guarded_assignment() {
  if (is("{")) return list();
  Node left = binary(0);
  if (left == nullptr) return nullptr;
  if (is("?")) return conditional(left);
  std::size_t length = 0;
  const std::string_view op = assignment_operator(length);
  if (op.empty()) return left;
  Expression node;
  node.kind = Kind::assignment;
  node.op = op;
  node.begin = left->begin;
  node.at = at_;
  at_ += length;
  node.parts = {left, assignment()};
  node.end = at_;
  return make(std::move(node));
}

ExpressionReader::Node ExpressionReader::conditional(Node condition) {
  Expression node;
  node.kind = Kind::conditional;
  node.begin = condition->begin;
  node.at = at_++;
  Node yes = comma();
  if (yes == nullptr || !is(":")) return nullptr;
  ++at_;
  node.parts = {condition, yes, assignment()};
  node.end = at_;
  return make(std::move(node));
}

/// Reads a binary operator. The lexer returns `<` and `>` as separate tokens, so that they can close template
/// arguments.
std::string_view ExpressionReader::binary_operator(std::size_t& length) const {
  length = 1;
  if (at_ >= end_) return {};
  const bool touches = at_ + 1 < end_ && !syntax_.stream().tokens[at_ + 1].space_before;
  if ((is("<") || is(">")) && touches) {
    const std::string_view next = syntax_.at(at_ + 1);
    if (next == syntax_.at(at_)) {
      length = 2;
      return is("<") ? "<<" : ">>";
    }
    if (next == "<=" || next == ">=") return {};  // <<=
  }
  const BinaryOperator* const found = binary_operator_of(syntax_.at(at_));
  return found == nullptr ? std::string_view() : found->op;
}

std::string_view ExpressionReader::assignment_operator(std::size_t& length) const {
  length = at_ < end_ ? syntax_.assignment_length(at_) : 0;
  if (length == 0 || at_ + length > end_) return {};
  if (length == 2) return is("<") ? "<<=" : ">>=";
  return *std::find(std::begin(assignment_operators), std::end(assignment_operators), syntax_.at(at_));
}

ExpressionReader::Node ExpressionReader::binary(int least) {
  Node left = unary();
  while (left != nullptr) {
    std::size_t length = 1;
    const std::string_view op = binary_operator(length);
    const int level = op.empty() ? -1 : binary_operator_of(op)->level;
    if (level < least) return left;
    Expression node;
    node.kind = Kind::binary;
    node.op = op;
    node.begin = left->begin;
    node.at = at_;
    at_ += length;
    node.parts = {left, binary(level + 1)};
    node.end = at_;
    left = make(std::move(node));
  }
  return left;
}

ExpressionReader::Node ExpressionReader::unary() {
  Node found = ++nesting_ < max_nesting ? guarded_unary() : nullptr;
  --nesting_;
  return found;
}

ExpressionReader::Node ExpressionReader::guarded_unary() {
  if (is("__extension__")) ++at_;  // suppresses g++'s warnings
  if (at_ >= end_) return nullptr;
  if (const std::string_view op = prefix_operator_of(syntax_.at(at_)); !op.empty()) return prefix(op);
  if (is("sizeof") || is("alignof") || is("typeid") || is("noexcept")) return query();
  if (is("new") || (is("::") && is_at(at_ + 1, "new"))) return new_expression();
  if (is("delete") || (is("::") && is_at(at_ + 1, "delete"))) return delete_expression();
  if (is("throw")) return throw_expression();
  if (is("(")) return parenthesis();
  return postfix(primary());
}

ExpressionReader::Node ExpressionReader::prefix(std::string_view op) {
  Expression node;
  node.kind = Kind::unary;
  node.op = op;
  node.begin = node.at = at_++;
  node.parts = {unary()};
  node.end = at_;
  return make(std::move(node));
}

ValueType ExpressionReader::type_of(const Expression& node) {
  using Base = ValueType::Base;
  ValueType arithmetic;
  arithmetic.base = Base::arithmetic;
  const auto is_arithmetic = [](const ValueType& type) {
    return type.base == Base::arithmetic && type.pointers == 0 && type.dimensions == 0;
  };
  const auto pointed_to = [](ValueType type) {
    if (type.dimensions > 0)
      --type.dimensions;
    else if (type.pointers > 0)
      --type.pointers;
    else
      type = {};
    return type;
  };
  switch (node.kind) {
    case Kind::parentheses:
      return node.part(0).type;
    case Kind::query:
      return arithmetic;
    case Kind::index:
      return node.parts.size() == 2 ? pointed_to(node.part(0).type) : ValueType();
    case Kind::assignment:
      return node.part(0).type;
    case Kind::conditional: {
      const ValueType &yes = node.part(1).type, &no = node.part(2).type;
      if (is_arithmetic(yes) && is_arithmetic(no)) return yes;
      return yes.pointers > 0 && yes.dimensions == 0 ? yes : ValueType();
    }
    case Kind::unary: {
      ValueType type = node.part(0).type;
      if (node.op == "*") return pointed_to(type);
      if (node.op == "!") return is_arithmetic(type) || type.pointers > 0 ? arithmetic : ValueType();
      if (node.op != "&") return type.name == npos ? type : ValueType();  // a class may overload operators
      if (type.known() && type.dimensions == 0)
        ++type.pointers;
      else
        type = {};
      return type;
    }
    case Kind::binary: {
      if (node.op == ",") return node.part(1).type;
      const ValueType &left = node.part(0).type, &right = node.part(1).type;
      if (is_arithmetic(left) && is_arithmetic(right)) return arithmetic;
      if ((node.op == "+" || node.op == "-") && left.pointers > 0 && is_arithmetic(right)) return left;
      return {};
    }
    case Kind::literal:
    case Kind::name:
    case Kind::cast:  // where a cast's type is known, it is already set
    case Kind::this_:
    case Kind::member:
    case Kind::call:
    case Kind::new_:
    case Kind::delete_:
    case Kind::throw_:
    case Kind::lambda:
    case Kind::list:
    case Kind::launch:
    case Kind::assembly:
    case Kind::unknown:
      return {};
  }
  return {};
}

}  // namespace detail

const Expression& read_expression(const Syntax& syntax, Scopes& scopes, std::deque<Expression>& nodes,
                                  std::size_t begin, std::size_t end) {
  return detail::ExpressionReader(syntax, scopes, nodes).range(begin, end);
}

}  // namespace emucc
