// Finds the code that runs once for all threads of a block or a warp: barriers, warp functions, the statements around
// them, and uniform jumps.
#include <algorithm>

#include "parse/functions.hpp"
#include "split/fission_detail.hpp"

namespace emucc::detail {

/// Finds groups such as `auto block = cg::this_thread_block();`.
void FissionPlanner::find_groups(const Statement& statement) {
  for (const Statement& inner : statement.children) find_groups(inner);
  if (statement.kind == StatementKind::alias) {
    for (std::size_t i = statement.head; i < statement.end; ++i)
      if (syntax_.is_name(i)) aliases_.emplace(syntax_.at(i));
  }
  if (is_group(statement)) groups_.emplace(syntax_.at(statement.names[0].name));
}

bool FissionPlanner::is_group(const Statement& statement) const {
  if (statement.kind != StatementKind::declaration || statement.names.size() != 1) return false;
  const std::size_t end = statement.names[0].initialiser_end;
  return statement.names[0].initialiser != npos && is(end - 1, ")") && is(end - 2, "(") &&
         is(end - 3, "this_thread_block") && !statement.names[0].reference;
}

bool FissionPlanner::is_barrier(const Statement& statement) const {
  if (statement.kind != StatementKind::expression) return false;
  const std::size_t at = statement.head;
  const auto ends_at = [&](std::size_t end) { return statement.end == end && is(end - 1, ";"); };
  if (is(at, "__syncthreads") && !may_be_own(syntax_, at))
    return is(at + 1, "(") && is(at + 2, ")") && ends_at(at + 4);
  if (is(at + 1, ".") && is(at + 2, "sync") && is(at + 3, "(") && is(at + 4, ")"))
    return groups_.count(std::string(syntax_.at(at))) > 0 && ends_at(at + 6);
  // cg::sync(block); cg::synchronize(block);
  return is(at + 1, "::") && (is(at + 2, "sync") || is(at + 2, "synchronize")) && is(at + 3, "(") &&
         is(at + 5, ")") && groups_.count(std::string(syntax_.at(at + 4))) > 0 && ends_at(at + 7);
}

/// Records the statements that contain a barrier. They run once for the block.
bool FissionPlanner::mark_barriers(const Statement& statement) {
  bool any = is_barrier(statement);
  for (const Statement& inner : statement.children) any = mark_barriers(inner) || any;
  if (any && !is_barrier(statement)) control_.insert(&statement);
  if (any) barriers_.insert(&statement);
  return any;
}

/// Records the statements that contain a warp function. They run once for the warp. For a leaf, the calls are read
/// instead.
bool FissionPlanner::mark_warps(const Statement& statement) {
  if (!has_warp_call(syntax_, statement, names_)) return false;
  warps_.insert(&statement);
  bool inside = false;
  for (const Statement& inner : statement.children) inside = mark_warps(inner) || inside;
  switch (statement.kind) {
    case StatementKind::expression:
    case StatementKind::return_:
      return mark_leaf_calls(statement);
    case StatementKind::declaration:
      if (statement.names.size() > 1)
        refuse_at("a declaration of several names calls a warp function", statement);
      return mark_leaf_calls(statement);
    case StatementKind::if_:
      if (!has_own_warp_call(syntax_, statement, names_)) break;
      if (inside) refuse_at("a condition that calls a warp function has others inside", statement);
      return mark_leaf_calls(statement);
    case StatementKind::compound:
      break;
    case StatementKind::for_:
    case StatementKind::while_:
    case StatementKind::do_:
      if (has_own_warp_call(syntax_, statement, names_))
        refuse_at("a loop's header calls a warp function", statement);
      break;
    default:
      refuse_at("a warp function is called inside of a switch, or of a loop over a range", statement);
  }
  control_.insert(&statement);
  return true;
}

bool FissionPlanner::mark_leaf_calls(const Statement& statement) {
  if (!read_warp_calls(syntax_, statement, names_, calls_[&statement]) ||
      (statement.kind == StatementKind::expression && !is_single(statement)))
    refuse_at("a warp function may be skipped, or is used in a way that is not split", statement);
  return true;
}

/// Records each outermost statement that contains a warp function and no barrier. Warps run such a statement one
/// after another. In a `{ … }`, the inner statements are recorded instead.
void FissionPlanner::find_roots(const std::vector<Statement>& list) {
  for (const Statement& statement : list) {
    if (barriers_.count(&statement) > 0 || statement.kind == StatementKind::compound)
      find_roots(statement.children);
    else if (warps_.count(&statement) > 0)
      roots_.emplace(&statement, roots_.size() + 1);
  }
}

std::size_t FissionPlanner::root(const Statement& statement) const {
  const auto found = roots_.find(&statement);
  return found != roots_.end() ? found->second : 0;
}

/// Records a statement that contains a `break`, `continue` or `return`, and all statements between the two,
/// since they also run once for the block.
/// @return true if a jump leaves the statement
bool FissionPlanner::mark_jumps(const Statement& statement, bool returns, bool breaks, bool continues) {
  const StatementKind kind = statement.kind;
  bool any = (kind == StatementKind::return_ && returns) || (kind == StatementKind::break_ && breaks) ||
             (kind == StatementKind::continue_ && continues);
  const bool loop = kind == StatementKind::for_ || kind == StatementKind::while_ ||
                    kind == StatementKind::do_ || kind == StatementKind::range_for;
  for (const Statement& inner : statement.children)
    any = mark_jumps(inner, returns, breaks && !loop && kind != StatementKind::switch_, continues && !loop) ||
          any;
  if (any) control_.insert(&statement);
  return any;
}

bool FissionPlanner::has_return(const Statement& statement) const {
  return statement.kind == StatementKind::return_ ||
         std::any_of(statement.children.begin(), statement.children.end(),
                     [&](const Statement& inner) { return has_return(inner); });
}

bool FissionPlanner::has_jump(const Statement& statement) const {
  return statement.kind == StatementKind::return_ || statement.kind == StatementKind::break_ ||
         statement.kind == StatementKind::continue_ ||
         std::any_of(statement.children.begin(), statement.children.end(),
                     [&](const Statement& inner) { return has_jump(inner); });
}

/// Returns true for the only `return` that a function for whole warps may have: the last statement.
bool FissionPlanner::is_last_return(const Statement& statement) const {
  return found_.warp_function && statement.kind == StatementKind::return_ &&
         &statement == &found_.statements.back();
}

/// Finds uniform branches with a `return`, which ends the kernel for the whole block. Within a loop over warps, such
/// a branch could end only one warp, so there each thread returns separately.
void FissionPlanner::find_uniform_returns(const std::vector<Statement>& list, const Uniformity& facts,
                                          bool& again) {
  for (const Statement& statement : list) {
    if (root(statement) != 0) continue;
    if (is_control(statement)) {
      find_uniform_returns(statement.children, facts, again);
    } else if (statement.kind == StatementKind::if_ && has_return(statement) &&
               facts.is_uniform_at_once(statement.open + 1, statement.close)) {
      mark_jumps(statement, true, false, false);
      again = true;
    }
  }
}

/// Returns true for a branch that only assigns: `if (n > 3) half = 2; else { half = 1; turns += 1; }`.
bool FissionPlanner::only_assigns(const Statement& statement, const Uniformity& facts) const {
  switch (statement.kind) {
    case StatementKind::compound:
      break;
    case StatementKind::if_:
      if (is(statement.head + 1, "constexpr")) return false;
      break;
    case StatementKind::expression: {
      const std::size_t at = statement.head;
      const bool before = is(at, "++") || is(at, "--");
      const std::size_t v = facts.owner(before ? at + 1 : at);
      const bool changes =
          before || is(at + 1, "++") || is(at + 1, "--") || syntax_.assignment_length(at + 1) > 0;
      return changes && is_single(statement) && v != npos && facts.variables()[v].local != nullptr &&
             facts.variables()[v].region == 0 && facts.variables()[v].kind != VariableKind::shared;
    }
    default:
      return false;
  }
  return std::all_of(statement.children.begin(), statement.children.end(),
                     [&](const Statement& inner) { return only_assigns(inner, facts); });
}

/// Returns true if such a branch is uniform and assigns values that are the same for all threads.
bool FissionPlanner::assigns_for_all(const Statement& statement, const Uniformity& facts) const {
  if (statement.kind == StatementKind::expression)
    return facts.assigns_uniformly(statement.head, statement.end - 1);
  if (statement.kind == StatementKind::if_ && !facts.is_uniform_at_once(statement.open + 1, statement.close))
    return false;
  return std::all_of(statement.children.begin(), statement.children.end(),
                     [&](const Statement& inner) { return assigns_for_all(inner, facts); });
}

/// Finds branches that only assign and that run once for the block, since the branches and the assigned values are
/// uniform. Either of these properties may follow from the other, as in a binary search, so both are assumed until
/// they are disproved.
void FissionPlanner::find_uniform_branches(const std::vector<Statement>& list, const Uniformity& facts,
                                           bool& again) {
  for (const Statement& statement : list) {
    if (root(statement) != 0) continue;
    if (branches_.count(&statement) > 0) {
      if (assigns_for_all(statement, facts)) continue;
      control_.erase(&statement);
      branches_.erase(&statement);
      divided_.insert(&statement);
      again = true;
    } else if (is_control(statement)) {
      find_uniform_branches(statement.children, facts, again);
    } else if (statement.kind == StatementKind::if_ && divided_.count(&statement) == 0 &&
               only_assigns(statement, facts)) {
      const auto mark = [&](const auto& self, const Statement& each) -> void {
        if (each.kind != StatementKind::expression) control_.insert(&each);
        for (const Statement& inner : each.children) self(self, inner);
      };
      mark(mark, statement);
      branches_.insert(&statement);
      again = true;
    }
  }
}

}  // namespace emucc::detail
