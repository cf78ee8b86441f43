#include "fission.hpp"

#include <algorithm>
#include <set>

namespace emucc {
namespace {

constexpr std::size_t npos = Syntax::npos;
using VariableKind = KernelVariable::Kind;
using StatementKind = Statement::Kind;

class Planner {
 public:
  Planner(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
          const KnownNames& names)
      : syntax_(syntax), parameters_(parameters), begin_(begin), end_(end), names_(names) {}

  Fission plan() {
    if (!read_statements(syntax_, begin_, end_, found_.statements)) {
      refuse("it has statements of a kind that are not split");
      return std::move(found_);
    }
    for (std::size_t i = parameters_; i < end_; ++i)
      if (is(i, "volatile")) refuse("it watches 'volatile' memory");
    for (const Statement& statement : found_.statements) find_groups(statement);
    for (const Statement& statement : found_.statements) mark_barriers(statement);
    // What is uniform decides which branches run once for the block, and they have variables of their own.
    for (bool again = true; again && found_.refusal.empty();) {
      again = false;
      Uniformity facts(syntax_, begin_, end_, names_);
      collect(facts, again);
      if (again || !found_.refusal.empty()) continue;
      make_steps(found_.statements, facts, found_.steps, nullptr);
      if (found_.refusal.empty()) classify(facts);
      // In the last phase a thread that returns leaves nothing behind that others would have to know.
      const bool last_is_phase =
          !found_.steps.empty() && found_.steps.back().kind == FissionStep::Kind::phase;
      for (std::size_t i = 0; i + (last_is_phase ? 1 : 0) < found_.steps.size(); ++i)
        found_.returns = found_.returns || returns_in(found_.steps[i]);
      found_.variables = std::move(facts.variables());
    }
    return std::move(found_);
  }

 private:
  void refuse(std::string reason) {
    if (found_.refusal.empty()) found_.refusal = std::move(reason);
  }
  bool is(std::size_t at, std::string_view spelling) const { return syntax_.is(at, spelling); }
  bool is_control(const Statement& statement) const { return control_.count(&statement) > 0; }

  // ---- barriers and what stands around them

  /// `auto block = cg::this_thread_block();`
  void find_groups(const Statement& statement) {
    for (const Statement& inner : statement.children) find_groups(inner);
    if (!is_group(statement)) return;
    groups_.emplace(syntax_.at(statement.names[0].name));
  }
  bool is_group(const Statement& statement) const {
    if (statement.kind != StatementKind::declaration || statement.names.size() != 1) return false;
    const std::size_t end = statement.names[0].initialiser_end;
    return statement.names[0].initialiser != npos && is(end - 1, ")") && is(end - 2, "(") &&
           is(end - 3, "this_thread_block") && !statement.names[0].reference;
  }

  bool is_barrier(const Statement& statement) const {
    if (statement.kind != StatementKind::expression) return false;
    const std::size_t at = statement.begin;
    const auto ends_at = [&](std::size_t end) { return statement.end == end && is(end - 1, ";"); };
    if (is(at, "__syncthreads") || is(at, "__syncwarp"))
      return is(at + 1, "(") && is(at + 2, ")") && ends_at(at + 4);
    if (is(at + 1, ".") && is(at + 2, "sync") && is(at + 3, "(") && is(at + 4, ")"))
      return groups_.count(std::string(syntax_.at(at))) > 0 && ends_at(at + 6);
    // cg::sync(block);
    return is(at + 1, "::") && is(at + 2, "sync") && is(at + 3, "(") && is(at + 5, ")") &&
           groups_.count(std::string(syntax_.at(at + 4))) > 0 && ends_at(at + 7);
  }

  /// Notes the statements that have a barrier inside: they run once for the block.
  bool mark_barriers(const Statement& statement) {
    bool any = is_barrier(statement);
    for (const Statement& inner : statement.children) any = mark_barriers(inner) || any;
    if (any && !is_barrier(statement)) control_.insert(&statement);
    return any;
  }

