#include "split/fission_order.hpp"

#include <algorithm>

#include "facts/warp_uniformity.hpp"

namespace emucc {
namespace {

using Kind = FissionStep::Kind;
using StatementKind = Statement::Kind;
using Steps = std::vector<FissionStep>;
using Backlogs = std::set<std::size_t>;  // 0 is the empty backlog

constexpr std::size_t most_backlogs = 24;

bool is_jump(const FissionStep& step, StatementKind kind) {
  return step.kind == Kind::uniform && step.statement->kind == kind;
}

/// Returns true if the loop's condition certainly holds at first, as in `for (int d = 16; d > 0; …)`.
bool holds_at_first(const Syntax& syntax, const KnownNames& names, const Statement& loop) {
  if (loop.kind != StatementKind::for_ || loop.counters.size() != 1 || loop.counters[0].initialiser == npos)
    return false;
  const LocalName& counter = loop.counters[0];
  const auto first = constant_value(syntax, names, counter.initialiser, counter.initialiser_end);
  const std::size_t begin = loop.semicolon[0] + 1, end = loop.semicolon[1];
  if (!first || *first < 0 || end < begin + 1 || !syntax.is(begin, syntax.at(counter.name))) return false;
  if (end == begin + 1) return *first != 0;
  const auto bound = constant_value(syntax, names, begin + 2, end);
  if (!bound || *bound < 0) return false;
  const std::string_view compare = syntax.at(begin + 1);
  return (compare == "<" && *first < *bound) || (compare == "<=" && *first <= *bound) ||
         (compare == ">" && *first > *bound) || (compare == ">=" && *first >= *bound) ||
         (compare == "!=" && *first != *bound);
}

class Order {
 public:
  Order(const Syntax& syntax, const KnownNames& names, const Uniformity& facts, const MemoryEffects& memory,
        std::size_t end, Fission& plan)
      : syntax_(syntax), names_(names), facts_(facts), memory_(memory), end_(end), plan_(plan) {}

  PhaseOrder find() {
    find_effects(plan_.steps);
    for (const KernelVariable& variable : facts_.variables())
      plan_.whole_rows = plan_.whole_rows || variable.of_warp;
    list(plan_.steps, plan_.backlogs_at_end);
    if (refusal_.empty() && !plan_.warp_function) join(plan_.steps, plan_.backlogs_at_end);
    for (const Statement& statement : plan_.statements) find_aliases(statement);
    if (refusal_.empty()) prepare(plan_.steps, plan_.backlogs_at_end, plan_.warp_function);
    for (auto& [what, joined] : plan_.joined)
      if (refusal_.empty()) prepare(joined.parts[0], joined.backlogs_at_end, true);
    return {refusal_, cut_, unsteady_};
  }

 private:
  void refuse(const std::string& reason, const FissionStep& step) {
    if (!refusal_.empty()) return;
    const Statement& statement = step.leaves.empty() ? *step.statement : *step.leaves[0];
    refusal_ = reason + " (line " + std::to_string(syntax_.stream().tokens[statement.head].line) + ")";
  }

  // ---- effects of steps on memory

  void find_effects(Steps& steps) {
    for (FissionStep& step : steps) {
      for (const Statement* leaf : step.leaves)
        if (!declares_indices(*leaf)) step.effects.add(memory_.of(*leaf));
      for (const WarpCall& call : step.calls) {
        step.effects.add(call_effects(call));
        plan_.whole_rows =
            plan_.whole_rows || call.exchange == nullptr;  // the effects of the function are unknown here
      }
      plan_.whole_rows = plan_.whole_rows || step.of_warp || step.masked;
      if (step.masked) step.effects.add(condition_effects(step));
      for (const OnceRead& read : step.once_reads) step.once.add(memory_.of_once(read));
      for (auto& part : step.parts) {
        find_effects(part);
        for (const FissionStep& inner : part) step.effects.add(inner.effects);
      }
    }
  }

  /// Returns true if the leaf declares only values that follow from threadIdx, or references to elements that
  /// such an index selects.
  bool declares_indices(const Statement& leaf) const {
    return leaf.kind == StatementKind::declaration &&
           std::all_of(leaf.names.begin(), leaf.names.end(), [&](const LocalName& name) {
             return facts_.variables()[facts_.owner(name.name)].kind == VariableKind::index;
           });
  }

  Effects condition_effects(const FissionStep& step) const {
    return memory_.of(step.statement->open + 1, step.statement->close);
  }

