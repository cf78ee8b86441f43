// Finds the variables of a kernel, those that outlive a phase, and those that each phase needs from earlier steps.
#include <algorithm>
#include <utility>

#include "parse/syntax_tree.hpp"
#include "split/fission_detail.hpp"

namespace emucc::detail {

// ---- the list of variables

void FissionPlanner::collect(Uniformity& facts, bool& again) {
  collect_parameters(facts);
  const std::size_t region = found_.warp_function ? 1 : 0;
  collect_list(found_.statements, {end_, false, region}, facts);
  if (refused()) return;
  if (!facts.solve()) return refuse("two of its variables have the same name");
  if (found_.warp_function) return;
  find_uniform_returns(found_.statements, facts, again);
  if (branches_run_once_) find_uniform_branches(found_.statements, facts, again);
}

void FissionPlanner::collect_parameters(Uniformity& facts) {
  const std::size_t close = syntax_.after(parameters_) - 1;
  for (std::size_t at = parameters_ + 1; at < close;) {
    KernelVariable variable;
    variable.type = at;
    bool default_argument = false;
    std::size_t name = npos;
    for (; at < close && !is(at, ","); at = syntax_.after(at)) {
      if (is(at, "...")) return refuse("it has a pack of parameters");
      if (is(at, "=")) default_argument = true;
      if (is(at, "*") || is(at, "[")) variable.pointer = true;
      if (is(at, "&") || is(at, "&&")) variable.reference = true;
      if (is(at, "(")) return refuse("it has a parameter of function type");
      if (is(at, "__restrict__") || is(at, "__restrict")) variable.restricted = true;
      if (is(at, "<") && syntax_.template_close(at) < close) at = syntax_.template_close(at);
      if (syntax_.is_name(at) && !default_argument && !is(at, "__restrict__") && !is(at, "__restrict"))
        name = at;
    }
    variable.type_end = name;
    ++at;
    if (name == npos) continue;
    if (found_.warp_function) {  // each lane passes a different one
      if (variable.reference) return refuse("it has a parameter of reference type");
      variable.kind = VariableKind::local;
    }
    variable.name = syntax_.at(name);
    variable.begin = begin_;
    variable.end = end_;
    facts.variables().push_back(std::move(variable));
  }
}

bool FissionPlanner::is_constant(const Statement& declaration, const LocalName& name) const {
  if (name.pointer || name.reference || name.array) return false;
  bool constant = false;
  for (std::size_t i = declaration.type; i < declaration.type_end; ++i)
    constant = constant || is(i, "const") || is(i, "constexpr");
  return constant && syntax_.tree().scopes().specified(declaration.type, declaration.type_end).base ==
                         ValueType::Base::arithmetic;
}

void FissionPlanner::add_names(const Statement& statement, const std::vector<LocalName>& names,
                               std::size_t scope_end, VariableKind kind, Uniformity& facts,
                               std::size_t region) {
  for (const LocalName& name : names) {
    KernelVariable variable;
    variable.kind = kind;
    variable.name = syntax_.at(name.name);
    variable.declared = &statement;
    variable.local = &name;
    variable.pointer = name.pointer && !name.array;
    variable.array = name.array;
    variable.reference = name.reference;
    variable.type = statement.kind == StatementKind::for_ ? 0 : statement.type;
    variable.type_end = statement.kind == StatementKind::for_ ? 0 : statement.type_end;
    variable.constant = is_constant(statement, name);
    variable.begin = name.name;
    variable.end = scope_end;
    variable.region = region;
    facts.variables().push_back(std::move(variable));
  }
}

void FissionPlanner::collect_list(const std::vector<Statement>& list, Scope scope, Uniformity& facts) {
  for (const Statement& statement : list) collect_one(statement, scope, facts);
}

void FissionPlanner::collect_one(const Statement& statement, Scope scope, Uniformity& facts) {
  switch (statement.kind) {
    case StatementKind::declaration:
      return add_names(statement, statement.names, scope.end,
                       is_group(statement) ? VariableKind::group : VariableKind::uniform, facts,
                       scope.region);
    case StatementKind::shared:
      if (scope.region != 0)
        return refuse_at("a __shared__ variable is declared around a warp function", statement);
      return add_names(statement, statement.names, scope.end, VariableKind::shared, facts, 0);
    case StatementKind::alias:
      if (scope.region != 0) return refuse_at("a type gets a name around a warp function", statement);
      return;
    case StatementKind::expression:
      return facts.add_statement(statement.head, statement.end - 1, scope.region);
    default:
      break;
  }
  if (scope.loop && !resumes_) mark_jumps(statement, false, true, true);
  if (!is_control(statement)) return;
  if (statement.kind == StatementKind::switch_)
    return refuse("a barrier, or a jump past one, is inside a switch");
  if (statement.kind == StatementKind::range_for)
    return refuse_at("a barrier, or a jump past one, is inside a loop over a range", statement);
  if (scope.region == 0) scope.region = root(statement);
  if (const auto masked = masked_.find(&statement); masked != masked_.end())
    scope.region = statement.head + roots_.size() + 2;  // differs from the region of any root
  collect_control(statement, scope, facts);
}

void FissionPlanner::collect_control(const Statement& statement, Scope scope, Uniformity& facts) {
  if (statement.kind == StatementKind::for_) {
    if (!statement.counters.empty())
      add_names(statement, statement.counters, statement.end, VariableKind::uniform, facts, scope.region);
    else
      facts.add_header(statement.open + 1, statement.semicolon[0], scope.region);
    facts.add_header(statement.semicolon[1] + 1, statement.close, scope.region);
  }
  if (statement.kind == StatementKind::compound) {
    scope.end = statement.close;
    return collect_list(statement.children, scope, facts);
  }
  scope.end = statement.end;
  scope.loop = scope.loop || statement.kind != StatementKind::if_;
  for (const Statement& inner : statement.children) {  // one branch may have a barrier, the other none
    if (inner.kind == StatementKind::compound) control_.insert(&inner);
    collect_one(inner, scope, facts);
  }
}

// ---- variables that outlive a phase

namespace {
void list_phases(std::vector<FissionStep>& steps, std::vector<FissionStep*>& phases) {
  for (FissionStep& step : steps) {
    if (step.kind == FissionStep::Kind::phase) phases.push_back(&step);
    for (auto& part : step.parts) list_phases(part, phases);
  }
}
/// Returns the condition of a branch or loop.
std::pair<std::size_t, std::size_t> condition_of(const Statement& statement) {
  if (statement.kind == Statement::Kind::for_) return {statement.semicolon[0] + 1, statement.semicolon[1]};
  return {statement.open + 1, statement.close};
}

/// Calls `see(begin, end)` for each condition that depends on the warp's number.
template <class See>
void find_conditions(const std::vector<FissionStep>& steps, const See& see) {
  for (const FissionStep& step : steps) {
    if (step.of_warp || step.masked)
      see(condition_of(*step.statement).first, condition_of(*step.statement).second);
    for (const auto& part : step.parts) find_conditions(part, see);
  }
}
}  // namespace

void FissionPlanner::classify(Uniformity& facts) {
  std::vector<FissionStep*> phases;
  list_phases(found_.steps, phases);
  find_kept(facts, phases);
  find_needs(facts, found_.steps);
  for (KernelVariable& variable : facts.variables()) {
    if (variable.kind != VariableKind::uniform || variable.region == 0 || variable.local->initialiser == npos)
      continue;
    const std::size_t begin = variable.local->initialiser, end = variable.local->initialiser_end;
    variable.of_warp = !facts.is_uniform(begin, end);
    if (variable.of_warp) variable.needs = needs_of(facts, begin, end);
  }
  find_guards(facts, found_.steps);
  drop_empty(found_.steps, facts);
}

void FissionPlanner::find_kept(Uniformity& facts, const std::vector<FissionStep*>& phases) {
  auto& variables = facts.variables();
  std::vector<std::set<std::size_t>> used(variables.size());
  std::vector<std::size_t> home(variables.size(), npos);
  for (std::size_t p = 0; p < phases.size(); ++p) {
    for (const Statement* leaf : phases[p]->leaves) {
      for (const LocalName& name : leaf->names) home[facts.owner(name.name)] = p;
      for (std::size_t i = leaf->begin; i < leaf->end; ++i)
        if (facts.owner(i) != npos) used[facts.owner(i)].insert(p);
    }
  }
  // Goes from the last variable to the first, since a variable needs the variables from which it is computed.
  std::vector<bool> needed(variables.size(), false);
  const auto need = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (facts.owner(i) != npos) needed[facts.owner(i)] = true;
  };
  find_conditions(found_.steps, need);
  for (const KernelVariable& variable : variables)
    if (variable.kind == VariableKind::uniform && variable.region != 0 && variable.local->initialiser != npos)
      need(variable.local->initialiser, variable.local->initialiser_end);
  for (std::size_t v = variables.size(); v-- > 0;) {
    KernelVariable& variable = variables[v];
    const bool own = variable.kind == VariableKind::local || variable.kind == VariableKind::index;
    if (!own) continue;
    const bool outlives = variable.local == nullptr || variable.escapes || needed[v] ||
                          std::any_of(used[v].begin(), used[v].end(), [&](auto p) { return p != home[v]; });
    if (variable.kind == VariableKind::index && outlives) {
      need(variable.local->initialiser, variable.local->initialiser_end);
      continue;
    }
    variable.kind = outlives ? VariableKind::kept : VariableKind::local;
    if (outlives) check_kept(facts, variable);
  }
}