  /// Notes a statement and all on the way to its `break`, `continue` or `return`, that these run once for the
  /// block too. @return whether there is one that leaves the statement
  bool mark_jumps(const Statement& statement, bool returns, bool breaks, bool continues) {
    const StatementKind kind = statement.kind;
    bool any = (kind == StatementKind::return_ && returns) || (kind == StatementKind::break_ && breaks) ||
               (kind == StatementKind::continue_ && continues);
    const bool loop =
        kind == StatementKind::for_ || kind == StatementKind::while_ || kind == StatementKind::do_;
    for (const Statement& inner : statement.children)
      any =
          mark_jumps(inner, returns, breaks && !loop && kind != StatementKind::switch_, continues && !loop) ||
          any;
    if (any) control_.insert(&statement);
    return any;
  }
  bool has_return(const Statement& statement) const {
    return statement.kind == StatementKind::return_ ||
           std::any_of(statement.children.begin(), statement.children.end(),
                       [&](const Statement& inner) { return has_return(inner); });
  }

  // ---- variables

  void collect(Uniformity& facts, bool& again) {
    collect_parameters(facts);
    collect_list(found_.statements, end_, facts, false);
    if (!found_.refusal.empty()) return;
    if (!facts.solve()) return refuse("two of its variables have the same name");
    // A branch that all threads take together, and that ends the kernel, ends it for the block.
    find_uniform_returns(found_.statements, facts, again);
  }

  void collect_parameters(Uniformity& facts) {
    const std::size_t close = syntax_.after(parameters_) - 1;
    for (std::size_t at = parameters_ + 1; at < close;) {
      KernelVariable variable;
      bool default_argument = false;
      std::size_t name = npos;
      for (; at < close && !is(at, ","); at = syntax_.after(at)) {
        if (is(at, "...")) return refuse("it has a pack of parameters");
        if (is(at, "=")) default_argument = true;
        if (is(at, "*") || is(at, "[")) variable.pointer = true;
        if (is(at, "(")) return refuse("it has a parameter of function type");
        if (is(at, "<") && syntax_.template_close(at) < close) at = syntax_.template_close(at);
        if (syntax_.is_name(at) && !default_argument && !is(at, "__restrict__") && !is(at, "__restrict"))
          name = at;
      }
      ++at;
      if (name == npos) continue;
      variable.name = syntax_.at(name);
      variable.begin = begin_;
      variable.end = end_;
      facts.variables().push_back(std::move(variable));
    }
  }

  void add_names(const Statement& statement, const std::vector<LocalName>& names, std::size_t scope_end,
                 VariableKind kind, Uniformity& facts) {
    for (const LocalName& name : names) {
      KernelVariable variable;
      variable.kind = kind;
      variable.name = syntax_.at(name.name);
      variable.declared = &statement;
      variable.local = &name;
      variable.pointer = name.pointer && !name.array;
      variable.array = name.array;
      variable.reference = name.reference;
      variable.begin = name.name;
      variable.end = scope_end;
      facts.variables().push_back(std::move(variable));
    }
  }

  void collect_list(const std::vector<Statement>& list, std::size_t scope_end, Uniformity& facts, bool loop) {
    for (const Statement& statement : list) collect_one(statement, scope_end, facts, loop);
  }

  void collect_one(const Statement& statement, std::size_t scope_end, Uniformity& facts, bool loop) {
    switch (statement.kind) {
      case StatementKind::declaration:
        return add_names(statement, statement.names, scope_end,
                         is_group(statement) ? VariableKind::group : VariableKind::uniform, facts);
      case StatementKind::shared:
        return add_names(statement, statement.names, scope_end, VariableKind::shared, facts);
      case StatementKind::expression:
        return facts.add_statement(statement.head, statement.end - 1);
      default:
        break;
    }
    if (loop) mark_jumps(statement, false, true, true);
    if (!is_control(statement)) return;
    if (statement.kind == StatementKind::switch_)
      return refuse("a barrier, or a jump past one, is inside a switch");
    if (statement.kind == StatementKind::for_) {
      if (!statement.counters.empty())
        add_names(statement, statement.counters, statement.end, VariableKind::uniform, facts);
      else
        facts.add_header(statement.open + 1, statement.semicolon[0]);
      facts.add_header(statement.semicolon[1] + 1, statement.close);
    }
    if (statement.kind == StatementKind::compound)
      return collect_list(statement.children, statement.close, facts, loop);
    const bool inner_loop = loop || statement.kind != StatementKind::if_;
    for (const Statement& inner : statement.children) {  // a branch without a barrier beside one that has it
      if (inner.kind == StatementKind::compound) control_.insert(&inner);
      collect_one(inner, statement.end, facts, inner_loop);
    }
  }

