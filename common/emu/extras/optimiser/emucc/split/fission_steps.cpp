// Makes the steps of a split kernel: phases, code that runs once between them, and loops over warps.
#include <algorithm>
#include <array>

#include "facts/warp_uniformity.hpp"
#include "parse/syntax_tree.hpp"
#include "split/fission_detail.hpp"

namespace emucc::detail {

bool FissionPlanner::is_uniform_statement(const Statement& statement, const Uniformity& facts) const {
  if (statement.kind == StatementKind::shared || is_group(statement)) return true;
  if (statement.kind == StatementKind::alias) return true;
  if (statement.kind == StatementKind::declaration) {
    for (const LocalName& name : statement.names)
      if (facts.variables()[facts.owner(name.name)].kind != VariableKind::uniform) return false;
    return true;
  }
  if (statement.kind != StatementKind::expression) return false;
  return facts.assigns_uniformly(statement.head, statement.end - 1) && is_single(statement);
}

bool FissionPlanner::is_single(const Statement& statement) const {
  std::size_t at = statement.head;
  while (at < statement.end && !is(at, ",")) at = syntax_.after(at);
  return at >= statement.end;
}

/// Returns true if a declaration declares a uniform name.
bool FissionPlanner::has_uniform_name(const Statement& statement, const Uniformity& facts) const {
  return std::any_of(statement.names.begin(), statement.names.end(), [&](const LocalName& name) {
    return facts.variables()[facts.owner(name.name)].kind == VariableKind::uniform;
  });
}

bool FissionPlanner::names_own(const Statement& statement, const Uniformity& facts) const {
  for (std::size_t i = statement.begin; i < statement.end; ++i)
    if (facts.owner(i) != npos && facts.variables()[facts.owner(i)].kind != VariableKind::uniform)
      return true;
  return false;
}

void FissionPlanner::make_steps(const std::vector<Statement>& list, const Uniformity& facts, Steps& steps,
                                const Statement* loop) {
  Cursor cursor;
  for (const Statement& statement : list) step(statement, facts, steps, loop, cursor);
}

namespace {
FissionStep& add(std::vector<FissionStep>& steps, FissionStep::Kind kind, const Statement& statement) {
  steps.emplace_back();
  steps.back().kind = kind;
  steps.back().statement = &statement;
  return steps.back();
}
}  // namespace

void FissionPlanner::step(const Statement& statement, const Uniformity& facts, Steps& steps,
                          const Statement* loop, Cursor& cursor) {
  if (refused()) return;
  const StatementKind kind = statement.kind;
  const bool jump = kind == StatementKind::break_ || kind == StatementKind::continue_ ||
                    (kind == StatementKind::return_ && !in_warps_);
  if (is_barrier(statement)) {
    add(steps, FissionStep::Kind::barrier, statement);
    cursor = {};
  } else if (kind == StatementKind::expression && statement.end == statement.head + 1) {
    return;  // a lone `;`
  } else if (jump) {
    add(steps, FissionStep::Kind::uniform, statement);
    cursor = {};
  } else if (!in_warps_ && root(statement) != 0) {
    warp_step(statement, facts, steps, loop, cursor);
  } else if (is_control(statement)) {
    cursor = {};
    control(statement, facts, add(steps, FissionStep::Kind::control, statement), loop);
  } else if (is_uniform_statement(statement, facts)) {
    uniform_step(statement, facts, steps, cursor);
  } else {
    if (has_uniform_name(statement, facts)) uniform_step(statement, facts, steps, cursor);
    if (!cursor.warps) return leaf_step(statement, facts, steps, loop, cursor.phase);
    in_warps_ = true;
    leaf_step(statement, facts, steps.back().parts[0], loop, cursor.inner_phase);
    in_warps_ = false;
  }
}

/// Adds a statement that warps run one after another, together with the phase before it. Fibers use the same
/// order.
void FissionPlanner::warp_step(const Statement& statement, const Uniformity& facts, Steps& steps,
                               const Statement* loop, Cursor& cursor) {
  if (!cursor.warps) {
    FissionStep all;
    all.kind = FissionStep::Kind::warps;
    all.statement = &statement;
    all.parts.emplace_back();
    if (cursor.phase) {
      all.parts[0].push_back(std::move(steps.back()));
      steps.pop_back();
    }
    steps.push_back(std::move(all));
    cursor = {false, true, cursor.phase};
  }
  Cursor inner{cursor.inner_phase, false, false};
  in_warps_ = true;
  step(statement, facts, steps.back().parts[0], loop, inner);
  in_warps_ = false;
  cursor.inner_phase = inner.phase;
}

void FissionPlanner::uniform_step(const Statement& statement, const Uniformity& facts, Steps& steps,
                                  Cursor& cursor) {
  if (statement.kind == StatementKind::alias && names_own(statement, facts))
    return refuse("a type follows from a variable");
  add(steps, FissionStep::Kind::uniform, statement);
  // A declaration may precede the open phase; an assignment ends the phase.
  if (statement.kind == StatementKind::expression)
    cursor = {};
  else if (cursor.phase || cursor.warps)
    std::swap(steps[steps.size() - 2], steps.back());
}

/// @param open true if the last step is a phase that takes more leaves
void FissionPlanner::leaf_step(const Statement& statement, const Uniformity& facts, Steps& steps,
                               const Statement* loop, bool& open) {
  const auto calls = calls_.find(&statement);
  if (calls != calls_.end()) open = false;
  if (open && cuts_.count(steps.back().leaves.back()) > 0) open = false;
  const bool alone = !in_warps_ && interchanged_.count(&statement) > 0;
  if (alone) open = false;
  if (is_warp_barrier(syntax_, statement)) {
    FissionStep& barrier = add(steps, FissionStep::Kind::exchange, statement);
    barrier.calls = calls->second;
    for (WarpCall::Argument& argument : barrier.calls[0].arguments)
      argument.uniform = facts.is_uniform(argument.begin, argument.end);
    return;
  }
  if (!open) add(steps, FissionStep::Kind::phase, statement);
  open = !alone;
  steps.back().interchanged = alone;
  if (calls != calls_.end()) steps.back().calls = calls->second;
  leaf(statement, facts, steps.back(), loop);
}

namespace {
bool declares(const Syntax& syntax, const Statement& statement, std::string_view name) {
  const auto named = [&](const LocalName& each) { return syntax.is(each.name, name); };
  return std::any_of(statement.names.begin(), statement.names.end(), named) ||
         std::any_of(statement.children.begin(), statement.children.end(),
                     [&](const Statement& inner) { return declares(syntax, inner, name); });
}
}  // namespace

/// Returns true if every call in the statement by a lambda's name calls that lambda.
bool FissionPlanner::calls_lambdas(const Statement& statement, const Uniformity& facts) const {
  for (std::size_t i = statement.begin; i < statement.end && !lambdas_.empty(); ++i)
    if (lambdas_.count(std::string(syntax_.at(i))) > 0 && is(i + 1, "(") && facts.owner(i) == npos &&
        !declares(syntax_, statement, syntax_.at(i)))
      return false;
  return true;
}

void FissionPlanner::leaf(const Statement& statement, const Uniformity& facts, FissionStep& phase,
                          const Statement* loop) {
  std::unordered_set<std::size_t> allowed;
  for (const WarpCall& call : phase.calls) allowed.insert(call.name);
  const BlockingAnalysis found = analyse_blocking(syntax_, statement, names_, groups_, allowed, lambdas_);
  if (!found.nonblocking) return refuse_at(found.reason, statement);
  if (!calls_lambdas(statement, facts)) return refuse_at("a lambda has the name of a function", statement);
  if (found_.warp_function && has_return(statement) && !is_last_return(statement))
    return refuse_at("it returns before its end", statement);
  // If threads return one by one, the loop must end when all threads have returned.
  if (has_return(statement) && loop != nullptr && !has_condition(*loop, facts)) {
    if (in_warps_) return refuse("only threads that return end its loop");
    found_.asks_alive = true;
  }
  phase.reads_index = phase.reads_index || found.reads_index;
  if (phase.leaves.empty()) {
    for (WarpCall& call : phase.calls)
      for (WarpCall::Argument& argument : call.arguments) {
        argument.reads_index = found.reads_index;
        argument.uniform =
            argument.role == WarpCall::Role::setting && facts.is_uniform(argument.begin, argument.end);
      }
  }
  phase.leaves.push_back(&statement);
}

// ---- branches and loops around phases

void FissionPlanner::control(const Statement& statement, const Uniformity& facts, FissionStep& step,
                             const Statement* loop) {
  if (statement.kind == StatementKind::compound) {
    step.parts.emplace_back();
    return make_steps(statement.children, facts, step.parts.back(), loop);
  }
  if (!control_header(statement, facts, step, loop)) return;
  const bool is_loop = statement.kind != StatementKind::if_;
  const Statement* const around = is_loop ? &statement : loop;
  for (const Statement& inner : statement.children) {
    step.parts.emplace_back();
    Cursor cursor;
    if (inner.kind == StatementKind::compound)
      make_steps(inner.children, facts, step.parts.back(), around);
    else
      this->step(inner, facts, step.parts.back(), around, cursor);
  }
}

bool FissionPlanner::control_header(const Statement& statement, const Uniformity& facts, FissionStep& step,
                                    const Statement* loop) {
  if (statement.kind != StatementKind::for_)
    return condition(statement, statement.open + 1, statement.close, facts, step, loop);
  for (const LocalName& name : statement.counters) {
    if (facts.variables()[facts.owner(name.name)].kind == VariableKind::uniform) continue;
    condition_differs_ = condition_differs_ || (!in_warps_ && !refused());
    differs_ = !in_warps_ && !branches_run_once_ && !refused();
    refuse("a loop around a barrier or a warp function has a counter that may differ between threads");
    return false;
  }
  if (statement.counters.empty() && !header_part(statement.open + 1, statement.semicolon[0], facts))
    return false;
  return condition(statement, statement.semicolon[0] + 1, statement.semicolon[1], facts, step, loop) &&
         header_part(statement.semicolon[1] + 1, statement.close, facts);
}

namespace {
/// Returns the condition of an `if` as a separate statement.
Statement condition_only(const Statement& statement) {
  Statement condition;
  condition.begin = condition.head = statement.open + 1;
  condition.end = statement.close;
  return condition;
}
}  // namespace

/// Returns true if each side of a branch may run separately, with the lanes of a warp that take this side.
bool FissionPlanner::may_part(const Statement& statement, const Uniformity& facts,
                              const Statement* loop) const {
  if (found_.warp_function || has_jump(statement)) return false;
  if (!analyse_blocking(syntax_, condition_only(statement), names_, groups_, {}, lambdas_).nonblocking)
    return false;
  return others_are_done(statement, loop) || masks_fit(statement, facts);
}

/// Returns true if lanes that skip a side with warp functions return without reaching another warp function.
/// Then warp functions don't wait for these lanes, whatever the masks are.
bool FissionPlanner::others_are_done(const Statement& statement, const Statement* loop) const {
  if (loop != nullptr || std::any_of(warps_.begin(), warps_.end(),
                                     [&](const Statement* other) { return other->begin >= statement.end; }))
    return false;
  for (const Statement* const barrier : barriers_)
    if (is_barrier(*barrier) && barrier->head > statement.head) return false;
  return statement.children.size() == 1 || warps_.count(&statement.children[0]) == 0 ||
         warps_.count(&statement.children[1]) == 0;
}

/// Returns true if it is known which lanes take the branch, and no mask inside names another lane.
bool FissionPlanner::masks_fit(const Statement& statement, const Uniformity& facts) const {
  std::array<std::uint32_t, max_warps> taken{};
  for (unsigned thread = 0; thread < max_warps * 32; ++thread) {
    const auto value = value_of_thread(syntax_, facts, names_, statement.open + 1, statement.close, thread);
    if (!value) return false;
    taken[thread / 32] |= std::uint32_t{*value != 0} << thread % 32;
  }
  for (std::size_t side = 0; side < statement.children.size(); ++side)
    for (const auto& [leaf, calls] : calls_) {
      if (leaf->begin < statement.children[side].begin || leaf->end > statement.children[side].end) continue;
      for (const WarpCall& call : calls) {
        const bool named =
            call.exchange != nullptr && !call.arguments.empty() && syntax_.at(call.name).substr(0, 2) == "__";
        const auto mask =
            named ? constant_value(syntax_, names_, call.arguments[0].begin, call.arguments[0].end)
                  : std::nullopt;
        if (!mask) return false;
        for (const std::uint32_t first : taken) {
          const std::uint32_t here = side == 0 ? first : ~first;
          if (here != 0 && (static_cast<std::uint32_t>(*mask) & ~here) != 0) return false;
        }
      }
    }
  return true;
}

bool FissionPlanner::condition(const Statement& statement, std::size_t begin, std::size_t end,
                               const Uniformity& facts, FissionStep& step, const Statement* loop) {
  if (begin >= end || is_uniform_here(begin, end, facts)) return true;
  if (!in_warps_) {
    condition_differs_ = condition_differs_ || !refused();
    differs_ = !branches_run_once_ && !refused();
    refuse_at(facts.reads_unsteady(begin, end)
                  ? "a condition around a barrier reads memory that other threads may write meanwhile"
                  : "a condition around a barrier may differ between threads",
              statement);
    return false;
  }
  const bool constant = is(statement.head + 1, "constexpr");
  if (!constant && is_warp_uniform(syntax_, facts, names_, begin, end)) {
    step.of_warp = true;
    return true;
  }
  if (constant || statement.kind != StatementKind::if_ || !may_part(statement, facts, loop)) {
    refuse_at("a condition around a warp function may differ between the threads of a warp", statement);
    return false;
  }
  step.masked = true;
  masked_anew_ = masked_.insert(&statement).second || masked_anew_;
  return true;
}

/// Adds `i = 0` or `i += 2` in the header of a loop around barriers.
bool FissionPlanner::header_part(std::size_t begin, std::size_t end, const Uniformity& facts) {
  if (begin == end || facts.assigns_uniformly(begin, end)) return true;
  condition_differs_ = condition_differs_ || (!in_warps_ && !refused());
  differs_ = !in_warps_ && !branches_run_once_ && !refused();
  refuse("a loop around a barrier changes what may differ between threads");
  return false;
}

bool FissionPlanner::has_condition(const Statement& loop, const Uniformity& facts) const {
  const bool is_for = loop.kind == StatementKind::for_;
  for (std::size_t i = is_for ? loop.semicolon[0] : loop.open; i < (is_for ? loop.semicolon[1] : loop.close);
       ++i)
    if (facts.owner(i) != npos) return true;
  return false;
}

/// Finds the reads that code makes once for the block on behalf of all its threads.
void FissionPlanner::find_once_reads(const Uniformity& facts, Steps& steps) {
  for (FissionStep& step : steps) {
    const Statement& statement = *step.statement;
    const bool once = step.kind == FissionStep::Kind::control ? !step.masked && !step.of_warp
                                                              : step.kind == FissionStep::Kind::uniform;
    for (const StatementPart& part : once ? parts_of(syntax_, statement) : std::vector<StatementPart>()) {
      if (part.initialises != nullptr && statement.kind == StatementKind::declaration &&
          facts.variables()[facts.owner(part.initialises->name)].kind != VariableKind::uniform)
        continue;
      const std::vector<OnceRead> found = facts.once_reads(*part.expression);
      step.once_reads.insert(step.once_reads.end(), found.begin(), found.end());
    }
    if (step.kind == FissionStep::Kind::control)
      for (auto& part : step.parts) find_once_reads(facts, part);
  }
}

bool FissionPlanner::has_once_reads(const Steps& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const FissionStep& step) {
    return !step.once_reads.empty() || std::any_of(step.parts.begin(), step.parts.end(),
                                                   [](const Steps& part) { return has_once_reads(part); });
  });
}

bool FissionPlanner::returns_in(const FissionStep& step) const {
  const auto in_list = [&](const Steps& list) {
    return std::any_of(list.begin(), list.end(), [&](const FissionStep& each) { return returns_in(each); });
  };
  return std::any_of(step.leaves.begin(), step.leaves.end(),
                     [&](const Statement* leaf) { return has_return(*leaf) && !is_last_return(*leaf); }) ||
         std::any_of(step.parts.begin(), step.parts.end(), in_list);
}

}  // namespace emucc::detail
