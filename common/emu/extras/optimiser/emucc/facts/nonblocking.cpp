#include "facts/nonblocking.hpp"

#include <algorithm>
#include <utility>

#include "analyse/atomics.hpp"
#include "analyse/memory_calls.hpp"
#include "analyse/plain_loop.hpp"
#include "facts/function_objects.hpp"
#include "facts/lambdas.hpp"
#include "parse/classes.hpp"
#include "parse/functions.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// Returns true for a query of a thread_block of cooperative groups.
bool is_group_question(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "thread_rank", "size", "num_threads", "thread_index", "group_index", "group_dim", "dim_threads"};
  return words.count(name) > 0;
}

/// Returns true if the call creates a function object of cooperative groups or the standard library.
bool is_operator_object(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {"plus",   "less",    "greater", "bit_and",
                                                             "bit_or", "bit_xor", "minimum", "maximum"};
  return words.count(name) > 0;
}

constexpr int deepest_methods = 4;  ///< the most nested calls that are examined

std::string reason_of(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                      const Class* inside, int depth);

class BlockingReader {
 public:
  BlockingReader(const Syntax& syntax, const KnownNames& names, const std::unordered_set<std::string>& groups,
                 const std::unordered_set<std::size_t>& allowed, NonblockingLambdas lambdas, bool function,
                 const Class* inside = nullptr, int depth = 0)
      : syntax_(syntax),
        names_(names),
        groups_(groups),
        allowed_(allowed),
        function_(function),
        inside_(inside),
        depth_(depth),
        lambdas_(std::move(lambdas)) {}