  /// Refuses the kernel if lanes that take different sides of `step` could observe the order of the sides.
  /// @param after the effects that may follow until the warp reconverges
  void check_masked(FissionStep& step, const Effects& after) {
    std::vector<std::pair<Effects, bool>> effects{{condition_effects(step), false}};  // the flag: in a loop
    for (auto& part : step.parts) list_effects(part, false, effects);
    for (std::size_t i = 0; i < effects.size(); ++i) {
      if (conflict(effects[i].first, after) ||
          (effects[i].second && conflict(effects[i].first, effects[i].first)))
        return refuse("lanes that part around a warp function use memory that others may use at once", step);
      for (std::size_t j = i + 1; j < effects.size(); ++j)
        if (conflict(effects[i].first, effects[j].first))
          return refuse("lanes that part around a warp function use memory that others may use at once",
                        step);
    }
  }
  void list_effects(Steps& steps, bool loop, std::vector<std::pair<Effects, bool>>& found) {
    for (FissionStep& step : steps) {
      if (step.kind == Kind::phase) found.emplace_back(step.effects, loop);
      if (step.kind == Kind::exchange || !step.calls.empty())
        found.emplace_back(argument_effects(step), loop);
      step.follows = {};
      const bool turns = step.kind == Kind::control && step.statement->kind != StatementKind::if_ &&
                         step.statement->kind != StatementKind::compound;
      if (step.masked) found.emplace_back(condition_effects(step), loop);
      for (auto& part : step.parts) list_effects(part, loop || turns, found);
    }
  }

  /// Returns the effects that a user function has on memory, besides its result.
  Effects call_effects(const WarpCall& call) const {
    return call.exchange != nullptr ? Effects{} : memory_.of(call.name, call.end);
  }
  Effects argument_effects(const WarpCall& call) const {
    Effects all = call_effects(call);
    for (const WarpCall::Argument& argument : call.arguments)
      all.add(memory_.of(argument.begin, argument.end));
    return all;
  }
  Effects argument_effects(const FissionStep& step) const {
    Effects all;
    for (const WarpCall& call : step.calls) all.add(argument_effects(call));
    return all;
  }

  /// Orders a list of steps for the block or a warp. All threads begin the list together and end it together.
  void list(Steps& steps, Backlogs& at_end) {
    flow(steps, {}, {}, {});
    at_end = walk(steps, {0}, nullptr);
  }

  /// Returns true if threads may continue after the loop without an iteration of it.
  bool may_be_passed(const Statement& loop) const {
    return loop.kind != StatementKind::do_ && !holds_at_first(syntax_, names_, loop);
  }

  /// Checks reads that run once on behalf of all threads. Every thread must read the same value.
  void check_once(const FissionStep& step, const Effects& others) {
    if (!conflict(step.once, others)) return;
    for (const OnceRead& read : step.once_reads) unsteady_.insert(read.token);
  }

  // ---- backwards: effects that may follow a step up to the next barrier

  /// @return the effects that may follow the place before the steps
  Effects flow(Steps& steps, Effects after, const Effects& at_break, const Effects& at_continue) {
    for (std::size_t i = steps.size(); i-- > 0;) {
      FissionStep& step = steps[i];
      switch (step.kind) {
        case Kind::barrier:
          after = {};
          break;
        case Kind::phase:
        case Kind::warps:
          step.follows = after;
          if (step.calls.empty())
            after.add(step.effects);
          else
            after = argument_effects(step);
          break;
        case Kind::exchange:
          after = argument_effects(step);
          break;
        case Kind::uniform:
          if (is_jump(step, StatementKind::break_)) after = at_break;
          if (is_jump(step, StatementKind::continue_)) after = at_continue;
          if (is_jump(step, StatementKind::return_)) after = {};
          check_once(step, after);
          after.add(step.once);
          break;
        case Kind::scope:
          after = flow(step.parts[0], after, at_break, at_continue);
          break;
        case Kind::control:
          after = flow_control(step, after, at_break, at_continue);
      }
    }
    return after;
  }

  Effects flow_control(FissionStep& step, const Effects& after, const Effects& at_break,
                       const Effects& at_continue) {
    if (step.statement->kind == StatementKind::compound)
      return flow(step.parts[0], after, at_break, at_continue);
    if (step.masked) {
      check_masked(step, after);
      Effects all = after;
      all.add(step.effects);
      return all;
    }
    if (step.statement->kind == StatementKind::if_) {
      Effects all = after;
      if (step.parts.size() > 1) all = flow(step.parts[1], after, at_break, at_continue);
      all.add(flow(step.parts[0], after, at_break, at_continue));
      check_once(step, all);
      all.add(step.once);
      return all;
    }
    Effects condition = after, body;  // effects that may follow before the condition
    condition.add(step.once);
    for (;;) {
      body = flow(step.parts[0], condition, after, condition);
      check_once(step, body);
      check_once(step, after);
      Effects more = condition;
      more.add(body);
      if (more == condition) break;
      condition = more;
    }
    return may_be_passed(*step.statement) ? condition : body;
  }

