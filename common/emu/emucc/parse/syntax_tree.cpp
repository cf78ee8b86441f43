#include "parse/syntax_tree.hpp"

#include "parse/expression_reader.hpp"

namespace emucc {

const Expression& SyntaxTree::expression(std::size_t begin, std::size_t end) {
  const Expression*& found = expressions_[{begin, end}];
  if (found == nullptr) found = &read_expression(syntax_, scopes_, nodes_, begin, end);
  return *found;
}

const Classes& SyntaxTree::classes() {
  if (!classes_) classes_.emplace(syntax_);
  return *classes_;
}

const Functions& SyntaxTree::functions() {
  if (!functions_) functions_.emplace(syntax_, classes());
  return *functions_;
}

const Body& SyntaxTree::body(std::size_t begin, std::size_t end) {
  const auto [found, is_new] = bodies_.try_emplace({begin, end});
  if (is_new) read_statements(syntax_, begin, end, found->second.statements, Reading::everything);
  return found->second;
}

namespace {

class PartsReader {
 public:
  explicit PartsReader(const Syntax& syntax) : syntax_(syntax) {}

  std::vector<StatementPart> read(const Statement& statement) {
    using Kind = Statement::Kind;
    switch (statement.kind) {
      case Kind::compound:
      case Kind::alias:
      case Kind::break_:
      case Kind::continue_:
        break;
      case Kind::declaration:
      case Kind::shared:
        names(statement.names);
        break;
      case Kind::expression:
        add(statement.head, without_semicolon(statement));
        break;
      case Kind::return_:
        add(statement.head + 1, without_semicolon(statement));
        break;
      case Kind::if_:
      case Kind::while_:
      case Kind::do_:
      case Kind::switch_:
        add(statement.open + 1, statement.close);
        break;
      case Kind::for_:
        if (statement.counters.empty())
          add(statement.open + 1, statement.semicolon[0]);
        else
          names(statement.counters);
        add(statement.semicolon[0] + 1, statement.semicolon[1]);
        add(statement.semicolon[1] + 1, statement.close);
        break;
      case Kind::range_for:
        names(statement.counters);
        break;
      case Kind::unknown:
        add(statement.begin, statement.end);
        break;
    }
    return std::move(found_);
  }

 private:
  void add(std::size_t begin, std::size_t end, const LocalName* name = nullptr) {
    if (begin < end) found_.push_back({&syntax_.tree().expression(begin, end), name});
  }

  /// Returns the statement's end without its semicolon. A statement may also represent a condition, which has
  /// no semicolon.
  std::size_t without_semicolon(const Statement& statement) const {
    return syntax_.is(statement.end - 1, ";") ? statement.end - 1 : statement.end;
  }

  void names(const std::vector<LocalName>& all) {
    for (const LocalName& name : all) {
      for (std::size_t i = name.name + 1; i < name.end; i = syntax_.after(i))
        if (syntax_.is(i, "[")) add(i + 1, syntax_.after(i) - 1);
      if (name.initialiser != Syntax::npos) add(name.initialiser, name.initialiser_end, &name);
    }
  }

  const Syntax& syntax_;
  std::vector<StatementPart> found_;
};

}  // namespace

std::vector<StatementPart> parts_of(const Syntax& syntax, const Statement& statement) {
  return PartsReader(syntax).read(statement);
}

}  // namespace emucc
