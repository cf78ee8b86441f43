// Writes the warps of split kernels (warp_calls.hpp), and the second form of functions that whole warps call:
//
//   __device__ float warp_sum(float v) { … }
//   static ::cuemu::Lanes<float> cuemu_warp_form_warp_sum(const ::cuemu::WarpForm& cuemu_warp,
//                                                         ::cuemu::Lanes<float> cuemu_lanes_v) { … }
//
// The functions that this code calls are in include/cuemu/warp_form.hpp.
#include <algorithm>
#include <utility>

#include "facts/warp_uniformity.hpp"
#include "write/optimiser.hpp"

namespace emucc::detail {

namespace {
constexpr const char* form_prefix = "cuemu_warp_form_";
constexpr const char* lane_parameters =
    "[&]([[maybe_unused]] const ::uint3 threadIdx, [[maybe_unused]] const ::std::size_t cuemu_at, "
    "[[maybe_unused]] const unsigned cuemu_lane) __attribute__((always_inline)) {";
}  // namespace

// ---- a loop over the warps of a block

void Optimiser::warps(const Fission& plan, const FissionStep& step, Context& inside) {
  text(std::string(" ::cuemu::for_warps(blockIdx, blockDim, gridDim, ") +
       (plan.returns ? "cuemu_alive" : "nullptr") +
       ", [&]([[maybe_unused]] const ::cuemu::WarpForm& cuemu_warp) __attribute__((always_inline)) {");
  in_warps_ = true;
  begin_backlogs(plan, step.parts[0], inside);
  split_steps(plan, step.parts[0], inside);
  run(plan, step.backlogs_at_end, nullptr, inside);
  in_warps_ = false;
  text(" });");
}

/// Writes the exchange that replaces a call. For a user function, this is a call of its second form.
void Optimiser::warp_call(const Fission& plan, const WarpCall& call, Context& inside) {
  if (call.exchange != nullptr) {
    out_.replace(call.name, std::string(" ::cuemu::") + call.exchange + "(cuemu_warp");
  } else {
    code(call.begin, call.name, inside);
    replace(call.name, form_prefix + std::string(syntax_.at(call.name)));
    code(call.name + 1, call.open, inside);
    text("(cuemu_warp");
  }
  for (const WarpCall::Argument& argument : call.arguments) {
    text(", ");
    if (merged_.first == &argument)
      text(merged_.second);
    else
      warp_argument(plan, argument, {}, inside);
  }
  text(")");
}

/// @param before the steps that each lane must run before it computes the argument
void Optimiser::warp_argument(const Fission& plan, const WarpCall::Argument& argument, const Backlog& before,
                              Context& inside) {
  if (argument.uniform) return code(argument.begin, argument.end, inside);
  const bool reads_index =
      argument.reads_index ||
      std::any_of(before.begin(), before.end(), [](const FissionStep* each) { return each->reads_index; });
  text(std::string(reads_index ? "::cuemu::known_lanes_of" : "::cuemu::lanes_of") + "(cuemu_warp, " +
       lane_parameters);
  for (const FissionStep* const phase : before) text(" {"), thread_of(plan, *phase, inside), text(" }");
  needs(plan, argument.needs, argument.begin, inside);
  text(" return ");
  code(argument.begin, argument.end, inside);
  text("; })");
}

/// Writes an expression that follows from threadIdx, but is uniform for the warp.
void Optimiser::of_warp(const Fission& plan, std::size_t begin, std::size_t end,
                        const std::vector<std::size_t>& needed, Context& inside) {
  text(std::string("::cuemu::of_warp(cuemu_warp, ") + lane_parameters);
  needs(plan, needed, begin, inside);
  text(" return ");
  code(begin, end, inside);
  text("; })");
}

/// Writes each side of an `if` for the lanes that take this side.
void Optimiser::masked_control(const Fission& plan, const FissionStep& step, Context& inside) {
  const Statement& statement = *step.statement;
  const std::string lanes = core_.unique("lanes");
  text(" { const ::std::uint32_t " + lanes + " = ::cuemu::lanes_where(cuemu_warp, " + lane_parameters);
  needs(plan, step.needs, statement.open + 1, inside);
  text(" return static_cast<bool>(");
  code(statement.open + 1, statement.close, inside);
  text("); });");
  const bool before = std::exchange(masked_, true);
  for (std::size_t i = 0; i < statement.children.size(); ++i) {
    const std::string part = core_.unique("part");
    text(" if (const ::cuemu::WarpPart " + part + "(cuemu_warp, " + (i == 0 ? "" : "~") + lanes + "); " +
         part + ".some()) { const ::cuemu::WarpForm& cuemu_warp = " + part + ".form;");
    split_steps(plan, step.parts[i], inside);
    text(" }");
  }
  masked_ = before;
  text(" }");
}

void Optimiser::warp_declarator(const Fission& plan, const LocalName& name, Context& inside) {
  const KernelVariable& variable = plan.variables[plan.variable(name)];
  if (!variable.of_warp) return code(name.begin, std::max(name.end, name.initialiser_end), inside);
  code(name.begin, name.end, inside);
  text(" = ");
  of_warp(plan, name.initialiser, name.initialiser_end, variable.needs, inside);
}

/// Writes `if (…)`, `for (…; …; …)`, or `(…)` after `do { } while`.
void Optimiser::control_header(const Fission& plan, const FissionStep& step, Context& inside) {
  const Statement& statement = *step.statement;
  const bool is_for = statement.kind == Statement::Kind::for_;
  const bool counts =
      std::any_of(statement.counters.begin(), statement.counters.end(),
                  [&](const LocalName& name) { return plan.variables[plan.variable(name)].of_warp; });
  const std::size_t begin = statement.kind == Statement::Kind::do_ ? statement.open : statement.head;
  const bool loop = statement.kind != Statement::Kind::if_;
  if (loop && plan.asks_alive && plan.returns && !in_warps_) {
    const std::size_t first = is_for ? statement.semicolon[0] + 1 : statement.open + 1;
    const std::size_t last = is_for ? statement.semicolon[1] : statement.close;
    code(begin, first, inside);
    text(std::string("::cuemu::some_alive(cuemu_alive, blockDim)") + (first < last ? " && (" : ""));
    code(first, last, inside);
    if (first < last) text(")");
    return code(last, statement.close + 1, inside);
  }
  if (!step.of_warp && !counts) return code(begin, statement.close + 1, inside);
  code(begin, statement.open + 1, inside);
  if (!is_for) {
    of_warp(plan, statement.open + 1, statement.close, step.needs, inside);
    return emit(statement.close);
  }
  const auto& counters = statement.counters;
  code(statement.open + 1, counters.empty() ? statement.semicolon[0] : counters[0].begin, inside);
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (i > 0) text(", ");
    warp_declarator(plan, counters[i], inside);
  }
  emit(statement.semicolon[0]);
  if (step.of_warp)
    of_warp(plan, statement.semicolon[0] + 1, statement.semicolon[1], step.needs, inside);
  else
    code(statement.semicolon[0] + 1, statement.semicolon[1], inside);
  code(statement.semicolon[1], statement.close + 1, inside);
}