  // ---- forwards: the possible backlogs

  struct Loop {
    Backlogs breaks, continues;
  };

  Effects effects_of(const Backlogs& backlogs) const {
    Effects all;
    for (const std::size_t backlog : backlogs)
      for (const FissionStep* phase : plan_.backlogs[backlog]) all.add(phase->effects);
    return all;
  }

  Backlogs walk(Steps& steps, Backlogs now, Loop* loop) {
    for (FissionStep& step : steps) {
      if (!refusal_.empty() || now.empty()) return {};
      switch (step.kind) {
        case Kind::barrier:
          step.backlogs.insert(now.begin(), now.end());
          now = {0};
          break;
        case Kind::exchange:
          calls(step, now);
          break;
        case Kind::phase:
          phase(step, now);
          break;
        case Kind::warps:
          warps(step, now);
          break;
        case Kind::uniform:
          check_once(step, effects_of(now));
          jump(step, now, loop);
          break;
        case Kind::scope:
          now = walk(step.parts[0], now, loop);
          break;
        case Kind::control:
          now = walk_control(step, now, loop);
      }
    }
    return now;
  }

  void jump(FissionStep& step, Backlogs& now, Loop* loop) {
    const bool leaves = is_jump(step, StatementKind::break_) || is_jump(step, StatementKind::continue_);
    if (leaves && loop == nullptr) return refuse("a jump leaves what warps do one after another", step);
    if (is_jump(step, StatementKind::return_)) step.backlogs.insert(now.begin(), now.end());
    if (is_jump(step, StatementKind::break_)) loop->breaks.insert(now.begin(), now.end());
    if (is_jump(step, StatementKind::continue_)) loop->continues.insert(now.begin(), now.end());
    if (is_jump(step, StatementKind::return_) || is_jump(step, StatementKind::break_) ||
        is_jump(step, StatementKind::continue_))
      now.clear();
  }

  Backlogs walk_control(FissionStep& step, const Backlogs& before, Loop* outer) {
    if (step.statement->kind == StatementKind::compound) return walk(step.parts[0], before, outer);
    if (step.masked && !nothing_is_due(before)) {
      refuse("other threads may see what is done before lanes part around a warp function", step);
      return {};
    }
    check_once(step, effects_of(before));
    if (step.statement->kind == StatementKind::if_) {
      Backlogs after = walk(step.parts[0], before, outer);
      const Backlogs other = step.parts.size() > 1 ? walk(step.parts[1], before, outer) : before;
      after.insert(other.begin(), other.end());
      return after;
    }
    Backlogs begin = before;
    for (;;) {
      Loop loop;
      Backlogs turn = walk(step.parts[0], begin, &loop);
      turn.insert(loop.continues.begin(), loop.continues.end());
      check_once(step, effects_of(turn));
      Backlogs after = turn;
      if (may_be_passed(*step.statement)) after.insert(before.begin(), before.end());
      after.insert(loop.breaks.begin(), loop.breaks.end());
      const std::size_t known = begin.size();
      begin.insert(turn.begin(), turn.end());
      if (begin.size() == known || !refusal_.empty()) return after;
    }
  }

  void phase(FissionStep& step, Backlogs& now) {
    if (!step.calls.empty()) calls(step, now);
    step.backlogs.insert(now.begin(), now.end());
    Effects all = effects_of(step.backlogs);
    all.add(step.effects);
    step.deferred = step.deferred || conflict(all, step.follows);
    if (!step.deferred) {
      now = {0};
      return;
    }
    // Code that uses a warp function's result must run at once; the code after it may be deferred.
    if (!step.calls.empty() && step.leaves.size() > 1) cut_ = step.leaves[0];
    if (!step.calls.empty())
      return refuse("what a warp function gives goes to memory that other threads may use at once", step);
    defer(step, now);
  }

  void defer(FissionStep& step, Backlogs& now) {
    Backlogs longer;
    for (const std::size_t before : now) {
      const Backlog& due = plan_.backlogs[before];
      if (std::find(due.begin(), due.end(), &step) != due.end() || plan_.backlogs.size() > most_backlogs)
        return refuse("threads may come here again without a barrier, and see who comes first", step);
      Backlog all_due = due;
      all_due.push_back(&step);
      if (plan_.longer(before, step) == plan_.backlogs.size()) plan_.backlogs.push_back(all_due);
      longer.insert(plan_.longer(before, step));
    }
    now = longer;
  }