void FissionPlanner::check_kept(const Uniformity& facts, const KernelVariable& variable) {
  if (variable.local == nullptr) return;
  if (variable.reference) return refuse("the reference '" + variable.name + "' outlives a barrier");
  for (std::size_t i = variable.declared->type; i < variable.declared->type_end; ++i)
    if (is(i, "auto") || is(i, "decltype"))
      return refuse("the type of '" + variable.name + "', which outlives a barrier, is not spelled out");
  for (std::size_t i = variable.local->begin; i < variable.local->end; ++i)
    if (is(i, "[") && is(i + 1, "]") && listed_elements(syntax_, *variable.local) == 0)
      return refuse("the size of '" + variable.name + "', which outlives a barrier, is not spelled out");
  if (variable.region == 0 && !found_.warp_function) return;
  // The array is declared before the loop over warps, where names from inside the loop are not visible.
  if (found_.warp_function && variable.array)
    return refuse("the array '" + variable.name + "' of a function outlives a warp function");
  const auto spelled = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const bool inner = facts.owner(i) != npos && facts.owner(i) != facts.owner(variable.local->name) &&
                         facts.variables()[facts.owner(i)].region != 0;
      if (inner || aliases_.count(std::string(syntax_.at(i))) > 0)
        return refuse("the type of '" + variable.name + "' is known only around a warp function");
    }
  };
  spelled(variable.declared->type, variable.declared->type_end);
  spelled(variable.local->begin, variable.local->end);
}

