#include "analyse/nonblocking.hpp"

#include <algorithm>

#include "analyse/methods.hpp"
#include "analyse/plain_loop.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

bool is_atomic(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "atomicAdd", "atomicSub", "atomicMin", "atomicMax",  "atomicAnd", "atomicOr",
      "atomicXor", "atomicInc", "atomicDec", "atomicExch", "atomicCAS"};
  for (std::string_view scope : {"_block", "_system"}) {
    if (name.size() > scope.size() && name.substr(name.size() - scope.size()) == scope)
      name.remove_suffix(scope.size());
  }
  return words.count(name) > 0;
}

/// Questions to a thread_block of cooperative groups.
bool is_group_question(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "thread_rank", "size", "num_threads", "thread_index", "group_index", "group_dim", "dim_threads"};
  return words.count(name) > 0;
}

/// Makes a function object of cooperative groups or the standard library.
bool is_operator_object(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {"plus",   "less",    "greater", "bit_and",
                                                             "bit_or", "bit_xor", "minimum", "maximum"};
  return words.count(name) > 0;
}

bool is_fence(std::string_view name) {
  return name == "__threadfence" || name == "__threadfence_block" || name == "__threadfence_system";
}

constexpr int deepest_methods = 4;  ///< that call one another

std::string reason_of(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                      int depth);

class BlockingReader {
 public:
  BlockingReader(const Syntax& syntax, const KnownNames& names, const std::unordered_set<std::string>& groups,
                 const std::unordered_set<std::size_t>& allowed, bool function, int depth = 0)
      : syntax_(syntax),
        names_(names),
        groups_(groups),
        allowed_(allowed),
        function_(function),
        depth_(depth) {}

