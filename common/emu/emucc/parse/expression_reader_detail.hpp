/// @file
/// Internals of the expression reader. expression_reader.cpp reads operators, expression_operands.cpp
/// operands, and expression_types.cpp parentheses and casts.
///
/// Each function reads the text at `at_`, and returns null if it does not understand the text. Then the whole
/// expression is unknown, or only the contents of the innermost brackets around the text: code after a
/// bracket does not depend on the bracket's contents. The reader never backtracks, so its time is linear in
/// the text's length.
#pragma once
#include "parse/expression_reader.hpp"

namespace emucc::detail {

class ExpressionReader {
 public:
  ExpressionReader(const Syntax& syntax, Scopes& scopes, std::deque<Expression>& nodes)
      : syntax_(syntax), scopes_(scopes), nodes_(nodes) {}

  const Expression& range(std::size_t begin, std::size_t end);

 private:
  using Kind = Expression::Kind;
  using Style = Expression::Style;
  using Node = const Expression*;
  static constexpr std::size_t npos = Syntax::npos;
  static constexpr int max_nesting = 400;           ///< of brackets, prefixes and right sides
  static constexpr std::uint16_t max_depth = 1000;  ///< of a tree: code that walks it recurses as deeply

  bool is(std::string_view spelling) const { return at_ < end_ && syntax_.is(at_, spelling); }
  bool is_at(std::size_t at, std::string_view spelling) const {
    return at < end_ && syntax_.is(at, spelling);
  }

  // ---- expression_reader.cpp: operators
  Node comma();
  Node assignment();
  Node guarded_assignment();
  Node conditional(Node condition);
  Node binary(int least);
  Node unary();
  Node guarded_unary();
  Node prefix(std::string_view op);
  std::string_view binary_operator(std::size_t& length) const;
  std::string_view assignment_operator(std::size_t& length) const;
  Node make(Expression node);
  Node unknown(std::size_t begin, std::size_t end);
  static ValueType type_of(const Expression& node);

  // ---- expression_operands.cpp: names, calls, literals
  Node postfix(Node operand);
  Node primary();
  Node literal();
  Node name();
  Node lambda();
  Node list();
  Node assembly();
  Node query();
  Node new_expression();
  Node delete_expression();
  Node throw_expression();
  Node call(Node callee);
  Node index(Node array);
  Node member(Node object);
  Node launch(Node callee);
  void arguments(std::size_t open, std::size_t close, std::vector<Node>& parts);
  std::size_t template_arguments(std::size_t name, bool is_member);

  // ---- expression_types.cpp: parentheses and casts
  Node parenthesis();
  Node named_cast();
  Node functional_cast(std::size_t begin, std::size_t name, std::size_t type_end);
  /// Whether [begin, end) is a type. `unknown`: the text is a name that may be a type.
  enum class IsType { no, yes, unknown };
  IsType is_type(std::size_t begin, std::size_t end);
  IsType is_cast(std::size_t close);
  std::size_t behind_pointers(std::size_t at, std::size_t end) const;
  std::size_t behind_type(std::size_t at, std::size_t end) const;
  std::size_t behind_builtin(std::size_t at) const;
  ValueType written_type(std::size_t begin, std::size_t end) const;

  const Syntax& syntax_;
  Scopes& scopes_;
  std::deque<Expression>& nodes_;
  std::size_t at_ = 0, end_ = 0;
  int nesting_ = 0;
};

}  // namespace emucc::detail