  /// Handles calls at which the warp converges. Due steps run before the calls, or where a lane computes its
  /// argument.
  void calls(FissionStep& step, Backlogs& now) {
    step.backlogs_at_calls.insert(now.begin(), now.end());
    now = {0};
    const Effects due = effects_of(step.backlogs_at_calls);
    for (const WarpCall& call : step.calls) {
      if (!conflict(due, argument_effects(call))) continue;
      std::size_t merged = npos;
      for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (conflict(due, memory_.of(call.arguments[i].begin, call.arguments[i].end)))
          merged = merged == npos && !call.arguments[i].uniform ? i : call.arguments.size();
      if (merged >= call.arguments.size() || step.backlogs_at_calls.size() > 1 || step.calls.size() > 1 ||
          conflict(due, call_effects(call)) || returns(step.backlogs_at_calls))
        return refuse("a warp function takes what other threads may write just before", step);
      step.merged = merged;
    }
    // No barrier separates the end of a user function from the code after its call, so conflicting effects are
    // refused.
    for (const WarpCall& call : step.calls)
      if (call.exchange == nullptr && conflict(call_effects(call), step.follows))
        refuse("a function of whole warps uses memory that other threads may use at once", step);
  }

  bool returns(const Backlogs& backlogs) const {
    for (const std::size_t backlog : backlogs)
      for (const FissionStep* phase : plan_.backlogs[backlog])
        for (const Statement* leaf : phase->leaves)
          for (std::size_t i = leaf->begin; i < leaf->end; ++i)
            if (syntax_.is(i, "return")) return true;
    return false;
  }

  void warps(FissionStep& step, Backlogs& now) {
    step.backlogs.insert(now.begin(), now.end());
    Effects all = effects_of(step.backlogs);
    all.add(step.effects);
    step.deferred = step.deferred || conflict(all, step.follows);
    if (step.deferred) return defer(step, now);
    now = {0};
  }

  // ---- warp stretches: steps that are due before them, and stretches that are deferred

  /// Orders warp stretches. Each warp runs the whole stretch before the next warp begins. The steps in a stretch have
  /// their own order.
  void join(Steps& steps, const Backlogs& at_end) {
    for (FissionStep& step : steps) {
      const bool runs = (step.kind == Kind::phase || step.kind == Kind::warps) && !step.deferred;
      if (runs || step.kind == Kind::barrier || is_jump(step, StatementKind::return_))
        for (const std::size_t backlog : step.backlogs) join(backlog, runs ? &step : nullptr);
      if (runs && step.kind == Kind::warps && refusal_.empty()) list(step.parts[0], step.backlogs_at_end);
      if (step.kind == Kind::control)
        for (auto& part : step.parts) join(part, {});
    }
    for (const std::size_t backlog : at_end) join(backlog, nullptr);
  }

  void join(std::size_t backlog, const FissionStep* last) {
    Backlog all = plan_.backlogs[backlog];
    if (last != nullptr) all.push_back(last);
    const bool warps =
        std::any_of(all.begin(), all.end(), [](auto* step) { return step->kind == Kind::warps; });
    if (!warps || backlog == 0 || !refusal_.empty() || plan_.joined.count({backlog, last}) > 0) return;
    FissionStep joined;
    joined.kind = Kind::warps;
    joined.statement = all[0]->statement;
    joined.parts.emplace_back();
    for (const FissionStep* const source : all) {
      FissionStep scope;
      scope.kind = Kind::scope;
      scope.statement = source->statement;
      scope.source = source;
      scope.parts.push_back(source->kind == Kind::warps ? source->parts[0] : Steps{*source});
      without_order(scope.parts[0]);
      joined.parts[0].push_back(std::move(scope));
    }
    FissionStep& known = plan_.joined[{backlog, last}] = std::move(joined);
    list(known.parts[0], known.backlogs_at_end);
  }

  static void without_order(Steps& steps) {
    for (FissionStep& step : steps) {
      step.deferred = false;
      step.copies.clear();
      step.backlogs.clear();
      step.backlogs_at_calls.clear();
      step.merged = npos;
      for (auto& part : step.parts) without_order(part);
    }
  }

  // ---- requirements of deferred phases

