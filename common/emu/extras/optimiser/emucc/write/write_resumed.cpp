// Writes kernels whose threads are resumed (fission_resume.cpp) as one loop over the threads of a block, in which
// each thread continues where it stopped.
//
//   ::cuemu::resume_threads<2, false>(blockDim, [&] {},
//       [&](const ::uint3 threadIdx, const size_t cuemu_at, const ::cuemu::Stop<2> cuemu_stop) -> ::cuemu::Stop<2> {
//     auto& i = cuemu_keep_3[cuemu_at];
//     switch (cuemu_stop) { case 0x2: goto cuemu_stop_1; case 0x4: goto cuemu_stop_2; default: break; }
//     body, in which a barrier is { return 0x2; cuemu_stop_1:; }
//     return 0x1;
//   });
#include <algorithm>
#include <sstream>

#include "write/optimiser.hpp"

namespace emucc::detail {

namespace {
/// Returns the bit of a barrier in cuemu::Stop. Barriers are counted from 1; 0 means that the thread has
/// returned.
std::string stop_bit(std::size_t barrier) {
  std::ostringstream bit;
  bit << "0x" << std::hex << (std::uint64_t{1} << barrier);
  return bit.str();
}
}  // namespace

/// Writes both forms of the kernel, which use the same shared variables.
void Optimiser::either_body(const Fission& split, const std::string& question, const Fission& resumed,
                            Context& inside) {
  for (const KernelVariable& variable : resumed.variables)
    if (variable.kind == VariableKind::shared) {
      const std::string tag = core_.unique("shared_" + variable.name);
      text(" struct " + tag + ";");
      inside.shared_tags[variable.name] = tag;
    }
  out_.quiet_text(resumed.statements.front().head, " if (" + question + ") {");
  split_body(split, inside);
  inside.shared.clear();
  text(" } else {");
  out_.begin_quiet();  // the first form has already given the warnings about this code
  resume_body(resumed, inside);
  out_.end_quiet();
  text(" }");
  inside.shared_tags.clear();
}

void Optimiser::resume_body(const Fission& plan, Context& inside) {
  begin_plan();
  written_ = &plan;
  resumed_outside(plan, inside);
  std::string passed;
  for (const std::size_t v : plan.votes) passed += plan.variables[v].name + ".pass();";
  const std::string barriers = std::to_string(plan.barriers.size());
  const std::string stop = "::cuemu::Stop<" + barriers + ">";
  text(" ::cuemu::resume_threads<" + barriers + (plan.reads_index ? ", true" : ", false") +
       ">(blockDim, [&] {" + passed +
       "}, [&]([[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::std::size_t "
       "cuemu_at, const " +
       stop + " cuemu_stop) __attribute__((always_inline)) -> " + stop + " {");
  const std::size_t place = plan.statements.empty() ? 0 : plan.statements.front().head;
  for (std::size_t v = 0; v < plan.variables.size(); ++v) {
    const KernelVariable& variable = plan.variables[v];
    if (variable.kind == VariableKind::kept && plan.same_array.count(v) == 0)
      out_.quiet_text(place,
                      " [[maybe_unused]] auto& " + variable.name + " = " + array_of(v) + "[cuemu_at];");
  }
  for (const KernelVariable& variable : plan.variables)
    if (variable.kind == VariableKind::index) declarator(*variable.declared, *variable.local, inside);
  text(" switch (cuemu_stop) {");
  for (std::size_t number = 1; number <= plan.barriers.size(); ++number)
    text(" case " + stop_bit(number) + ": goto cuemu_stop_" + std::to_string(number) + ";");
  text(" default: break; }");
  inside.instead_of_return = "return 0x1";
  for (const Statement& statement : plan.statements)  // shared variables and types are declared outside
    if (statement.kind != Statement::Kind::shared && statement.kind != Statement::Kind::alias)
      resumed(plan, statement, inside);
  inside.instead_of_return = nullptr;
  text(" return 0x1; });");
  written_ = nullptr;
}

/// Writes the declarations that are made once for the block: shared variables, uniform variables, and arrays of kept
/// variables.
void Optimiser::resumed_outside(const Fission& plan, Context& inside) {
  std::set<std::size_t> written;
  const auto once = [&](std::size_t v) {
    const KernelVariable& variable = plan.variables[v];
    const bool alone = variable.kind == VariableKind::uniform || variable.kind == VariableKind::group;
    if (!alone || variable.local == nullptr || !written.insert(v).second) return;
    if (plan.votes.count(v) > 0) return text(" ::cuemu::Votes " + variable.name + ";");
    declarator(*variable.declared, *variable.local, inside);
    text(" static_cast<void>(" + variable.name + ");");
  };
  for (const Statement& statement : plan.statements) {
    if (statement.kind == Statement::Kind::shared || statement.kind == Statement::Kind::alias)
      code(statement.begin, statement.end, inside);
    if (statement.kind == Statement::Kind::declaration)
      for (const LocalName& name : statement.names) once(plan.variable(name));
  }
  for (std::size_t v = 0; v < plan.variables.size(); ++v) once(v);  // also variables declared further inside
  for (std::size_t v = 0; v < plan.variables.size(); ++v) {
    const KernelVariable& variable = plan.variables[v];
    if (variable.kind != VariableKind::kept || plan.same_array.count(v) > 0) continue;
    if (variable.local != nullptr)
      array_for_threads(plan, v, inside);
    else
      parameter_for_threads(plan, v);
  }
}

void Optimiser::resumed(const Fission& plan, const Statement& statement, Context& inside) {
  const auto barrier = std::find(plan.barriers.begin(), plan.barriers.end(), &statement);
  if (barrier != plan.barriers.end()) {
    const auto index = static_cast<std::size_t>(barrier - plan.barriers.begin() + 1);
    const std::string number = std::to_string(index);
    return text(" { return " + stop_bit(index) + "; cuemu_stop_" + number + ":; }");
  }
  if (statement.kind == Statement::Kind::declaration) return resumed_declaration(plan, statement, inside);
  if (plan.around_barriers.count(&statement) == 0) return code(statement.begin, statement.end, inside);
  if (statement.kind == Statement::Kind::compound) {
    emit(statement.open);
    for (const Statement& inner : statement.children) resumed(plan, inner, inside);
    return emit(statement.close);
  }
  const std::vector<Statement>& parts = statement.children;
  const bool counts = !statement.counters.empty();
  if (counts) {  // the scope of the loop's own variables begins before the loop
    text(" {");
    for (const LocalName& name : statement.counters) begin_kept(plan, name, inside);
    code(statement.head, statement.open + 1, inside);
    code(statement.semicolon[0], parts[0].begin, inside);
  } else {
    code(statement.head, parts[0].begin, inside);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) code(parts[i - 1].end, parts[i].begin, inside);  // else
    text(" {");
    resumed(plan, parts[i], inside);
    text(" }");
  }
  code(parts.back().end, statement.end, inside);  // of a do loop
  if (counts) text(" }");
}

void Optimiser::resumed_declaration(const Fission& plan, const Statement& statement, Context& inside) {
  const auto stays = [&](const LocalName& name) {
    const std::size_t v = plan.variable(name);
    return v == Syntax::npos || plan.variables[v].kind == VariableKind::local;
  };
  if (std::all_of(statement.names.begin(), statement.names.end(), stays))
    return code(statement.begin, statement.end, inside);
  for (const LocalName& name : statement.names) {
    if (stays(name))
      declarator(statement, name, inside);
    else if (plan.variables[plan.variable(name)].kind == VariableKind::kept)
      begin_kept(plan, name, inside);
  }
}

/// Begins the lifetime of a kept variable where the variable is declared.
void Optimiser::begin_kept(const Fission& plan, const LocalName& name, Context& inside) {
  const std::size_t v = plan.variable(name);
  const std::string& kept = plan.variables[v].name;
  if (name.initialiser == Syntax::npos) return text(" ::cuemu::begin_life(" + kept + ");");
  text(" {");
  declarator_as("cuemu_begin", v, name, plan, inside);
  text(" ::cuemu::keep(" + kept + ", cuemu_begin); }");
}

}  // namespace emucc::detail
