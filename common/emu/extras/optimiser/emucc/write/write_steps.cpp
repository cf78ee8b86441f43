// Writes kernels that are split at their barriers (fission.hpp) as loops over the threads of a block, one loop for
// each phase.
//
//   ::cuemu::for_threads(blockDim, [&](const ::uint3 threadIdx, const size_t cuemu_at) { phase });
//
// A variable that a thread needs in a later phase is an element of an array. A value that follows from threadIdx is
// computed again in each phase. A uniform value is declared once, outside the phases.
#include <algorithm>
#include <unordered_set>

#include "parse/functions.hpp"
#include "parse/syntax_tree.hpp"
#include "split/loop_interchange.hpp"
#include "write/optimiser.hpp"

namespace emucc::detail {

std::string array_of(std::size_t variable) {
  return "cuemu_keep_" + std::to_string(variable);
}

namespace {
/// Returns the running thread's element of the array of a kept variable.
std::string element_of(const Fission& plan, std::size_t variable) {
  return array_of(variable) + (plan.warp_function ? "[cuemu_lane]" : "[cuemu_at]");
}
}  // namespace

/// Returns the variable that holds the number of the current backlog, for the block or for the warp.
std::string Optimiser::due() const {
  return in_warps_ ? "cuemu_due_in_warp" : "cuemu_due";
}

/// Clears the replacements of variables and phases that the previous plan made.
void Optimiser::begin_plan() {
  written_indices_.clear();
  written_phases_.clear();
  named_types_.clear();
}

void Optimiser::split_body(const Fission& plan, Context& inside) {
  begin_plan();
  if (plan.returns) text("bool* const cuemu_alive = ::cuemu::all_alive(blockDim);");
  for (std::size_t v = 0; v < plan.variables.size(); ++v) {
    const KernelVariable& variable = plan.variables[v];
    if (variable.local != nullptr || variable.kind != VariableKind::kept) continue;
    parameter_for_threads(plan, v);
  }
  written_ = &plan;
  for (const std::size_t v : plan.early) array_for_threads(plan, v, inside);
  begin_backlogs(plan, plan.steps, inside);
  split_steps(plan, plan.steps, inside);
  run(plan, plan.backlogs_at_end, nullptr, inside);
  written_ = nullptr;
}

/// Returns true if `at` names an atomic function that is called with the address of an element of the block's
/// shared memory. The block's threads run one after another, so the operation need not be atomic.
bool Optimiser::is_block_only(std::size_t at, const Fission& plan) const {
  static const std::unordered_set<std::string_view> functions = {"atomicAdd", "atomicSub",  "atomicMin",
                                                                 "atomicMax", "atomicAnd",  "atomicOr",
                                                                 "atomicXor", "atomicExch", "atomicCAS"};
  if (functions.count(syntax_.at(at)) == 0 || !syntax_.is(at + 1, "(") || !syntax_.is(at + 2, "&") ||
      syntax_.is(at - 1, "::") || may_be_own(syntax_, at))
    return false;
  const std::size_t name = at + 3;
  for (const KernelVariable& variable : plan.variables) {
    if (variable.kind != VariableKind::shared || !syntax_.is(name, variable.name) || name < variable.begin ||
        name >= variable.end)
      continue;
    // Other types have other atomic functions, or none.
    if (!is_shared_number(syntax_, variable, syntax_.is(at, "atomicAdd"))) return false;
    std::size_t end = name + 1;
    while (syntax_.is(end, "[")) end = syntax_.after(end);
    return syntax_.is(end, ",");
  }
  return false;
}

void Optimiser::split_steps(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside) {
  for (const FissionStep& step : steps) {
    // If all threads have returned, no read is made on behalf of all threads.
    if (!step.once_reads.empty() && plan.returns)
      text(" if (!::cuemu::some_alive(cuemu_alive, blockDim)) return;");
    if (step.kind == FissionStep::Kind::phase)
      phase(plan, step, inside);
    else if (step.kind == FissionStep::Kind::control)
      split_control(plan, step, inside);
    else if (step.kind == FissionStep::Kind::warps && step.deferred)
      arrays_of(plan, step.parts[0], inside), defer(plan, step);
    else if (step.kind == FissionStep::Kind::warps)
      arrays_of(plan, step.parts[0], inside), run(plan, step.backlogs, &step, inside);
    else if (step.kind == FissionStep::Kind::scope)
      scope(plan, step, inside);
    else if (step.kind == FissionStep::Kind::barrier)
      run(plan, step.backlogs, nullptr, inside);
    else if (step.kind == FissionStep::Kind::exchange)
      settle(plan, step, inside), warp_call(plan, step.calls[0], inside), text(";"), merged_ = {};
    else if (step.statement->kind == Statement::Kind::declaration)
      uniform_declaration(plan, *step.statement, inside);
    else if (step.statement->kind == Statement::Kind::return_ && !nothing_is_due(step.backlogs))
      text(" {"), run(plan, step.backlogs, nullptr, inside),
          code(step.statement->head, step.statement->end, inside), text(" }");
    else
      code(step.statement->head, step.statement->end, inside);
  }
}

void Optimiser::split_control(const Fission& plan, const FissionStep& step, Context& inside) {
  const Statement& statement = *step.statement;
  if (statement.kind == Statement::Kind::compound) {
    emit(statement.open);
    split_steps(plan, step.parts[0], inside);
    return emit(statement.close);
  }
  if (step.masked) return masked_control(plan, step, inside);
  if (statement.kind == Statement::Kind::do_)
    code(statement.head, statement.head + 1, inside);
  else
    control_header(plan, step, inside);
  for (std::size_t i = 0; i < statement.children.size(); ++i) {
    const Statement& inner = statement.children[i];
    if (i > 0) emit(statement.children[0].end);  // else
    const bool braces = inner.kind == Statement::Kind::compound;
    if (braces)
      emit(inner.open);
    else
      text(" {");
    split_steps(plan, step.parts[i], inside);
    if (braces)
      emit(inner.close);
    else
      text(" }");
  }
  if (statement.kind != Statement::Kind::do_) return;
  code(statement.children[0].end, statement.open, inside);
  control_header(plan, step, inside);
  code(statement.close + 1, statement.end, inside);
}

void Optimiser::declarator(const Statement& statement, const LocalName& name, Context& inside) {
  code(statement.type, statement.type_end, inside);
  code(name.begin, std::max(name.end, name.initialiser_end), inside);
  text(";");
}

/// Writes the declarator of `variable` with another name, or with the name of its type (name_types()).
void Optimiser::declarator_as(const std::string& spelled, std::size_t variable, const LocalName& name,
                              const Fission& plan, Context& inside) {
  const Statement& statement = *plan.variables[variable].declared;
  const bool named = named_types_.count(variable) > 0;
  if (named) {
    text(" " + named_type(variable));
  } else {
    code(statement.type, statement.type_end, inside);
    code(name.begin, name.name, inside);
  }
  text(" " + spelled);
  code(named ? name.end : name.name + 1, std::max(name.end, name.initialiser_end), inside);
  text(";");
}

/// Writes the uniform names of a declaration.
void Optimiser::uniform_declaration(const Fission& plan, const Statement& statement, Context& inside) {
  const auto variable = [&](const LocalName& name) -> const KernelVariable& {
    return plan.variables[plan.variable(name)];
  };
  const auto is_whole = [&](const LocalName& name) {
    const VariableKind kind = variable(name).kind;
    return (kind == VariableKind::uniform || kind == VariableKind::group) && !variable(name).of_warp;
  };
  if (std::all_of(statement.names.begin(), statement.names.end(), is_whole)) {
    code(statement.head, statement.end, inside);
    // A group is often declared only for its barrier, and the split kernel has no barrier left.
    const KernelVariable& first = variable(statement.names[0]);
    if (first.kind == VariableKind::group) text(" static_cast<void>(" + first.name + ");");
    return;
  }
  for (const LocalName& name : statement.names) {
    if (variable(name).kind != VariableKind::uniform) continue;
    code(statement.type, statement.type_end, inside);
    warp_declarator(plan, name, inside);
    text(";");
  }
}

/// Returns the type of a kept variable. The type has no const unless `keep_const` is set, since the variable
/// is assigned later. The type that a pointer points to stays const.
std::string Optimiser::type_of(const KernelVariable& variable, Context& inside, bool keep_const) {
  const Statement& statement = *variable.declared;
  const std::size_t from = out_.size();
  for (std::size_t i = statement.type; i < statement.type_end; ++i)
    if ((keep_const || variable.pointer || !syntax_.is(i, "const")) && syntax_.word(i) != Word::constexpr_ &&
        syntax_.word(i) != Word::align)
      i = code_token(i, statement.type_end, inside) - 1;
  for (std::size_t i = variable.local->begin; i < variable.local->end; ++i)
    if (syntax_.is(i, "[") && syntax_.is(i + 1, "]"))
      text("[" + std::to_string(listed_elements(syntax_, *variable.local)) + "]"), ++i;
    else if (i != variable.local->name && !syntax_.is(i, "__restrict__") && !syntax_.is(i, "__restrict"))
      i = type_token(i, variable.local->end, inside) - 1;
  return out_.flat(stream_, out_.cut(from));
}

/// Writes the array that holds a parameter for each thread.
void Optimiser::parameter_for_threads(const Fission& plan, std::size_t v) {
  text(" auto* const " + array_of(v) + " = ::cuemu::copies_for_threads(" + std::to_string(v + 1) + ", " +
       plan.variables[v].name + ", blockDim);");
}

/// Writes the array that holds a kept variable for each thread, or for each lane of a function's warp.
void Optimiser::array_for_threads(const Fission& plan, std::size_t v, Context& inside) {
  const KernelVariable& variable = plan.variables[v];
  const std::string type = named_types_.count(v) > 0 ? named_type(v) : type_of(variable, inside);
  const std::string memory = "cuemu_memory_" + std::to_string(v);
  out_.quiet_text(variable.declared->head,
                  plan.warp_function ? " ::cuemu::LaneMemory<" + type + "> " + memory + "; auto* const " +
                                           array_of(v) + " = " + memory + ".data();"
                                     : " auto* const " + array_of(v) + " = ::cuemu::values_for_threads<" +
                                           type + ">(" + std::to_string(v + 1) + ", blockDim);");
}

/// Gives the type of `float a[2 * n];` a name before the phase, where n is a constant of the kernel. In a template,
/// g++ 12 fails at such a bound inside a second lambda.
void Optimiser::name_types(const Fission& plan, const FissionStep& step, Context& inside) {
  if (step.deferred) return;
  for (const Statement* const leaf : step.leaves)
    for (const LocalName& name : leaf->names) {
      const std::size_t v = plan.variable(name);
      if (!plan.variables[v].array || plan.early.count(v) > 0) continue;
      bool constant = false;
      for (std::size_t i = name.name + 1; i < name.end; ++i)
        for (const KernelVariable& each : plan.variables)
          constant = constant || (each.constant && each.kind == VariableKind::uniform &&
                                  syntax_.is(i, each.name) && each.begin < i && i < each.end);
      if (!constant || !named_types_.insert(v).second) continue;
      out_.quiet_text(leaf->head,
                      " using " + named_type(v) + " = " + type_of(plan.variables[v], inside, true) + ";");
    }
}

/// Writes the arrays of all kept variables that the steps declare.
void Optimiser::arrays_of(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside) {
  for (const FissionStep& step : steps) {
    name_types(plan, step, inside);
    for (const Statement* const leaf : step.leaves)
      for (const LocalName& name : leaf->names)
        if (plan.variables[plan.variable(name)].kind == VariableKind::kept &&
            plan.early.count(plan.variable(name)) == 0)
          array_for_threads(plan, plan.variable(name), inside);
    for (const auto& part : step.parts) arrays_of(plan, part, inside);
  }
}

void Optimiser::phase(const Fission& plan, const FissionStep& step, Context& inside) {
  if (!in_warps_) arrays_of(plan, {step}, inside);
  if (!step.calls.empty()) settle(plan, step, inside);
  for (const WarpCall& call : step.calls) {
    const std::string result = core_.unique("call");
    text(" const auto " + result + " = (");
    warp_call(plan, call, inside);
    text(", ::cuemu::Called{});");
    calls_.emplace_back(&call, result);
  }
  merged_ = {};
  if (step.deferred)
    defer(plan, step);
  else
    run(plan, step.backlogs, &step, inside);
  calls_.clear();
}

// ---- deferred phases (fission_order.hpp)

namespace {
std::size_t place_of(const FissionStep& step) {
  return step.leaves.empty() ? step.statement->head : step.leaves[0]->head;
}
std::string copy_of(std::size_t variable, const FissionStep& phase) {
  return "cuemu_copy_" + std::to_string(variable) + "_" + std::to_string(phase.number);
}
}  // namespace

/// Writes the additional declarations that deferred phases of a block or a warp need.
void Optimiser::begin_backlogs(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside) {
  if (plan.backlogs_vary) text(std::string(" [[maybe_unused]] unsigned ") + due() + " = 0;");
  declare_copies(plan, steps, inside);
}

void Optimiser::declare_copies(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside) {
  for (const FissionStep& step : steps) {
    for (const std::size_t v : step.copies) {
      const KernelVariable& variable = plan.variables[v];
      const std::string name = copy_of(v, step);
      out_.quiet_text(place_of(step),
                      variable.local == nullptr
                          ? " auto " + name + " = " + variable.name + ";"
                          : " ::std::remove_cv_t<" + type_of(variable, inside, true) + "> " + name + "{};");
    }
    if (step.kind == FissionStep::Kind::control || step.kind == FissionStep::Kind::scope)
      for (const auto& part : step.parts) declare_copies(plan, part, inside);
  }
}

/// Writes a part of a joined warp stretch with the values that uniform variables had at the part's original place.
void Optimiser::scope(const Fission& plan, const FissionStep& step, Context& inside) {
  text(" {");
  copies(plan, *step.source);
  split_steps(plan, step.parts[0], inside);
  text(" }");
}

void Optimiser::copies(const Fission& plan, const FissionStep& deferred) {
  for (const std::size_t v : deferred.copies)
    out_.quiet_text(place_of(deferred), " [[maybe_unused]] const auto " + plan.variables[v].name + " = " +
                                            copy_of(v, deferred) + ";");
}

/// Writes, in the phase's original place, that the phase is due.
void Optimiser::defer(const Fission& plan, const FissionStep& step) {
  for (const std::size_t v : step.copies) text(" " + copy_of(v, step) + " = " + plan.variables[v].name + ";");
  if (!plan.backlogs_vary) return;
  std::string number;
  for (const std::size_t before : step.backlogs) {
    const std::string longer = std::to_string(plan.longer(before, step));
    number =
        number.empty() ? longer : due() + " == " + std::to_string(before) + " ? " + longer + " : " + number;
  }
  text(std::string(" ") + due() + " = " + number + ";");
}

/// Runs the due steps and then `last`. Each thread runs all of these before the next thread begins.
void Optimiser::run(const Fission& plan, const std::set<std::size_t>& backlogs, const FissionStep* last,
                    Context& inside) {
  if (backlogs.empty())
    return last != nullptr ? run(plan, {0}, last, inside) : void();  // no thread reaches this place
  const bool several = backlogs.size() > 1;
  std::size_t left = backlogs.size();
  for (const std::size_t backlog : backlogs) {
    Backlog phases = plan.backlogs[backlog];
    if (last != nullptr) phases.push_back(last);
    if (several && left < backlogs.size()) text(" else");
    --left;
    if (several && left > 0) text(std::string(" if (") + due() + " == " + std::to_string(backlog) + ")");
    if (several) text(" {");
    const auto joined = plan.joined.find({backlog, last});
    if (!in_warps_ && joined != plan.joined.end())
      warps(plan, joined->second, inside);
    else if (!phases.empty() && phases[0]->kind == FissionStep::Kind::warps)
      warps(plan, *phases[0], inside);
    else if (!phases.empty())
      loop(plan, phases, inside);
    if (several) text(" }");
  }
  const bool none = nothing_is_due(backlogs);
  if (plan.backlogs_vary && !none) text(std::string(" ") + due() + " = 0;");
}

/// Writes the due steps where the lanes of a warp reach a call. The steps run before the call, or each lane
/// runs its share when it computes the argument that depends on the steps.
void Optimiser::settle(const Fission& plan, const FissionStep& step, Context& inside) {
  if (step.merged == npos) return run(plan, step.backlogs_at_calls, nullptr, inside);
  const WarpCall::Argument& argument = step.calls[0].arguments[step.merged];
  const std::string result = core_.unique("argument");
  text(" const auto " + result + " = ");
  merged_ = {&argument, result};
  warp_argument(plan, argument, plan.backlogs[*step.backlogs_at_calls.begin()], inside);
  text(plan.backlogs_vary ? std::string("; ") + due() + " = 0;" : ";");
}

/// Returns captures of the `__shared__` numbers that these phases read and that no thread writes meanwhile.
/// The captured values belong to the loop, so the compiler sees that no store changes them.
std::string Optimiser::values_of_loop(const Fission& plan, const Backlog& phases) const {
  Effects effects;
  for (const FissionStep* const phase : phases) effects.add(phase->effects);
  std::string captures;
  if (effects.anything) return captures;
  for (const std::size_t v : effects.reads) {
    if (v == Effects::elsewhere || effects.writes.count(v) != 0) continue;
    const KernelVariable& variable = plan.variables[v];
    if (variable.kind != VariableKind::shared || variable.array || variable.pointer) continue;
    const Statement& declared = *variable.declared;
    const bool is_volatile = syntax_.mentions(declared.begin, variable.local->name, "volatile");
    if (!is_volatile && syntax_.tree().scopes().specified(declared.type, declared.type_end).base ==
                            ValueType::Base::arithmetic)
      captures += ", " + variable.name + " = " + variable.name;
  }
  return captures;
}

/// Writes one loop over the threads, or over the lanes of a warp.
void Optimiser::loop(const Fission& plan, const Backlog& phases, Context& inside) {
  const FissionStep& last = *phases.back();
  if (last.interchanged) return interchanged(plan, last, inside);
  const bool reads_index =
      std::any_of(phases.begin(), phases.end(), [](const FissionStep* each) { return each->reads_index; });
  const std::string parameters =
      "[&" + values_of_loop(plan, phases) +
      "]([[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::std::size_t cuemu_at";
  const std::string loop = std::string(" ::cuemu::for_") + (reads_index ? "known_" : "");
  if (in_warps_) {
    text(loop + "lanes(cuemu_warp, " + parameters + ", [[maybe_unused]] const unsigned cuemu_lane");
  } else if (last.guard.x_begin != last.guard.x_end && phases.size() == 1 && !last.deferred) {
    text(" ::cuemu::for_column(blockDim, ");
    const std::size_t from = out_.size();
    code(last.guard.x_begin, last.guard.x_end, inside);
    out_.quiet_text(last.guard.x_begin, out_.flat(stream_, out_.cut(from)) + ", ");
    text(parameters);
  } else if (last.guard.begin != last.guard.end && plan.steps.size() == 1) {
    text(" ::cuemu::for_guarded_threads(blockIdx, blockDim, ");
    phase_guard(plan, last, inside);
    text(parameters);
  } else {
    text(loop + "threads(blockDim, " + parameters);
  }
  text(") __attribute__((always_inline)) {");
  if (plan.warp_function || masked_)
    text(" if (cuemu_warp.is_out(cuemu_at)) return;");
  else if (plan.returns)
    text(" if (!cuemu_alive[cuemu_at]) return;");
  for (const FissionStep* const phase : phases) {
    if (phases.size() > 1) text(" {");
    thread_of(plan, *phase, inside);
    if (phases.size() > 1) text(" }");
  }
  text(" });");
}

/// Writes a loop in which all threads run one iteration, and then the threads that continue run the next one
/// (loop_interchange.hpp):
///
///   auto* const cuemu_turns = ::cuemu::values_for_threads<long long>(9, blockDim);
///   ::cuemu::for_threads(blockDim, [&](…) { int i = …; cuemu_turns[cuemu_at] = i; });
///   for (bool cuemu_more = true; cuemu_more;) {
///     cuemu_more = false;
///     ::cuemu::for_threads(blockDim, [&](…) {
///       int i = static_cast<decltype(i)>(cuemu_turns[cuemu_at]);
///       if (!(i < n)) return;
///       body
///       i += …; cuemu_turns[cuemu_at] = i; cuemu_more = true;
///     });
///   }
void Optimiser::interchanged(const Fission& plan, const FissionStep& step, Context& inside) {
  const Statement& loop = *step.leaves[0];
  const LocalName& counter = loop.counters[0];
  const std::string name(syntax_.at(counter.name));
  const auto threads = [&] {
    text(std::string(" ::cuemu::for_") + (step.reads_index ? "known_" : "") + "threads(blockDim, [&" +
         values_of_loop(plan, {&step}) +
         "]([[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::std::size_t cuemu_at) "
         "__attribute__((always_inline)) {" +
         (plan.returns ? " if (!cuemu_alive[cuemu_at]) return;" : ""));
    const std::size_t from = out_.size();
    needs(plan, step.needs, loop.head, inside);
    out_.quiet_text(loop.head, " " + out_.flat(stream_, out_.cut(from)));  // one of the two may not use them
  };
  const std::size_t from = out_.size();
  code(loop.type, loop.type_end, inside);
  const std::string type = out_.flat(stream_, out_.cut(from));
  text(" { auto* const cuemu_turns = ::cuemu::values_for_threads<long long>(" +
       std::to_string(plan.variables.size() + 1) + ", blockDim);");
  threads();
  declarator(loop, counter, inside);
  text(" cuemu_turns[cuemu_at] = static_cast<long long>(" + name +
       "); }); for (bool cuemu_more = true; cuemu_more;) { cuemu_more = false;");
  threads();
  out_.quiet_text(loop.head,
                  " " + type + " " + name + " = static_cast<decltype(" + name + ")>(cuemu_turns[cuemu_at]);");
  if (loop.semicolon[0] + 1 < loop.semicolon[1]) {
    text(" if (!(");
    code(loop.semicolon[0] + 1, loop.semicolon[1], inside);
    text(")) return;");
  }
  text(" {");
  code(loop.children[0].begin, loop.children[0].end, inside);
  text(" }");
  code(loop.semicolon[1] + 1, loop.close, inside);
  text("; cuemu_turns[cuemu_at] = static_cast<long long>(" + name + "); cuemu_more = true; }); } }");
}

/// Returns true if the variable is initialised in the phase and kept at the phase's end. A variable whose
/// address may be kept is initialised in the array instead.
bool Optimiser::is_kept_behind(const KernelVariable& variable) {
  return variable.kind == VariableKind::kept && variable.local->initialiser != npos && !variable.escapes;
}

/// Writes the work of one thread in a phase. If the same code is written a second time, it causes no warnings.
void Optimiser::thread_of(const Fission& plan, const FissionStep& phase, Context& inside) {
  const std::size_t from = out_.size();
  copies(plan, phase);
  needs(plan, phase.needs, phase.leaves[0]->head, inside);
  inside.instead_of_return = plan.returns ? "return void(cuemu_alive[cuemu_at] = false)" : nullptr;
  for (const Statement* const each : phase.leaves) leaf(plan, *each, inside);
  inside.instead_of_return = nullptr;
  for (const Statement* const each : phase.leaves)
    for (const LocalName& name : each->names) {
      const std::size_t v = plan.variable(name);
      if (is_kept_behind(plan.variables[v]))
        text(" ::cuemu::keep(" + element_of(plan, v) + ", " + plan.variables[v].name + ");");
    }
  if (!written_phases_.insert(phase.leaves[0]).second)
    out_.quiet_text(phase.leaves[0]->head, " " + out_.flat(stream_, out_.cut(from)));
}

void Optimiser::leaf(const Fission& plan, const Statement& leaf, Context& inside) {
  if (leaf.kind == Statement::Kind::declaration) return phase_declaration(plan, leaf, inside);
  if (leaf.kind != Statement::Kind::return_ || !plan.warp_function) return code(leaf.begin, leaf.end, inside);
  if (leaf.end == leaf.head + 2) return;  // a return from a function without a result
  text(" cuemu_result.value[cuemu_lane] =");
  code(leaf.head + 1, leaf.end, inside);
}

/// Writes the condition under which a thread takes part as a separate function. Does so only if the phase is
/// the whole kernel: between barriers, a condition usually excludes a part of each row, so a check of the
/// whole row would cost time.
void Optimiser::phase_guard(const Fission& plan, const FissionStep& step, Context& inside) {
  const std::size_t from = out_.size();
  text("[&]([[maybe_unused]] const ::uint3 threadIdx) __attribute__((always_inline)) -> bool {");
  for (const std::size_t v : step.guard.needs)
    declarator(*plan.variables[v].declared, *plan.variables[v].local, inside);
  text(step.guard.returns ? " return !(" : " return static_cast<bool>(");
  code(step.guard.begin, step.guard.end, inside);
  text("); }, ");
  out_.quiet_text(step.guard.begin, out_.flat(stream_, out_.cut(from)));
}

/// Writes variables of earlier phases under the names that the user gave them.
void Optimiser::needs(const Fission& plan, const std::vector<std::size_t>& all, std::size_t place,
                      Context& inside) {
  for (const std::size_t v : all) {
    const KernelVariable& variable = plan.variables[v];
    if (variable.kind == VariableKind::kept) {
      out_.quiet_text(place, " [[maybe_unused]] auto& " + variable.name + " = " + element_of(plan, v) + ";");
      continue;
    }
    const std::size_t from = out_.size();
    declarator(*variable.declared, *variable.local, inside);
    // The first output keeps the user's name for messages. A lambda is also written at its declaration.
    if (!lambda_of(syntax_, *variable.local) && written_indices_.insert(v).second) continue;
    const std::string again = out_.flat(stream_, out_.cut(from));
    out_.quiet_text(place, " " + again);
  }
}

/// Writes those names of a declaration that live in the phase or are initialised in the phase.
void Optimiser::phase_declaration(const Fission& plan, const Statement& leaf, Context& inside) {
  const auto lives_here = [&](const LocalName& name) {
    const KernelVariable& variable = plan.variables[plan.variable(name)];
    return variable.kind == VariableKind::local || is_kept_behind(variable) ||
           (variable.kind == VariableKind::index && lambda_of(syntax_, name));
  };
  const auto as_it_stands = [&](const LocalName& name) {
    return lives_here(name) && named_types_.count(plan.variable(name)) == 0;
  };
  if (std::all_of(leaf.names.begin(), leaf.names.end(), as_it_stands)) {
    code(leaf.begin, leaf.head, inside);
    if (lambda_of(syntax_, leaf.names[0])) text(" [[maybe_unused]] ");  // perhaps only other phases call it
    return code(leaf.head, leaf.end, inside);
  }
  for (const LocalName& name : leaf.names) {
    const std::size_t v = plan.variable(name);
    const KernelVariable& variable = plan.variables[v];
    if (as_it_stands(name)) {
      declarator(leaf, name, inside);
    } else if (lives_here(name)) {
      declarator_as(variable.name, v, name, plan, inside);
    } else if (variable.kind == VariableKind::kept && name.initialiser != npos) {
      out_.quiet_text(leaf.head, " auto& " + variable.name + " = " + element_of(plan, v) + ";");
      begin_kept(plan, name, inside);
    } else if (variable.kind == VariableKind::kept) {
      out_.quiet_text(leaf.head,
                      " auto& " + variable.name + " = ::cuemu::begin_life(" + element_of(plan, v) + ");");
    }
  }
}

}  // namespace emucc::detail