// ---- requirements of each phase: arrays of kept variables, and indices to compute again

void FissionPlanner::mention(const Uniformity& facts, std::size_t begin, std::size_t end,
                             std::set<std::size_t>& needs) const {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t v = facts.owner(i);
    if (v == npos) continue;
    const VariableKind kind = facts.variables()[v].kind;
    if (kind == VariableKind::kept || kind == VariableKind::index) needs.insert(v);
  }
}

/// Adds the variables from which the indices among `needs` are computed.
void FissionPlanner::add_indices(const Uniformity& facts, std::set<std::size_t>& needs) const {
  const auto& variables = facts.variables();
  for (std::size_t v = variables.size(); v-- > 0;)
    if (needs.count(v) > 0 && variables[v].kind == VariableKind::index)
      mention(facts, variables[v].local->initialiser, variables[v].local->initialiser_end, needs);
}

std::vector<std::size_t> FissionPlanner::needs_of(const Uniformity& facts, std::size_t begin,
                                                  std::size_t end) const {
  std::set<std::size_t> needs;
  mention(facts, begin, end, needs);
  add_indices(facts, needs);
  return {needs.begin(), needs.end()};
}

void FissionPlanner::needs_of_phase(const Uniformity& facts, FissionStep& phase) const {
  const auto& variables = facts.variables();
  std::set<std::size_t> needs;
  for (const Statement* const leaf : phase.leaves) {
    if (leaf->kind != StatementKind::declaration) mention(facts, leaf->begin, leaf->end, needs);
    for (const LocalName& name : leaf->names)
      if (variables[facts.owner(name.name)].kind != VariableKind::index ||
          facts.lambda(facts.owner(name.name)))
        mention(facts, name.name + 1, std::max(name.end, name.initialiser_end), needs);
  }
  add_indices(facts, needs);
  for (const Statement* const leaf : phase.leaves)
    for (const LocalName& name : leaf->names)
      if (variables[facts.owner(name.name)].kind == VariableKind::kept ||
          facts.lambda(facts.owner(name.name)))
        needs.erase(facts.owner(name.name));  // its scope begins here
  phase.needs.assign(needs.begin(), needs.end());
}

void FissionPlanner::find_needs(const Uniformity& facts, Steps& steps) {
  for (FissionStep& step : steps) {
    if (step.kind == FissionStep::Kind::phase) needs_of_phase(facts, step);
    for (WarpCall& call : step.calls)
      for (WarpCall::Argument& argument : call.arguments)
        argument.needs = needs_of(facts, argument.begin, argument.end);
    if (step.of_warp || step.masked)
      step.needs = needs_of(facts, condition_of(*step.statement).first, condition_of(*step.statement).second);
    for (auto& part : step.parts) find_needs(facts, part);
  }
}

void FissionPlanner::find_guards(const Uniformity& facts, Steps& steps) {
  for (FissionStep& step : steps) {
    if (step.kind == FissionStep::Kind::phase) find_guard(facts, step);
    if (step.kind != FissionStep::Kind::control) continue;  // a warp has few lanes
    for (auto& part : step.parts) find_guards(facts, part);
  }
}