// ---- functions that whole warps call

/// Returns the tokens from `begin`, after `template <…>`, that spell the function's result type; empty if the
/// type can't be read.
std::string Optimiser::result_type(const Declaration& found, std::size_t begin) const {
  while (syntax_.is(begin, "template") && syntax_.is(begin + 1, "<") &&
         syntax_.template_close(begin + 1) != npos)
    begin = syntax_.template_close(begin + 1) + 1;
  std::string type;
  for (std::size_t i = begin; i < found.name;) {
    const Word word = syntax_.word(i);
    if (syntax_.is(i, "[") || word == Word::argument_keyword) {
      i = syntax_.after(syntax_.is(i, "[") ? i : i + 1);
      continue;
    }
    for (std::string_view bad :
         {"auto", "decltype", "&", "&&", "operator", "friend", "consteval", "requires", "("})
      if (syntax_.is(i, bad)) return "";
    const bool attribute = word == Word::device || word == Word::host || word == Word::forceinline ||
                           word == Word::noinline || word == Word::dropped || word == Word::static_ ||
                           word == Word::inline_ || word == Word::constexpr_ || syntax_.is(i, "const");
    if (!attribute) type += syntax_.spaced(i);
    ++i;
  }
  return type;
}

void Optimiser::second_form(const Declaration& found, const Fission& plan, const Context& context) {
  Context inside = context;
  inside.in_function = inside.kernel = inside.device = inside.second_form = true;
  inside.pass = this;
  in_warps_ = true;
  inside.own.clear();
  inside.function = std::string(syntax_.at(found.name));
  inside.signature = inside.function;
  begin_plan();
  const std::size_t from = out_.size();
  std::size_t at = found.begin;
  while (syntax_.is(at, "template")) {
    const std::size_t after = syntax_.template_close(at + 1) + 1;
    code(at, after, inside);
    at = after;
  }
  const std::string type = result_type(found, at);
  const bool nothing = type == "void ";
  const std::string lanes = nothing ? "void" : "::cuemu::Lanes<" + type + ">";
  text((found.words.template_ ? " inline " : " [[maybe_unused]] static inline ") + lanes + " " + form_prefix +
       inside.function);
  code(found.name + 1, found.parameters, inside);  // the arguments of a specialisation
  second_form_parameters(found, inside);
  text(
      " { [[maybe_unused]] const ::uint3 blockIdx = cuemu_warp.block_index;"
      " [[maybe_unused]] const ::dim3 blockDim = cuemu_warp.block_dim, gridDim = cuemu_warp.grid_dim;"
      " [[maybe_unused]] constexpr int warpSize = ::cuemu::warp_size();");
  for (std::size_t v = 0; v < plan.variables.size(); ++v)
    if (plan.variables[v].local == nullptr && plan.variables[v].kind == KernelVariable::Kind::kept)
      text(" [[maybe_unused]] auto* const cuemu_keep_" + std::to_string(v) + " = cuemu_lanes_" +
           plan.variables[v].name + ".value;");
  if (!nothing) text(" " + lanes + " cuemu_result;");
  arrays_of(plan, plan.steps, inside);
  begin_backlogs(plan, plan.steps, inside);
  split_steps(plan, plan.steps, inside);
  run(plan, plan.backlogs_at_end, nullptr, inside);
  text(nothing ? " }" : " return cuemu_result; }");
  in_warps_ = false;
  out_.quiet_text(found.end - 1, out_.flat(stream_, out_.cut(from)));
}