  void find_uniform_returns(const std::vector<Statement>& list, const Uniformity& facts, bool& again) {
    for (const Statement& statement : list) {
      if (is_control(statement)) {
        find_uniform_returns(statement.children, facts, again);
      } else if (statement.kind == StatementKind::if_ && has_return(statement) &&
                 facts.is_uniform(statement.open + 1, statement.close)) {
        mark_jumps(statement, true, false, false);
        again = true;
      }
    }
  }

  // ---- steps

  bool is_uniform_statement(const Statement& statement, const Uniformity& facts) const {
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

  bool is_single(const Statement& statement) const {
    std::size_t at = statement.head;
    while (at < statement.end && !is(at, ",")) at = syntax_.after(at);
    return at >= statement.end;
  }

  /// Does a declaration declare a uniform name?
  static bool has_uniform_name(const Statement& statement, const Uniformity& facts) {
    for (const LocalName& name : statement.names)
      if (facts.variables()[facts.owner(name.name)].kind == VariableKind::uniform) return true;
    return false;
  }

  void make_steps(const std::vector<Statement>& list, const Uniformity& facts,
                  std::vector<FissionStep>& steps, const Statement* loop) {
    bool open = false;  // the last step is a phase that takes more leaves
    for (const Statement& statement : list) step(statement, facts, steps, loop, open);
  }

  void step(const Statement& statement, const Uniformity& facts, std::vector<FissionStep>& steps,
            const Statement* loop, bool& open) {
    if (!found_.refusal.empty()) return;
    const auto add = [&](FissionStep::Kind kind) -> FissionStep& {
      steps.emplace_back();
      steps.back().kind = kind;
      steps.back().statement = &statement;
      return steps.back();
    };
    if (is_barrier(statement)) {
      open = false;
    } else if (statement.kind == StatementKind::expression && statement.end == statement.head + 1) {
      return;  // a lone `;`
    } else if (statement.kind == StatementKind::break_ || statement.kind == StatementKind::continue_ ||
               statement.kind == StatementKind::return_) {
      add(FissionStep::Kind::uniform);
      open = false;
    } else if (is_control(statement)) {
      open = false;
      control(statement, facts, add(FissionStep::Kind::control), loop);
    } else if (is_uniform_statement(statement, facts)) {
      if (statement.kind == StatementKind::alias && names_own(statement, facts))
        return refuse("a type follows from a variable");
      add(FissionStep::Kind::uniform);
      // A declaration may stand before the phase that is open; an assignment ends the phase.
      if (statement.kind == StatementKind::expression)
        open = false;
      else if (open)
        std::swap(steps[steps.size() - 2], steps.back());
    } else {
      if (has_uniform_name(statement, facts)) {
        add(FissionStep::Kind::uniform);
        if (open) std::swap(steps[steps.size() - 2], steps.back());
      }
      if (!open) {
        add(FissionStep::Kind::phase);
        open = true;
      }
      leaf(statement, facts, steps.back(), loop);
    }
  }

  bool names_own(const Statement& statement, const Uniformity& facts) const {
    for (std::size_t i = statement.begin; i < statement.end; ++i)
      if (facts.owner(i) != npos && facts.variables()[facts.owner(i)].kind != VariableKind::uniform)
        return true;
    return false;
  }

  void control(const Statement& statement, const Uniformity& facts, FissionStep& step,
               const Statement* loop) {
    const auto uniform = [&](std::size_t begin, std::size_t end) {
      if (begin >= end || facts.is_uniform(begin, end)) return true;
      refuse("a condition around a barrier may differ between threads (line " +
             std::to_string(syntax_.stream().tokens[statement.head].line) + ")");
      return false;
    };
    switch (statement.kind) {
      case StatementKind::compound:
        break;
      case StatementKind::for_:
        for (const LocalName& name : statement.counters)
          if (facts.variables()[facts.owner(name.name)].kind != VariableKind::uniform)
            return refuse("a loop around a barrier has a counter that may differ between threads");
        if (statement.counters.empty() && !header_part(statement.open + 1, statement.semicolon[0], facts))
          return;
        if (!uniform(statement.semicolon[0] + 1, statement.semicolon[1]) ||
            !header_part(statement.semicolon[1] + 1, statement.close, facts))
          return;
        break;
      default:
        if (!uniform(statement.open + 1, statement.close)) return;
    }
    const bool is_loop = statement.kind != StatementKind::if_ && statement.kind != StatementKind::compound;
    const Statement* const around = is_loop ? &statement : loop;
    if (statement.kind == StatementKind::compound) {
      step.parts.emplace_back();
      return make_steps(statement.children, facts, step.parts.back(), around);
    }
    for (const Statement& inner : statement.children) {
      step.parts.emplace_back();
      bool open = false;
      if (inner.kind == StatementKind::compound)
        make_steps(inner.children, facts, step.parts.back(), around);
      else
        this->step(inner, facts, step.parts.back(), around, open);
    }
  }

  /// `i = 0` or `i += 2` in the header of a loop around barriers.
  bool header_part(std::size_t begin, std::size_t end, const Uniformity& facts) {
    if (begin == end || facts.assigns_uniformly(begin, end)) return true;
    refuse("a loop around a barrier changes what may differ between threads");
    return false;
  }

  void leaf(const Statement& statement, const Uniformity& facts, FissionStep& phase, const Statement* loop) {
    const Steadiness found = steadiness(syntax_, statement, names_, groups_);
    if (!found.steady)
      return refuse(found.reason + " (line " + std::to_string(syntax_.stream().tokens[statement.head].line) +
                    ")");
    if (has_return(statement)) {
      // Where threads leave one by one the loop must end by itself when all have left.
      if (loop != nullptr && !has_condition(*loop, facts))
        return refuse("only threads that return end its loop");
    }
    phase.asks_index = phase.asks_index || found.asks_index;
    phase.leaves.push_back(&statement);
  }

  bool has_condition(const Statement& loop, const Uniformity& facts) const {
    const bool is_for = loop.kind == StatementKind::for_;
    for (std::size_t i = is_for ? loop.semicolon[0] : loop.open;
         i < (is_for ? loop.semicolon[1] : loop.close); ++i)
      if (facts.owner(i) != npos) return true;
    return false;
  }

  bool returns_in(const FissionStep& step) const {
    const auto in_list = [&](const std::vector<FissionStep>& list) {
      return std::any_of(list.begin(), list.end(), [&](const FissionStep& each) { return returns_in(each); });
    };
    return std::any_of(step.leaves.begin(), step.leaves.end(),
                       [&](const Statement* leaf) { return has_return(*leaf); }) ||
           std::any_of(step.parts.begin(), step.parts.end(), in_list);
  }

  // ---- which variables outlive a phase

  void list_phases(std::vector<FissionStep>& steps, std::vector<FissionStep*>& phases) {
    for (FissionStep& step : steps) {
      if (step.kind == FissionStep::Kind::phase) phases.push_back(&step);
      for (auto& part : step.parts) list_phases(part, phases);
    }
  }

  void classify(Uniformity& facts) {
    std::vector<FissionStep*> phases;
    list_phases(found_.steps, phases);
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
    // From the last to the first: what another one is computed from must be there where that one is.
    std::vector<bool> needed(variables.size(), false);
    for (std::size_t v = variables.size(); v-- > 0;) {
      KernelVariable& variable = variables[v];
      const bool own = variable.kind == VariableKind::local || variable.kind == VariableKind::index;
      if (!own) continue;
      const bool outlives = variable.local == nullptr || variable.escapes || needed[v] ||
                            std::any_of(used[v].begin(), used[v].end(), [&](auto p) { return p != home[v]; });
      if (variable.kind == VariableKind::index && outlives) {
        for (std::size_t i = variable.local->initialiser; i < variable.local->initialiser_end; ++i)
          if (facts.owner(i) != npos) needed[facts.owner(i)] = true;
        continue;
      }
      variable.kind = outlives ? VariableKind::kept : VariableKind::local;
      if (outlives) check_kept(variable);
    }
    find_needs(facts, phases);
    for (FissionStep* const phase : phases) find_guard(facts, *phase);
    drop_empty(found_.steps, facts);
  }

  /// What each phase must have from before: arrays of kept variables, and indices to compute again.
  void find_needs(const Uniformity& facts, std::vector<FissionStep*>& phases) {
    const auto& variables = facts.variables();
    for (FissionStep* const phase : phases) {
      std::set<std::size_t> needs;
      const auto mention = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t v = facts.owner(i);
          if (v != npos &&
              (variables[v].kind == VariableKind::kept || variables[v].kind == VariableKind::index))
            needs.insert(v);
        }
      };
      for (const Statement* const leaf : phase->leaves) {
        if (leaf->kind != StatementKind::declaration) mention(leaf->begin, leaf->end);
        for (const LocalName& name : leaf->names)
          if (variables[facts.owner(name.name)].kind != VariableKind::index)
            mention(name.name + 1, std::max(name.end, name.initialiser_end));
      }
      for (std::size_t v = variables.size(); v-- > 0;)
        if (needs.count(v) > 0 && variables[v].kind == VariableKind::index)
          mention(variables[v].local->initialiser, variables[v].local->initialiser_end);
      for (const Statement* const leaf : phase->leaves)
        for (const LocalName& name : leaf->names)
          if (variables[facts.owner(name.name)].kind == VariableKind::kept)
            needs.erase(facts.owner(name.name));
      phase->needs.assign(needs.begin(), needs.end());
    }
  }