  /// Records the names that a function gives to lambdas.
  void note_lambdas(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      for (const StatementPart& part : parts_of(syntax_, statement))
        if (part.initialises != nullptr && part.expression->kind == ExpressionKind::lambda)
          lambdas_.emplace(syntax_.at(part.initialises->name), false);
      note_lambdas(statement.children);
    }
  }

  /// Records the lambdas in the statements of a kernel.
  void find_lambdas(const std::vector<Statement>& statements, std::unordered_set<std::string>& waiting) {
    for (const Statement& statement : statements) {
      for (const LocalName& name : statement.names) {
        const auto lambda = lambda_of(syntax_, name);
        if (lambda && !declare(*lambda, name)) waiting.emplace(syntax_.at(name.name));
      }
      find_lambdas(statement.children, waiting);
    }
  }
  const NonblockingLambdas& lambdas() const { return lambdas_; }

  BlockingAnalysis read(const Statement& statement) {
    found_.nonblocking = loops(statement) && visit(statement);
    return std::move(found_);
  }

 private:
  bool refuse(std::string reason) {
    found_.reason = std::move(reason);
    return false;
  }

  // ---- loops that may wait for an atomic's result, and statements that need separate handling

  bool loops(const Statement& statement) {
    using Loop = Statement::Kind;
    if (statement.kind == Loop::shared) return refuse("a __shared__ variable is declared inside of a branch");
    const bool endless = statement.kind == Loop::for_ && statement.semicolon[1] == statement.semicolon[0] + 1;
    const bool waits = statement.kind == Loop::while_ || statement.kind == Loop::do_ || endless;
    if ((waits && uses_atomic_result(statement)) ||
        (statement.kind == Loop::for_ && own_parts_use_atomic_result(statement)))
      return refuse("a loop may wait for an atomic, or what another thread writes, to change");
    return std::all_of(statement.children.begin(), statement.children.end(),
                       [&](const Statement& inner) { return loops(inner); });
  }

  bool uses_atomic_result(const Statement& statement) const {
    return own_parts_use_atomic_result(statement) ||
           std::any_of(statement.children.begin(), statement.children.end(),
                       [&](const Statement& inner) { return uses_atomic_result(inner); });
  }

  /// Returns true if the statement uses an atomic's result. An atomic whose result is unused is a separate
  /// statement.
  bool own_parts_use_atomic_result(const Statement& statement) const {
    bool uses = false;
    for (const StatementPart& part : parts_of(syntax_, statement)) {
      const Expression* discarded =
          statement.kind == Statement::Kind::expression ? &inside_parentheses(*part.expression) : nullptr;
      if (discarded != nullptr && discarded->kind == ExpressionKind::cast &&
          syntax_.is(discarded->type_begin, "void"))
        discarded = &inside_parentheses(discarded->part(0));
      walk(*part.expression, [&](const Expression& node) {
        uses = uses || (&node != discarded && node.kind == ExpressionKind::call &&
                        (is_atomic_call(syntax_, node) || reads_anew(node)));
      });
    }
    return uses;
  }

  bool reads_anew(const Expression& call) const {
    const Expression& callee = inside_parentheses(call.part(0));
    return callee.kind == ExpressionKind::name && is_fresh_load(syntax_.at(callee.at));
  }

  // ---- effects

  bool visit(const Statement& statement) {
    const bool declares = statement.kind == Statement::Kind::declaration || !statement.counters.empty();
    if (declares && !is_type_known(statement.type, statement.type_end)) return false;
    if (statement.kind == Statement::Kind::range_for && !is_over_array(statement))
      return refuse("it has a loop over a range that is no array");
    for (const auto* list : {&statement.names, &statement.counters})
      for (const LocalName& name : *list)
        if (!is_type_known(name.begin, name.name) || !constructs(statement, name)) return false;
    for (const StatementPart& part : parts_of(syntax_, statement)) {
      const auto lambda = part.initialises != nullptr ? lambda_of(syntax_, *part.initialises) : std::nullopt;
      if (lambda ? !declare(*lambda, *part.initialises) : !visit(*part.expression)) return false;
    }
    return visit_all(statement.children);
  }

  /// Returns true if a loop runs over an array. Loops over other ranges call functions of iterators.
  bool is_over_array(const Statement& loop) {
    const LocalName& name = loop.counters[0];
    const Expression& range = syntax_.tree().expression(name.initialiser, name.initialiser_end);
    return range.kind == ExpressionKind::name && range.begin == range.at &&
           syntax_.tree().scopes().meaning(range.at).type.dimensions > 0;
  }

  /// Declares a named lambda. A lambda waits only if a function that it calls waits. So later code may call
  /// this one.
  bool declare(const Lambda& lambda, const LocalName& name) {
    const bool before = std::exchange(found_.reads_index, false);
    for (const Statement& each : body_of(syntax_, lambda))
      if (!loops(each) || !visit(each)) return false;
    if (!lambda.by_default)  // in a phase, the thread's index is a variable that the lambda captures
      for (std::size_t i = lambda.body; i < lambda.end(); ++i)
        found_.reads_index = found_.reads_index || syntax_.is_built_in_variable(i);
    bool& reads = lambdas_[std::string(syntax_.at(name.name))];
    reads = reads || found_.reads_index;
    found_.reads_index = found_.reads_index || before;
    return true;
  }

  bool visit_all(const std::vector<Statement>& statements) {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Statement& inner) { return visit(inner); });
  }

  /// Returns true if the declaration's constructors never wait. `T v(x)` calls a constructor unless `T` is a
  /// number such as `float`. `T v;` and `T v{x}` may call one.
  bool constructs(const Statement& declaration, const LocalName& name) {
    if (name.pointer || name.reference) return true;
    const ValueType type = syntax_.tree().scopes().specified(declaration.type, declaration.type_end);
    if (type.base == ValueType::Base::arithmetic) return true;
    const std::size_t last = name_of_type(syntax_, declaration.type, declaration.type_end);
    return construct(last) ||
           (name.direct || constructors(syntax_, last) != nullptr ? call_named(last) : true);
  }

  /// Returns true if the constructors of the class that `type` names never wait.
  bool construct(std::size_t type) {
    if (is_predefined_type(syntax_.at(type)) || is_atomic_class(syntax_, type)) return true;
    const auto* const all = constructors(syntax_, type);
    if (all == nullptr || depth_ == deepest_methods) return false;
    for (const Constructor& each : *all) {
      for (const auto& [begin, end] : each.initialisers)
        if (begin < end && !visit(syntax_.tree().expression(begin, end))) return false;
      if (each.body == npos) continue;
      const std::size_t begin = each.body + 1, end = syntax_.partner(each.body);
      const Class* const made = syntax_.tree().classes().named(type);
      if (!reason_of(syntax_, begin, end, names_, made, depth_ + 1).empty()) return false;
      found_.reads_index =
          found_.reads_index || !is_plain_function(syntax_, begin, end, names_.plain_functions);
    }
    return true;
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
    if (is_watched(syntax_, node)) return refuse("it watches 'volatile' memory");
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
               (!is_construction(syntax_, node) || construct(node.at) || call_named(node.at)) &&
               (!is_list_construction(syntax_, node) || construct(node.at) ||
                constructors(syntax_, node.at) == nullptr || call_named(node.at)) &&
               visit_parts(node);
      case ExpressionKind::lambda:
        if (!function_) return refuse("it has a lambda without a name");
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

  /// Returns true if the call never waits.
  bool call(const Expression& node) {
    const Expression& callee = inside_parentheses(node.part(0));
    if (callee.kind == ExpressionKind::member) return call_member(callee);
    if (callee.kind != ExpressionKind::name) return refuse("it calls something that is not named");
    const bool qualified = callee.begin != callee.at, with_arguments = callee.type_end != 0;
    if (qualified && with_arguments && is_operator_object(syntax_.at(callee.at))) return true;
    if (!qualified && !with_arguments && call_object(callee)) return true;
    if (!qualified && !with_arguments && found_.reason.empty() && is_function_parameter(callee.at) &&
        call_any_function(callee))
      return true;
    return found_.reason.empty() && call_named(callee.at);
  }

  /// Examines `f(x)`, where f is an object of a class or of a template parameter's type.
  bool call_object(const Expression& object) {
    const ValueType& type = object.type;
    if (type.name == npos || type.pointers > 0 || type.dimensions > 0) return false;
    const Class* const known = syntax_.tree().classes().named(type.name);
    const bool anything = syntax_.tree().scopes().is_type_parameter(syntax_.at(type.name));
    if ((known == nullptr && !anything) || (known != nullptr && !methods(known->calls()))) return false;
    return !anything || call_any_function(object);
  }

  /// Returns true if the callee is a template's parameter, and can be nothing else.
  bool is_function_parameter(std::size_t callee) const {
    return names_.function_objects != nullptr && !names_.function_objects->is_function(syntax_.at(callee)) &&
           syntax_.tree().scopes().is_function_parameter(syntax_.at(callee));
  }

  /// Examines the call of any function that the file's templates may be instantiated with.
  bool call_any_function(const Expression& callee) {
    if (names_.function_objects == nullptr) return false;
    found_.reads_index = true;
    const std::string reason = names_.function_objects->blocking_reason(names_);
    return reason.empty() || refuse("it calls '" + std::string(syntax_.at(callee.at)) + "'; " + reason);
  }

  bool call_member(const Expression& member) {
    const Expression& object = member.part(0);
    const std::string name(syntax_.at(member.at));
    const bool question = object.kind == ExpressionKind::name &&
                          groups_.count(std::string(syntax_.at(object.at))) > 0 && is_group_question(name);
    found_.reads_index = found_.reads_index || question;
    return question || allowed_.count(member.at) > 0 || is_atomic_member(syntax_, member) ||
           methods(called_methods(syntax_, member)) || refuse("it calls the member function '" + name + "'");
  }

  bool call_named(std::size_t callee) {
    if (allowed_.count(callee) > 0) return true;
    const std::string name(syntax_.at(callee));
    if (is_output(syntax_, callee) || names_.nonblocking_functions.count(name) > 0) {
      found_.reads_index = true;
      return true;
    }
    if (const auto lambda = lambdas_.find(name); lambda != lambdas_.end()) {
      found_.reads_index = found_.reads_index || lambda->second;
      return true;
    }
    return is_independent_call(syntax_, callee) || is_memory_call(syntax_, callee) ||
           (is_memory_action(name) && !may_be_own(syntax_, callee)) || name == "void" ||
           names_.plain_functions.count(name) > 0 || (inside_ != nullptr && methods(inside_->named(name))) ||
           refuse("it calls '" + name + "'");
  }

  static constexpr const char* class_or_assembly = "it has assembly, or a class of its own";

  /// Returns true if all functions of this name in the class never wait.
  bool methods(const std::vector<const Method*>& all) {
    if (all.empty() || depth_ == deepest_methods) return false;
    for (const Method* const each : all) {
      if (each->body == npos) return false;
      const std::size_t begin = each->body + 1, end = syntax_.partner(each->body);
      if (!reason_of(syntax_, begin, end, names_, each->of, depth_ + 1).empty()) return false;
      found_.reads_index =
          found_.reads_index || !is_plain_function(syntax_, begin, end, names_.plain_functions);
    }
    return true;
  }

  const Syntax& syntax_;
  const KnownNames& names_;
  const std::unordered_set<std::string>& groups_;
  const std::unordered_set<std::size_t>& allowed_;
  const bool function_;  ///< the code is part of a function, not of a kernel, so it is never split
  const Class* const
      inside_;       ///< the code is part of a function of this class, which may call others by their names
  const int depth_;  ///< the number of nested methods that have been followed
  NonblockingLambdas lambdas_;
  BlockingAnalysis found_;
};