  void prepare(Steps& steps, const Backlogs& at_end, bool of_warp) {
    vary(at_end);
    for (FissionStep& step : steps) {
      vary(step.backlogs);
      vary(step.backlogs_at_calls);
      if (step.deferred) {
        step.number = ++deferred_;
        copies(step);
      }
      if (!of_warp && (step.kind == Kind::phase || step.kind == Kind::warps) &&
          (step.deferred || !nothing_is_due(step.backlogs)))
        early(step);
      for (auto& part : step.parts) prepare(part, step.backlogs_at_end, of_warp || step.kind == Kind::warps);
    }
  }
  void vary(const Backlogs& backlogs) { plan_.backlogs_vary = plan_.backlogs_vary || backlogs.size() > 1; }

  /// Calls `see(v)` for each variable that the phase mentions or computes again.
  template <class See>
  void mentioned(const FissionStep& step, const See& see) const {
    const auto tokens = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (facts_.owner(i) != npos) see(facts_.owner(i));
    };
    for (const Statement* leaf : step.leaves) tokens(leaf->begin, leaf->end);
    const auto needed = [&](const std::vector<std::size_t>& needs) {
      for (const std::size_t v : needs) {
        see(v);
        const LocalName* const local = facts_.variables()[v].local;
        if (facts_.variables()[v].kind == VariableKind::index)
          tokens(local->initialiser, local->initialiser_end);
      }
    };
    needed(step.needs);
    for (const WarpCall& call : step.calls)
      for (const WarpCall::Argument& argument : call.arguments) {
        tokens(argument.begin, argument.end);
        needed(argument.needs);
      }
    if (step.kind == Kind::uniform || step.kind == Kind::control)
      tokens(step.statement->begin, step.statement->end);
    for (const KernelVariable& variable : facts_.variables())
      if (step.kind == Kind::uniform && variable.declared == step.statement) needed(variable.needs);
    for (const auto& part : step.parts)
      for (const FissionStep& inner : part) mentioned(inner, see);
  }

  /// Finds the uniform variables whose values the step needs as they were at its original place.
  void copies(FissionStep& step) {
    std::set<std::size_t> found;
    mentioned(step, [&](std::size_t v) {
      const KernelVariable& variable = facts_.variables()[v];
      const bool gone = variable.local != nullptr && variable.end < end_;
      if ((variable.kind == VariableKind::shared || variable.kind == VariableKind::group) && gone)
        return refuse("'" + variable.name + "' is declared inside of a branch or loop", step);
      if (variable.kind != VariableKind::uniform || (variable.writes.empty() && !gone)) return;
      if (variable.region != 0 && step.kind == Kind::warps) return;  // it is declared in the stretch
      found.insert(v);
      if (variable.local == nullptr) return;
      check_type(v, step);
    });
    step.copies.assign(found.begin(), found.end());
  }

  /// Finds the variables that a due step needs although it runs outside their scope.
  void early(const FissionStep& step) {
    mentioned(step, [&](std::size_t v) {
      const KernelVariable& variable = facts_.variables()[v];
      if (variable.kind != VariableKind::kept || variable.local == nullptr) return;
      plan_.early.insert(v);
      check_type(v, step);
    });
  }

  /// Checks that the variable's type is valid at the kernel's beginning.
  void check_type(std::size_t v, const FissionStep& step) {
    const KernelVariable& variable = facts_.variables()[v];
    if (variable.reference)
      return refuse("the reference '" + variable.name + "' is declared inside of a branch or loop", step);
    const auto check = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (syntax_.is(i, "auto") || syntax_.is(i, "decltype") ||
            (facts_.owner(i) != npos && facts_.owner(i) != v) ||
            aliases_.count(std::string(syntax_.at(i))) > 0)
          return refuse("the type of '" + variable.name + "' is not spelled out", step);
    };
    check(variable.declared->type, variable.declared->type_end);
    check(variable.local->begin, variable.local->end);
  }

  void find_aliases(const Statement& statement) {
    for (const Statement& inner : statement.children) find_aliases(inner);
    if (statement.kind != StatementKind::alias) return;
    for (std::size_t i = statement.head; i < statement.end; ++i)
      if (syntax_.is_name(i)) aliases_.emplace(syntax_.at(i));
  }

  const Syntax& syntax_;
  const KnownNames& names_;
  const Uniformity& facts_;
  const MemoryEffects& memory_;
  const std::size_t end_;
  Fission& plan_;
  std::unordered_set<std::string> aliases_;
  std::size_t deferred_ = 0;
  std::string refusal_;
  const Statement* cut_ = nullptr;
  std::set<std::size_t> unsteady_;
};

}  // namespace

PhaseOrder order_phases(const Syntax& syntax, const KnownNames& names, const Uniformity& facts,
                        const MemoryEffects& memory, std::size_t end, Fission& plan) {
  return Order(syntax, names, facts, memory, end, plan).find();
}

}  // namespace emucc