void FissionPlanner::find_guard(const Uniformity& facts, FissionStep& phase) {
  std::size_t first = 0;
  const auto is_computed = [&](const LocalName& name) {
    const KernelVariable& variable = facts.variables()[facts.owner(name.name)];
    return variable.computable || variable.kind == VariableKind::uniform;
  };
  while (first < phase.leaves.size() && phase.leaves[first]->kind == StatementKind::declaration &&
         std::all_of(phase.leaves[first]->names.begin(), phase.leaves[first]->names.end(), is_computed))
    ++first;
  if (first == phase.leaves.size() || phase.reads_index) return;
  const Statement& leaf = *phase.leaves[first];
  if (leaf.kind != StatementKind::if_ || leaf.children.size() != 1 || is(leaf.head + 1, "constexpr") ||
      !facts.is_computable(leaf.open + 1, leaf.close))
    return;
  const Statement* inner = &leaf.children[0];
  while (inner->kind == StatementKind::compound && inner->children.size() == 1) inner = &inner->children[0];
  phase.guard.returns = inner->kind == StatementKind::return_;
  if (!phase.guard.returns && first + 1 != phase.leaves.size()) return;
  phase.guard.begin = leaf.open + 1;
  phase.guard.end = leaf.close;
  std::set<std::size_t> needs;
  const auto mention_computable = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (facts.owner(i) != npos && facts.variables()[facts.owner(i)].computable)
        needs.insert(facts.owner(i));
  };
  mention_computable(phase.guard.begin, phase.guard.end);
  for (std::size_t v = facts.variables().size(); v-- > 0;)
    if (needs.count(v) > 0)
      mention_computable(facts.variables()[v].local->initialiser,
                         facts.variables()[v].local->initialiser_end);
  phase.guard.needs.assign(needs.begin(), needs.end());
  if (!phase.guard.returns) find_column(facts, phase.guard);
}

/// Finds the expression that `tid` must equal in a condition such as `tid == 0 && …`.
void FissionPlanner::find_column(const Uniformity& facts, FissionStep::Guard& guard) const {
  const Expression* first = &inside_parentheses(syntax_.tree().expression(guard.begin, guard.end));
  while (first->kind == ExpressionKind::binary && first->op == "&&")
    first = &inside_parentheses(first->part(0));
  if (first->kind != ExpressionKind::binary || first->op != "==") return;
  for (const std::size_t side : {0, 1}) {
    const Expression& x = first->part(1 - side);
    if (!is_column(facts, first->part(side)) || !facts.is_uniform(x.begin, x.end)) continue;
    guard.x_begin = x.begin;
    guard.x_end = x.end;
  }
}

/// Returns true if the expression is threadIdx.x, or a variable that holds threadIdx.x in a type that can
/// represent all its values.
bool FissionPlanner::is_column(const Uniformity& facts, const Expression& expression) const {
  static const std::unordered_set<std::string_view> types = {"const",    "int",      "unsigned", "long",
                                                             "uint32_t", "uint64_t", "size_t"};
  const Expression& it = inside_parentheses(expression);
  if (it.kind == ExpressionKind::member)
    return it.op == "." && is(it.at, "x") && it.end == it.begin + 3 && is(it.begin, "threadIdx");
  if (it.kind != ExpressionKind::name || facts.owner(it.at) == npos) return false;
  const KernelVariable& variable = facts.variables()[facts.owner(it.at)];
  if (!variable.computable || variable.local == nullptr || variable.reference || variable.pointer)
    return false;
  for (std::size_t i = variable.declared->type; i < variable.declared->type_end; ++i)
    if (types.count(syntax_.at(i)) == 0) return false;
  const std::size_t begin = variable.local->initialiser;
  return begin != npos && is_column(facts, syntax_.tree().expression(begin, variable.local->initialiser_end));
}

/// Drops phases that only declare indices, since other phases compute these again.
void FissionPlanner::drop_empty(Steps& steps, const Uniformity& facts) {
  for (FissionStep& step : steps)
    for (auto& part : step.parts) drop_empty(part, facts);
  const auto is_index = [&](const LocalName& name) {
    const VariableKind kind = facts.variables()[facts.owner(name.name)].kind;
    return kind == VariableKind::index || kind == VariableKind::uniform;
  };
  const auto is_empty = [&](const Statement* leaf) {
    return leaf->kind == StatementKind::declaration &&
           std::all_of(leaf->names.begin(), leaf->names.end(), is_index);
  };
  steps.erase(std::remove_if(steps.begin(), steps.end(),
                             [&](const FissionStep& step) {
                               if (step.kind == FissionStep::Kind::warps) return step.parts[0].empty();
                               return step.kind == FissionStep::Kind::phase &&
                                      std::all_of(step.leaves.begin(), step.leaves.end(), is_empty);
                             }),
              steps.end());
}

}  // namespace emucc::detail
