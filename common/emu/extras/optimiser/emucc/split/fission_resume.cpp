// Plans kernels whose threads are resumed, since control flow around their barriers differs between threads or can't
// be proven uniform.
//
// The body becomes a function that runs one thread from the barrier where it stopped to the next barrier that it
// reaches, or to its end. The function returns the number of that barrier. To continue in the middle, the function
// jumps, as in Duff's device and in protothreads (A. Dunkels et al., "Protothreads: simplifying event-driven
// programming of memory-constrained embedded systems", SenSys 2006). C++ allows a jump into loops and branches if the
// jump passes no declaration with an initialiser. So variables whose scope contains a barrier are kept in arrays with
// an element for each thread, and their declarations become assignments.
//
// Threads run one after another, each from barrier to barrier. A barrier is passed when every thread that hasn't
// returned waits at some barrier, exactly as with fibers (runtime/barriers.cpp). So no proof about control flow is
// needed, and wrong code fails in the same way.
#include <algorithm>

#include "parse/syntax_tree.hpp"
#include "split/fission_detail.hpp"

namespace emucc::detail {

namespace {
constexpr std::size_t most_resumed_barriers = 63;  // as in cuemu/resume.hpp
}

Fission FissionPlanner::resume() {
  resumes_ = true;
  if (!read_body()) return std::move(found_);
  for (const Statement& statement : found_.statements) {
    find_groups(statement);
    mark_barriers(statement);
    if (has_warp_call(syntax_, statement, names_)) refuse_at("it has a warp function", statement);
  }
  number_barriers(found_.statements);
  if (found_.barriers.empty()) refuse("it has no barrier");
  if (found_.barriers.size() > most_resumed_barriers) refuse("it has too many barriers");
  found_.around_barriers = control_;
  lambdas_ = find_nonblocking_lambdas(syntax_, found_.statements, names_, groups_);
  if (!refused()) find_asked_index(found_.statements);
  Uniformity facts(syntax_, begin_, end_, names_);
  facts.set_once(Once::nothing);
  collect_parameters(facts);
  collect_list(found_.statements, {end_, false, 0}, facts);
  if (!refused() && !facts.solve()) refuse("two of its variables have the same name");
  if (!refused()) sort_variables(facts);
  if (!refused()) check_names(facts);
  found_.variables = std::move(facts.variables());
  return std::move(found_);
}

void FissionPlanner::number_barriers(const std::vector<Statement>& list) {
  for (const Statement& statement : list) {
    if (is_barrier(statement)) found_.barriers.push_back(&statement);
    if (is_control(statement) && statement.kind == StatementKind::if_ && is(statement.head + 1, "constexpr"))
      refuse_at("a barrier is inside of 'if constexpr'", statement);  // C++ allows no jump there
    number_barriers(statement.children);
  }
}

/// Refuses code that waits at any other place than the kernel's barriers.
void FissionPlanner::find_asked_index(const std::vector<Statement>& list) {
  std::unordered_set<std::size_t> calls;
  for (const Statement* const statement : found_.barriers)
    for (std::size_t i = statement->head; i < statement->end; ++i)
      if (syntax_.is_name(i) && is(i + 1, "(")) calls.insert(i);
  for (const Statement& statement : list) {
    if (statement.kind == StatementKind::shared || statement.kind == StatementKind::alias ||
        is_group(statement))
      continue;
    const BlockingAnalysis found = analyse_blocking(syntax_, statement, names_, groups_, calls, lambdas_);
    if (!found.nonblocking) return refuse_at(found.reason, statement);
    found_.reads_index = found_.reads_index || found.reads_index;
  }
}

bool FissionPlanner::has_barrier(std::size_t begin, std::size_t end) const {
  return std::any_of(found_.barriers.begin(), found_.barriers.end(),
                     [&](const Statement* barrier) { return barrier->head >= begin && barrier->head < end; });
}

// ---- the variables: shared by the threads, computed again when a thread is resumed, or kept for each thread

void FissionPlanner::sort_variables(Uniformity& facts) {
  std::set<const Statement*> outermost, first;
  bool declarations_only = true;
  for (const Statement& statement : found_.statements) {
    declarations_only = declarations_only &&
                        (statement.kind == StatementKind::declaration ||
                         statement.kind == StatementKind::shared || statement.kind == StatementKind::alias);
    outermost.insert(&statement);
    if (declarations_only) first.insert(&statement);
  }
  for (std::size_t i = begin_; i < end_; ++i)
    if (is(i, "cuemu_vote") && facts.owner(i + 2) != npos) found_.votes.insert(facts.owner(i + 2));
  for (KernelVariable& variable : facts.variables())
    sort_variable(facts, variable, outermost.count(variable.declared) > 0,
                  first.count(variable.declared) > 0);
}

/// @param outermost the variable is declared in no branch and no loop
/// @param first the variable is declared before any other statement
void FissionPlanner::sort_variable(const Uniformity& facts, KernelVariable& variable, bool outermost,
                                   bool first) {
  const bool changes = !variable.writes.empty() || variable.address_taken;
  if (variable.local == nullptr) {
    variable.kind = changes ? VariableKind::kept : VariableKind::uniform;
    return;
  }
  if (found_.votes.count(facts.owner(variable.local->name)) > 0) {
    variable.kind = VariableKind::uniform;
    return;
  }
  if (variable.kind == VariableKind::shared || variable.kind == VariableKind::group) {
    if (!outermost) refuse("'" + variable.name + "' is declared around a barrier that not all may come to");
    return;
  }
  if (!has_barrier(variable.begin, variable.end)) {
    variable.kind = VariableKind::local;
    return;
  }
  const std::size_t begin = variable.local->initialiser, end = variable.local->initialiser_end;
  if (const auto lambda = facts.lambda(facts.owner(variable.local->name))) {
    if (!outermost || variable.kind != VariableKind::index ||
        (lambda->copies && !stays_the_same(facts, begin, end)))
      refuse("the lambda '" + variable.name + "' outlives a barrier");
    return;
  }
  // This is a part of an object that never changes. The reference reads no memory, so it may be bound early.
  if (variable.reference && variable.kind == VariableKind::uniform && !changes &&
      stays_the_same(facts, begin, end))
    return;
  bool divides = false;  // earlier code may ensure that a divisor isn't zero
  for (std::size_t i = begin; begin != npos && i < end; ++i) divides = divides || is(i, "/") || is(i, "%");
  for (std::size_t i = variable.declared->type; i < variable.declared->type_end && divides; ++i)
    divides = !is(i, "constexpr");  // the compiler checks a constexpr
  const bool value = !variable.reference && !variable.array && begin != npos;
  if (value && outermost && !changes && (first || !divides) && stays_the_same(facts, begin, end)) {
    if (facts.is_uniform(begin, end)) {
      variable.kind = VariableKind::uniform;
      return;
    }
    if (facts.is_computable(begin, end)) {
      variable.kind = VariableKind::index;
      return;
    }
  }
  variable.kind = VariableKind::kept;
  check_kept(facts, variable);
}

/// Returns true if the value is computed from variables that never change.
bool FissionPlanner::stays_the_same(const Uniformity& facts, std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (facts.owner(i) == npos) continue;
    const KernelVariable& from = facts.variables()[facts.owner(i)];
    if (from.kind != VariableKind::uniform && from.kind != VariableKind::index) return false;
    if (!from.writes.empty() || from.address_taken) return false;
  }
  return true;
}