  /// Names that a function gives to lambdas.
  void note_lambdas(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      for (const StatementPart& part : parts_of(syntax_, statement))
        if (part.initialises != nullptr && part.expression->kind == ExpressionKind::lambda)
          lambdas_.emplace(syntax_.at(part.initialises->name));
      note_lambdas(statement.children);
    }
  }

  BlockingAnalysis read(const Statement& statement) {
    found_.nonblocking = loops(statement) && visit(statement);
    return std::move(found_);
  }

 private:
  bool refuse(std::string reason) {
    found_.reason = std::move(reason);
    return false;
  }

  // ---- loops that may wait for an atomic's answer, and statements that need a place of their own

  bool loops(const Statement& statement) {
    using Loop = Statement::Kind;
    if (statement.kind == Loop::shared) return refuse("a __shared__ variable is declared inside of a branch");
    const bool endless = statement.kind == Loop::for_ && statement.semicolon[1] == statement.semicolon[0] + 1;
    const bool waits = statement.kind == Loop::while_ || statement.kind == Loop::do_ || endless;
    if ((waits && asks_atomic(statement)) || (statement.kind == Loop::for_ && own_parts_ask(statement)))
      return refuse("a loop may wait for an atomic to change");
    return std::all_of(statement.children.begin(), statement.children.end(),
                       [&](const Statement& inner) { return loops(inner); });
  }

  bool asks_atomic(const Statement& statement) const {
    return own_parts_ask(statement) ||
           std::any_of(statement.children.begin(), statement.children.end(),
                       [&](const Statement& inner) { return asks_atomic(inner); });
  }

  /// Does it look at what an atomic gives? One whose result nobody sees is a statement of its own.
  bool own_parts_ask(const Statement& statement) const {
    bool asks = false;
    for (const StatementPart& part : parts_of(syntax_, statement)) {
      const Expression* discarded =
          statement.kind == Statement::Kind::expression ? &inside_parentheses(*part.expression) : nullptr;
      if (discarded != nullptr && discarded->kind == ExpressionKind::cast &&
          syntax_.is(discarded->type_begin, "void"))
        discarded = &inside_parentheses(discarded->part(0));
      walk(*part.expression, [&](const Expression& node) {
        asks = asks || (&node != discarded && node.kind == ExpressionKind::call &&
                        node.part(0).kind == ExpressionKind::name && is_atomic(syntax_.at(node.part(0).at)));
      });
    }
    return asks;
  }

  // ---- what it does

  bool visit(const Statement& statement) {
    const bool declares = statement.kind == Statement::Kind::declaration || !statement.counters.empty();
    if (declares && !is_type_known(statement.type, statement.type_end)) return false;
    for (const auto* list : {&statement.names, &statement.counters})
      for (const LocalName& name : *list)
        if (!is_type_known(name.begin, name.name) || !constructs(statement, name)) return false;
    for (const StatementPart& part : parts_of(syntax_, statement))
      if (!visit(*part.expression)) return false;
    return visit_all(statement.children);
  }

  bool visit_all(const std::vector<Statement>& statements) {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Statement& inner) { return visit(inner); });
  }

  /// `T v(x)` calls a constructor unless `T` is `float` or its like.
  bool constructs(const Statement& declaration, const LocalName& name) {
    if (!name.direct || name.pointer) return true;
    const ValueType type = syntax_.tree().scopes().specified(declaration.type, declaration.type_end);
    return type.base == ValueType::Base::arithmetic || call_named(name.name);
  }

  bool is_type_known(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::string_view bad : {"volatile", "static"})
        if (syntax_.is(i, bad)) return refuse("it uses '" + std::string(bad) + "'");
      if (syntax_.word(i) == Word::class_key) return refuse(class_or_assembly);
    }
    return true;
  }

  bool visit_parts(const Expression& node) {
    return std::all_of(node.parts.begin(), node.parts.end(),
                       [&](const Expression* part) { return visit(*part); });
  }

  bool visit_arguments(const Expression& call) {
    return std::all_of(call.parts.begin() + 1, call.parts.end(),
                       [&](const Expression* part) { return visit(*part); });
  }

  bool visit(const Expression& node) {
    switch (node.kind) {
      case ExpressionKind::literal:
      case ExpressionKind::name:
      case ExpressionKind::query:
        return true;
      case ExpressionKind::parentheses:
      case ExpressionKind::member:
      case ExpressionKind::index:
      case ExpressionKind::unary:
      case ExpressionKind::binary:
      case ExpressionKind::assignment:
      case ExpressionKind::conditional:
      case ExpressionKind::list:
        return visit_parts(node);
      case ExpressionKind::call:
        return visit(node.part(0)) && call(node) && visit_arguments(node);
      case ExpressionKind::cast:
        return is_type_known(node.type_begin, node.type_end) &&
               (!is_construction(syntax_, node) || call_named(node.at)) && visit_parts(node);
      case ExpressionKind::lambda:
        if (!function_) return refuse("it has a lambda");
        return visit_all(syntax_.tree().body(node.at + 1, node.end - 1).statements);
      case ExpressionKind::this_:
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
        return refuse("it uses '" + std::string(syntax_.at(node.at)) + "'");
      case ExpressionKind::launch:
        return refuse("it launches a kernel");
      case ExpressionKind::assembly:
        if (!function_ || !is_computing_assembly(syntax_, node.at)) return refuse(class_or_assembly);
        return visit_parts(node);
      case ExpressionKind::unknown:
        return refuse("it has an expression of a kind that is not read");
    }
    return false;
  }

  /// Is it a call that never waits?
  bool call(const Expression& node) {
    const Expression& callee = inside_parentheses(node.part(0));
    if (callee.kind == ExpressionKind::member) return call_member(callee);
    if (callee.kind != ExpressionKind::name) return refuse("it calls something that is not named");
    const bool qualified = callee.begin != callee.at, with_arguments = callee.type_end != 0;
    return (qualified && with_arguments && is_operator_object(syntax_.at(callee.at))) ||
           call_named(callee.at);
  }

  bool call_member(const Expression& member) {
    const Expression& object = member.part(0);
    const std::string name(syntax_.at(member.at));
    const bool question = object.kind == ExpressionKind::name &&
                          groups_.count(std::string(syntax_.at(object.at))) > 0 && is_group_question(name);
    found_.asks_index = found_.asks_index || question;
    return question || method(member.at) || refuse("it calls the member function '" + name + "'");
  }

  bool call_named(std::size_t callee) {
    if (allowed_.count(callee) > 0) return true;
    const std::string name(syntax_.at(callee));
    const Word word = syntax_.word(callee);
    if (word == Word::printf || word == Word::assert_fail || names_.nonblocking_functions.count(name) > 0) {
      found_.asks_index = true;
      return true;
    }
    return is_harmless_call(name) || is_atomic(name) || is_fence(name) || name == "void" ||
           lambdas_.count(name) > 0 || names_.plain_functions.count(name) > 0 ||
           refuse("it calls '" + name + "'");
  }

  static constexpr const char* class_or_assembly = "it has assembly, or a class of its own";

  /// Is it one of the user's that never waits? All of its name in the class must be so.
  bool method(std::size_t name) {
    const std::vector<Method> all = called_methods(syntax_, name);
    if (all.empty() || depth_ == deepest_methods) return false;
    for (const Method& each : all) {
      if (each.body == npos) return false;
      const std::size_t begin = each.body + 1, end = syntax_.partner(each.body);
      if (!reason_of(syntax_, begin, end, names_, depth_ + 1).empty()) return false;
      found_.asks_index =
          found_.asks_index || !is_plain_function(syntax_, begin, end, names_.plain_functions);
    }
    return true;
  }

  const Syntax& syntax_;
  const KnownNames& names_;
  const std::unordered_set<std::string>& groups_;
  const std::unordered_set<std::size_t>& allowed_;
  const bool function_;  ///< it is part of a function, not of a kernel: it is never split
  const int depth_;      ///< of methods that have been followed
  std::unordered_set<std::string> lambdas_;
  BlockingAnalysis found_;
};

/// @param depth how many methods led here
std::string reason_of(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                      int depth) {
  std::vector<Statement> statements;
  if (!read_statements(syntax, begin, end, statements, Reading::assembly))
    return "it has statements of a kind that is not read";
  const std::unordered_set<std::string> groups;
  const std::unordered_set<std::size_t> allowed;
  for (const Statement& statement : statements) {
    BlockingReader reader(syntax, names, groups, allowed, true, depth);
    reader.note_lambdas(statements);
    if (const BlockingAnalysis found = reader.read(statement); !found.nonblocking) return found.reason;
  }
  return {};
}

}  // namespace

BlockingAnalysis analyse_blocking(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                                  const std::unordered_set<std::string>& groups,
                                  const std::unordered_set<std::size_t>& allowed) {
  return BlockingReader(syntax, names, groups, allowed, false).read(statement);
}

std::string unsteady_reason(const Syntax& syntax, std::size_t begin, std::size_t end,
                            const KnownNames& names) {
  return reason_of(syntax, begin, end, names, 0);
}

}  // namespace emucc