/// Writes each parameter as an array with an element for each lane.
void Optimiser::second_form_parameters(const Declaration& found, Context& inside) {
  text("(const ::cuemu::WarpForm& cuemu_warp");
  const std::size_t close = syntax_.partner(found.parameters);
  for (std::size_t at = found.parameters + 1; at < close;) {
    std::size_t end = at, name = npos, value = npos;
    bool pointer = false;
    for (; end < close && !syntax_.is(end, ","); end = syntax_.after(end)) {
      if (syntax_.is(end, "=") && value == npos) value = end;
      if (value != npos) continue;
      if (syntax_.is(end, "<") && syntax_.template_close(end) < close) end = syntax_.template_close(end);
      pointer = pointer || syntax_.is(end, "*");
      if (syntax_.is_name(end) && !syntax_.is(end, "__restrict__") && !syntax_.is(end, "__restrict"))
        name = end;
    }
    if (name == npos) break;  // `(void)`
    // A parameter `const T*` takes a `T*` too, which the deduction of `Lanes<const T*>` would refuse. So T must
    // follow from another parameter.
    const bool converts = pointer && found.words.template_ && is_deduced_elsewhere(found, at, name);
    text(std::string(", ") + (converts ? "::cuemu::not_deduced<" : "") + "::cuemu::Lanes<");
    for (std::size_t i = at; i < name; ++i) {
      const bool dropped = syntax_.is(i, "__restrict__") || syntax_.is(i, "__restrict") ||
                           (syntax_.is(i, "const") && !pointer) ||
                           (syntax_.is(i, "const") && syntax_.is(i - 1, "*"));
      if (!dropped) code(i, i + 1, inside);
    }
    text(std::string(converts ? ">" : "") + "> cuemu_lanes_" + std::string(syntax_.at(name)));
    if (value != npos) code(value, end, inside);
    at = end + 1;
  }
  text(")");
}

/// Returns true if the parameter with the tokens at `begin` is a pointer to const, and another parameter
/// names its type.
bool Optimiser::is_deduced_elsewhere(const Declaration& found, std::size_t begin, std::size_t end) const {
  bool constant = false;
  for (std::size_t i = begin; i < end && !syntax_.is(i, "*"); ++i)
    constant = constant || syntax_.is(i, "const");
  const std::size_t close = syntax_.partner(found.parameters);
  for (std::size_t at = found.parameters + 1; constant && at < close;) {
    bool names_it = false, plain = at != begin;
    for (; at < close && !syntax_.is(at, ","); at = syntax_.after(at)) {
      plain = plain && !syntax_.is(at, "const");
      for (std::size_t i = begin; i < end; ++i)
        names_it = names_it || (syntax_.is_name(i) && syntax_.at(i) == syntax_.at(at));
    }
    if (plain && names_it) return true;
    ++at;
  }
  return false;
}

}  // namespace emucc::detail