bool FissionPlanner::is_same_declaration(const KernelVariable& a, const KernelVariable& b) const {
  const auto spelled = [&](const KernelVariable& variable) {
    std::string all;
    for (std::size_t i = variable.declared->type; i < variable.declared->type_end; ++i)
      if (variable.pointer || !is(i, "const")) all += std::string(syntax_.at(i)) + " ";
    for (std::size_t i = variable.local->begin; i < variable.local->end; ++i)
      all += std::string(syntax_.at(i)) + " ";
    return all;
  };
  return spelled(a) == spelled(b);
}

namespace {
/// Records where the scope of a loop's counter ends.
void find_ends(const std::vector<Statement>& list, std::map<std::size_t, std::size_t>& ends) {
  for (const Statement& statement : list) {
    for (const LocalName& name : statement.counters) ends[name.name] = statement.end;
    find_ends(statement.children, ends);
  }
}
}  // namespace

/// Checks names of variables that outlive a barrier, which are visible from the beginning of the function. Variables
/// with the same name are never in scope together. They share one array if they have one type. The name must have no
/// other meaning where it is used outside the variables' scopes.
void FissionPlanner::check_names(const Uniformity& facts) {
  const auto& all = facts.variables();
  std::map<std::size_t, std::size_t> ends;
  find_ends(found_.statements, ends);
  const auto outlives = [](const KernelVariable& variable) {
    return variable.kind == VariableKind::kept || variable.kind == VariableKind::index ||
           variable.kind == VariableKind::uniform;
  };
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (!outlives(all[v]) || all[v].local == nullptr) continue;
    for (std::size_t other = 0; other < v; ++other) {
      if (all[other].name != all[v].name || !outlives(all[other]) || found_.same_array.count(other) > 0)
        continue;
      if (all[v].kind != VariableKind::kept || all[other].kind != VariableKind::kept ||
          all[other].local == nullptr || !is_same_declaration(all[v], all[other]))
        return refuse("two of its variables are called '" + all[v].name + "'");
      found_.same_array[v] = other;
    }
    for (std::size_t i = begin_; i < end_; ++i) {
      if (!is(i, all[v].name) || is(i - 1, ".") || is(i - 1, "->") || is(i - 1, "::") || is(i + 1, "::"))
        continue;
      const std::size_t declared = syntax_.tree().scopes().meaning(i).declared;
      const auto end = ends.find(declared);
      if (declared == npos || declared < begin_ || declared >= end_ ||
          (end != ends.end() && i >= end->second))
        return refuse("'" + all[v].name + "' means something else outside of its scope");
    }
  }
}

}  // namespace emucc::detail