/// @param depth the number of nested methods
std::string reason_of(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                      const Class* inside, int depth) {
  std::vector<Statement> statements;
  if (!read_statements(syntax, begin, end, statements, Reading::assembly))
    return "it has statements of a kind that is not read";
  const std::unordered_set<std::string> groups;
  const std::unordered_set<std::size_t> allowed;
  for (const Statement& statement : statements) {
    BlockingReader reader(syntax, names, groups, allowed, {}, true, inside, depth);
    reader.note_lambdas(statements);
    if (const BlockingAnalysis found = reader.read(statement); !found.nonblocking) return found.reason;
  }
  return {};
}

}  // namespace

bool is_output(const Syntax& syntax, std::size_t callee) {
  const Word word = syntax.word(callee);
  return (word == Word::printf || word == Word::assert_fail) && !may_be_own(syntax, callee);
}

NonblockingLambdas find_nonblocking_lambdas(const Syntax& syntax, const std::vector<Statement>& statements,
                                            const KnownNames& names,
                                            const std::unordered_set<std::string>& groups) {
  const std::unordered_set<std::size_t> allowed;
  std::unordered_set<std::string> waiting;
  BlockingReader reader(syntax, names, groups, allowed, {}, false);
  reader.find_lambdas(statements, waiting);
  NonblockingLambdas lambdas = reader.lambdas();
  for (const std::string& name : waiting) lambdas.erase(name);
  return lambdas;
}

BlockingAnalysis analyse_blocking(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                                  const std::unordered_set<std::string>& groups,
                                  const std::unordered_set<std::size_t>& allowed,
                                  const NonblockingLambdas& lambdas) {
  return BlockingReader(syntax, names, groups, allowed, lambdas, false).read(statement);
}

std::string blocking_reason(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                            const Class* inside) {
  return reason_of(syntax, begin, end, names, inside, 0);
}

}  // namespace emucc
