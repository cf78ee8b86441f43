// Kernels that are split at their barriers (fission.hpp): loops over the threads of a block, one for each
// phase.
//
//   ::cuemu::for_threads(blockDim, [&](const uint3 threadIdx, const size_t cuemu_at) { phase });
//
// What a thread keeps from one phase to a later one is an element of an array; what follows from threadIdx is
// computed again; what is the same for all threads stands outside of the phases, once.
#include <algorithm>

#include "translator_detail.hpp"

namespace emucc::detail {

namespace {
using Kind = KernelVariable::Kind;

std::string array_of(std::size_t variable) {
  return "cuemu_keep_" + std::to_string(variable);
}
}  // namespace

Fission Translator::plan_kernel(const Declaration& found, const Context& inside) {
  Fission none;
  none.refusal = "splitting is off";
  if (!options_.fission) return none;
  none.refusal = "it is not complete";
  if (found.parameters == npos || found.body == npos || syntax_.partner(found.parameters) == npos ||
      syntax_.partner(found.body) == npos || syntax_.partner(found.body) + 1 != found.end)
    return none;
  none.refusal = "it has its own meaning for the name of a built-in variable";
  if (!inside.own.empty()) return none;
  none.refusal = "it uses a __shared__ variable that is declared outside of it";
  for (const SharedName& shared : namespace_shared_)
    if (syntax_.mentions(found.body, found.end, shared.name)) return none;
  const KnownNames names{plain_functions_, steady_functions_, device_variables_};
  return plan_fission(syntax_, found.parameters, found.body + 1, found.end - 1, names);
}

void Translator::note_kernel(const Declaration& found, const std::string& how) {
  const Token& token = stream_.tokens[found.name];
  notes_.push_back({stream_.places[token.place].file, token.line, token.column,
                    "kernel '" + std::string(syntax_.at(found.name)) + "' " + how});
}

void Translator::split_body(const Fission& plan, Context& inside) {
  written_indices_.clear();
  if (plan.returns) text("bool* const cuemu_alive = ::cuemu::all_alive(blockDim);");
  for (std::size_t v = 0; v < plan.variables.size(); ++v) {
    const KernelVariable& variable = plan.variables[v];
    if (variable.local != nullptr || variable.kind != Kind::kept) continue;
    text("auto* const " + array_of(v) + " = ::cuemu::copies_for_threads(" + std::to_string(v + 1) + ", " +
         variable.name + ", blockDim);");
  }
  split_steps(plan, plan.steps, inside);
}

void Translator::split_steps(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside) {
  for (const FissionStep& step : steps) {
    if (step.kind == FissionStep::Kind::phase)
      phase(plan, step, inside);
    else if (step.kind == FissionStep::Kind::control)
      split_control(plan, step, inside);
    else if (step.statement->kind == Statement::Kind::declaration)
      uniform_declaration(plan, *step.statement, inside);
    else
      code(step.statement->head, step.statement->end, inside);
  }
}

void Translator::split_control(const Fission& plan, const FissionStep& step, Context& inside) {
  const Statement& statement = *step.statement;
  if (statement.kind == Statement::Kind::compound) {
    emit(statement.open);
    split_steps(plan, step.parts[0], inside);
    return emit(statement.close);
  }
  code(statement.head, statement.kind == Statement::Kind::do_ ? statement.head + 1 : statement.close + 1,
       inside);
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
  if (statement.kind == Statement::Kind::do_) code(statement.children[0].end, statement.end, inside);
}

void Translator::declarator(const Statement& statement, const LocalName& name, Context& inside) {
  code(statement.type, statement.type_end, inside);
  code(name.begin, std::max(name.end, name.initialiser_end), inside);
  text(";");
}

/// Of a declaration the names that are the same for all threads.
void Translator::uniform_declaration(const Fission& plan, const Statement& statement, Context& inside) {
  const auto is_uniform = [&](const LocalName& name) {
    const Kind kind = plan.variables[plan.variable(name)].kind;
    return kind == Kind::uniform || kind == Kind::group;
  };
  if (std::all_of(statement.names.begin(), statement.names.end(), is_uniform)) {
    code(statement.head, statement.end, inside);
    // A group is often declared only to wait with it, and no barrier is left.
    const std::size_t variable = plan.variable(statement.names[0]);
    if (plan.variables[variable].kind == Kind::group)
      text(" static_cast<void>(" + plan.variables[variable].name + ");");
    return;
  }
  for (const LocalName& name : statement.names)
    if (is_uniform(name)) declarator(statement, name, inside);
}

/// The array that holds a kept variable for each thread; without const, since it is filled later.
void Translator::array_for_threads(const Fission& plan, std::size_t v, Context& inside) {
  const KernelVariable& variable = plan.variables[v];
  const Statement& statement = *variable.declared;
  const std::size_t from = out_.size();
  for (std::size_t i = statement.type; i < statement.type_end; ++i)
    if (!syntax_.is(i, "const") && syntax_.word(i) != Word::constexpr_ && syntax_.word(i) != Word::align)
      i = code_token(i, statement.type_end, inside) - 1;
  for (std::size_t i = variable.local->begin; i < variable.local->end; ++i)
    if (i != variable.local->name && !syntax_.is(i, "__restrict__") && !syntax_.is(i, "__restrict"))
      i = code_token(i, variable.local->end, inside) - 1;
  const std::string type = out_.flat(stream_, out_.cut(from));
  out_.quiet_text(statement.head, " auto* const " + array_of(v) + " = ::cuemu::values_for_threads<" + type +
                                      ">(" + std::to_string(v + 1) + ", blockDim);");
}

void Translator::phase(const Fission& plan, const FissionStep& step, Context& inside) {
  for (const Statement* const leaf : step.leaves)
    for (const LocalName& name : leaf->names)
      if (plan.variables[plan.variable(name)].kind == Kind::kept)
        array_for_threads(plan, plan.variable(name), inside);
  text(
      std::string(step.asks_index ? " ::cuemu::for_known_threads" : " ::cuemu::for_threads") +
      "(blockDim, [&]([[maybe_unused]] const uint3 threadIdx, [[maybe_unused]] const ::std::size_t cuemu_at) "
      "__attribute__((always_inline)) {");
  if (plan.returns) text(" if (!cuemu_alive[cuemu_at]) return;");
  phase_needs(plan, step, inside);
  inside.leaves_phase = plan.returns;
  for (const Statement* const leaf : step.leaves) {
    if (leaf->kind == Statement::Kind::declaration)
      phase_declaration(plan, *leaf, inside);
    else
      code(leaf->begin, leaf->end, inside);
  }
  inside.leaves_phase = false;
  for (const Statement* const leaf : step.leaves)
    for (const LocalName& name : leaf->names) {
      const std::size_t v = plan.variable(name);
      if (plan.variables[v].kind == Kind::kept && name.initialiser != npos)
        text(" ::cuemu::keep(" + array_of(v) + "[cuemu_at], " + plan.variables[v].name + ");");
    }
  text(" });");
}

/// The condition under which a thread takes part, as a function of its own.
void Translator::phase_guard(const Fission& plan, const FissionStep& step, Context& inside) {
  const std::size_t from = out_.size();
  text("[&]([[maybe_unused]] const uint3 threadIdx) __attribute__((always_inline)) -> bool {");
  for (const std::size_t v : step.guard.needs)
    declarator(*plan.variables[v].declared, *plan.variables[v].local, inside);
  text(step.guard.returns ? " return !(" : " return static_cast<bool>(");
  code(step.guard.begin, step.guard.end, inside);
  text("); }, ");
  out_.quiet_text(step.guard.begin, out_.flat(stream_, out_.cut(from)));
}

/// Variables of earlier phases, by the names that the user gave them.
void Translator::phase_needs(const Fission& plan, const FissionStep& step, Context& inside) {
  for (const std::size_t v : step.needs) {
    const KernelVariable& variable = plan.variables[v];
    if (variable.kind == Kind::kept) {
      out_.quiet_text(step.leaves[0]->head, " auto& " + variable.name + " = " + array_of(v) + "[cuemu_at];");
      continue;
    }
    const std::size_t from = out_.size();
    declarator(*variable.declared, *variable.local, inside);
    if (written_indices_.insert(v).second) continue;  // the first time as the user's own, for messages
    const std::string again = out_.flat(stream_, out_.cut(from));
    out_.quiet_text(step.leaves[0]->head, " " + again);
  }
}

/// Of a declaration the names that live in the phase or begin their life there.
void Translator::phase_declaration(const Fission& plan, const Statement& leaf, Context& inside) {
  const auto stays = [&](const LocalName& name) {
    const Kind kind = plan.variables[plan.variable(name)].kind;
    return kind == Kind::local || (kind == Kind::kept && name.initialiser != npos);
  };
  if (std::all_of(leaf.names.begin(), leaf.names.end(), stays)) return code(leaf.begin, leaf.end, inside);
  for (const LocalName& name : leaf.names) {
    const std::size_t v = plan.variable(name);
    if (stays(name))
      declarator(leaf, name, inside);
    else if (plan.variables[v].kind == Kind::kept)
      out_.quiet_text(leaf.head, " auto& " + plan.variables[v].name + " = ::cuemu::begin_life(" +
                                     array_of(v) + "[cuemu_at]);");
  }
}

}  // namespace emucc::detail
