#include "split/loop_interchange.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "parse/functions.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

using StatementKind = Statement::Kind;

/// Returns true for a loop over `int i = …`, whose type fits into a `long long`.
bool counts_in_integers(const Syntax& syntax, const Statement& loop) {
  if (loop.counters.size() != 1) return false;
  const LocalName& counter = loop.counters[0];
  if (counter.pointer || counter.reference || counter.array || counter.initialiser == npos || counter.direct)
    return false;
  for (std::size_t i = loop.type; i < loop.type_end; ++i)
    if (syntax.is(i, "float") || syntax.is(i, "double") || syntax.is(i, "bool") || syntax.is(i, "const"))
      return false;
  return syntax.tree().scopes().specified(loop.type, loop.type_end).base == ValueType::Base::arithmetic;
}

/// Returns true if the tokens contain `gridDim`, or a variable initialised with it.
bool mentions_grid(const Syntax& syntax, const Uniformity& facts, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (syntax.is(i, "gridDim")) return true;
    const std::size_t v = facts.owner(i);
    const LocalName* const name = v != npos ? facts.variables()[v].local : nullptr;
    if (name != nullptr && name->initialiser != npos && name->initialiser_end <= begin &&
        syntax.mentions(name->initialiser, name->initialiser_end, "gridDim"))
      return true;
  }
  return false;
}

bool jumps(const Statement& statement) {
  return statement.kind == StatementKind::break_ || statement.kind == StatementKind::continue_ ||
         statement.kind == StatementKind::return_ || statement.kind == StatementKind::switch_ ||
         std::any_of(statement.children.begin(), statement.children.end(), jumps);
}

/// Returns true if the condition may be evaluated again for a thread that has finished, since it changes
/// nothing and calls nothing.
bool only_compares(const Syntax& syntax, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::string_view at = syntax.at(i);
    const bool compares = at == "<=" || at == ">=" || at == "==" || at == "!=";
    if (at == "++" || at == "--" || (at.back() == '=' && !compares) ||
        (syntax.is_name(i) && syntax.is(i + 1, "(")))
      return false;
  }
  return true;
}

/// Finds `atomicAdd(&s[k], v);` and other atomic updates whose order can't be observed.
class CommutingUpdates {
 public:
  CommutingUpdates(const Syntax& syntax, const Uniformity& facts) : syntax_(syntax), facts_(facts) {}

  void find(const Statement& statement) {
    if (statement.kind == StatementKind::expression) update(statement);
    for (const Statement& inner : statement.children) find(inner);
  }
  /// Returns true if only updates of one kind access the variable.
  bool are_all_of(std::size_t variable, const Statement& loop) const {
    const auto found = functions_.find(variable);
    if (found == functions_.end() || found->second.empty()) return false;
    std::size_t named = 0;
    for (std::size_t i = loop.begin; i < loop.end; ++i) named += facts_.owner(i) == variable ? 1 : 0;
    return named == counts_.at(variable);
  }

 private:
  void update(const Statement& statement) {
    static constexpr std::string_view commuting[] = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax",
                                                     "atomicAnd", "atomicOr",  "atomicXor"};
    const std::size_t at = statement.head;
    if (std::find(std::begin(commuting), std::end(commuting), syntax_.at(at)) == std::end(commuting) ||
        may_be_own(syntax_, at))
      return;
    if (!syntax_.is(at + 1, "(") || !syntax_.is(at + 2, "&") || syntax_.after(at + 1) != statement.end - 1)
      return;
    const std::size_t variable = facts_.owner(at + 3);
    if (variable == npos || !is_shared_number(syntax_, facts_.variables()[variable], false)) return;
    std::size_t end = at + 4;
    while (syntax_.is(end, "[")) end = syntax_.after(end);
    if (!syntax_.is(end, ",")) return;
    auto& function = functions_.emplace(variable, syntax_.at(at)).first->second;
    if (function != syntax_.at(at)) function = {};  // two kinds
    ++counts_[variable];
  }

  const Syntax& syntax_;
  const Uniformity& facts_;
  std::map<std::size_t, std::string_view> functions_;  // for each variable; empty: several kinds
  std::map<std::size_t, std::size_t> counts_;
};

}  // namespace

bool is_shared_number(const Syntax& syntax, const KernelVariable& variable, bool or_floating) {
  if (variable.kind != VariableKind::shared || variable.local->pointer || variable.local->reference)
    return false;
  for (std::size_t i = variable.declared->type; i < variable.declared->type_end; ++i)
    if (!syntax.is(i, "int") && !syntax.is(i, "unsigned") && syntax.word(i) != Word::shared &&
        syntax.word(i) != Word::extern_ &&
        !(or_floating && (syntax.is(i, "float") || syntax.is(i, "double"))))
      return false;
  return true;
}

bool may_interchange(const Syntax& syntax, const Uniformity& facts, const MemoryEffects& memory,
                     const Statement& loop) {
  if (loop.kind != StatementKind::for_ || !counts_in_integers(syntax, loop) || jumps(loop.children[0]) ||
      !only_compares(syntax, loop.semicolon[0] + 1, loop.semicolon[1]) ||
      !mentions_grid(syntax, facts, loop.semicolon[1], loop.close))
    return false;
  const Effects effects = memory.of(loop);
  if (effects.anything) return false;
  CommutingUpdates updates(syntax, facts);
  updates.find(loop.children[0]);
  return std::all_of(effects.writes.begin(), effects.writes.end(), [&](std::size_t place) {
    return place != Effects::elsewhere && updates.are_all_of(place, loop);
  });
}

}  // namespace emucc
