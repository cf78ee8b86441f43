#include "parse/tree_dump.hpp"

namespace emucc {
namespace {

const char* statement_name(Statement::Kind kind) {
  switch (kind) {
    case Statement::Kind::compound:
      return "block";
    case Statement::Kind::declaration:
      return "declaration";
    case Statement::Kind::shared:
      return "shared";
    case Statement::Kind::alias:
      return "alias";
    case Statement::Kind::expression:
      return "expression";
    case Statement::Kind::if_:
      return "if";
    case Statement::Kind::for_:
      return "for";
    case Statement::Kind::while_:
      return "while";
    case Statement::Kind::do_:
      return "do";
    case Statement::Kind::switch_:
      return "switch";
    case Statement::Kind::return_:
      return "return";
    case Statement::Kind::break_:
      return "break";
    case Statement::Kind::continue_:
      return "continue";
    case Statement::Kind::range_for:
      return "range for";
    case Statement::Kind::unknown:
      return "unknown";
  }
  return "";
}

std::string type_name(const ValueType& type) {
  if (!type.known()) return "";
  std::string name = type.base == ValueType::Base::arithmetic ? "arithmetic"
                     : type.base == ValueType::Base::other    ? "class"
                                                              : "?";
  name += std::string(type.pointers, '*');
  for (int i = 0; i < type.dimensions; ++i) name += "[]";
  return name;
}

class TreeDump {
 public:
  explicit TreeDump(const Syntax& syntax) : syntax_(syntax) {}

  std::string write(const std::vector<Statement>& statements) {
    for (const Statement& each : statements) statement(each, 1);
    return std::move(text_);
  }

 private:
  using Kind = Expression::Kind;

  void line(int depth, const char* kind, std::size_t at, const std::string& spelling) {
    const Token& token = syntax_.stream().tokens[at];
    text_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + kind + " " + std::to_string(token.line) +
             ":" + std::to_string(token.reported_column()) + (spelling.empty() ? "" : " " + spelling) + "\n";
  }

  std::string tokens(std::size_t begin, std::size_t end) const {
    std::string all;
    for (std::size_t i = begin; i < end; ++i) {
      const bool blank = i > begin && syntax_.stream().tokens[i].space_before;
      all += (blank ? " " : "") + std::string(syntax_.at(i));
    }
    return all;
  }

  void statement(const Statement& each, int depth) {
    std::string names;
    for (const auto* list : {&each.names, &each.counters})
      for (const LocalName& name : *list)
        names += (names.empty() ? "" : ", ") + std::string(syntax_.at(name.name));
    line(depth, statement_name(each.kind), each.head, names);
    for (const StatementPart& part : parts_of(syntax_, each)) expression(*part.expression, depth + 1);
    for (const Statement& inner : each.children) statement(inner, depth + 1);
  }

  /// Returns what a node shows besides its kind and its parts.
  std::string spelling(const Expression& node) const {
    switch (node.kind) {
      case Kind::literal:
      case Kind::name:
      case Kind::unknown:
        return tokens(node.begin, node.end);
      case Kind::member: {
        const std::string arguments =
            node.type_end != 0 ? "<" + tokens(node.type_begin, node.type_end) + ">" : "";
        return std::string(node.op) + std::string(syntax_.at(node.at)) + arguments;
      }
      case Kind::unary:
        return (node.postfix ? "postfix " : "") + std::string(node.op);
      case Kind::binary:
      case Kind::assignment:
        return std::string(node.op);
      case Kind::cast:
      case Kind::new_:
        return tokens(node.type_begin, node.type_end);
      case Kind::query:
        return tokens(node.begin, node.end);
      case Kind::this_:
      case Kind::parentheses:
      case Kind::index:
      case Kind::call:
      case Kind::conditional:
      case Kind::delete_:
      case Kind::throw_:
      case Kind::lambda:
      case Kind::list:
      case Kind::launch:
      case Kind::assembly:
        return "";
    }
    return "";
  }

  void expression(const Expression& node, int depth) {
    const std::string said = spelling(node), type = type_name(node.type);
    line(depth, kind_name(node.kind), node.at,
         (said.empty() ? "" : "'" + said + "'") + (type.empty() || said.empty() ? "" : " ") +
             (type.empty() ? "" : "(" + type + ")"));
    for (const Expression* part : node.parts) expression(*part, depth + 1);
    if (node.kind != Kind::lambda) return;
    const std::size_t close = syntax_.partner(node.at);
    for (const Statement& each : syntax_.tree().body(node.at + 1, close).statements)
      statement(each, depth + 1);
  }

  const Syntax& syntax_;
  std::string text_;
};

}  // namespace

std::string dump_tree(const Syntax& syntax, std::size_t begin, std::size_t end) {
  return TreeDump(syntax).write(syntax.tree().body(begin, end).statements);
}

}  // namespace emucc