  void find_guard(const Uniformity& facts, FissionStep& phase) {
    std::size_t first = 0;
    const auto is_computed = [&](const LocalName& name) {
      const KernelVariable& variable = facts.variables()[facts.owner(name.name)];
      return variable.computable || variable.kind == VariableKind::uniform;
    };
    while (first < phase.leaves.size() && phase.leaves[first]->kind == StatementKind::declaration &&
           std::all_of(phase.leaves[first]->names.begin(), phase.leaves[first]->names.end(), is_computed))
      ++first;
    if (first == phase.leaves.size() || phase.asks_index) return;
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
    const auto mention = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (facts.owner(i) != npos && facts.variables()[facts.owner(i)].computable)
          needs.insert(facts.owner(i));
    };
    mention(phase.guard.begin, phase.guard.end);
    for (std::size_t v = facts.variables().size(); v-- > 0;)
      if (needs.count(v) > 0)
        mention(facts.variables()[v].local->initialiser, facts.variables()[v].local->initialiser_end);
    phase.guard.needs.assign(needs.begin(), needs.end());
  }

  /// Phases that do nothing but declare indices, which other phases compute for themselves.
  void drop_empty(std::vector<FissionStep>& steps, const Uniformity& facts) {
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
                                 return step.kind == FissionStep::Kind::phase &&
                                        std::all_of(step.leaves.begin(), step.leaves.end(), is_empty);
                               }),
                steps.end());
  }

  void check_kept(const KernelVariable& variable) {
    if (variable.local == nullptr) return;
    if (variable.reference) return refuse("the reference '" + variable.name + "' outlives a barrier");
    for (std::size_t i = variable.declared->type; i < variable.declared->type_end; ++i)
      if (is(i, "auto") || is(i, "decltype"))
        return refuse("the type of '" + variable.name + "', which outlives a barrier, is not spelled out");
    if (variable.escapes && variable.local->initialiser != npos)
      refuse("a pointer to '" + variable.name + "' may outlive a barrier");
  }

  const Syntax& syntax_;
  const std::size_t parameters_, begin_, end_;
  const KnownNames& names_;
  Fission found_;
  std::set<const Statement*> control_;
  std::unordered_set<std::string> groups_;
};

}  // namespace

std::size_t Fission::variable(const LocalName& name) const {
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (variables[v].local == &name) return v;
  return npos;
}

Fission plan_fission(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                     const KnownNames& names) {
  return Planner(syntax, parameters, begin, end, names).plan();
}

}  // namespace emucc
