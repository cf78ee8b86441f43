// Decides how to write kernels and the functions that whole warps call.
#include "write/optimiser.hpp"

#include <utility>

#include "analyse/plain_loop.hpp"
#include "split/fission_dump.hpp"
#include "split/same_turns.hpp"

namespace emucc {

std::unique_ptr<KernelPass> make_optimiser(KernelWriter& writer) {
  return std::make_unique<detail::Optimiser>(writer);
}

namespace detail {

KernelPlan Optimiser::plan(const Declaration& kernel, const Context& context, bool plain) {
  inlined_dump_.clear();
  split_ = plan_kernel(kernel, context, &plan_fission);
  // A plain loop is as good, and the compiler knows more about its indices, unless a guard can be moved out
  // of the loop.
  const bool guarded = split_.steps.size() == 1 && split_.steps[0].guard.begin != split_.steps[0].guard.end;
  if (plain && !guarded) return {"it is a plain loop", "", ""};
  Declaration whole = kernel;
  same_ = {};
  same_.refusal = "it is not resumed";
  if (!split_.refusal.empty()) split_ = plan_inlined(whole, context, std::move(split_));
  if (!split_.refusal.empty()) {
    Fission resumed = plan_kernel(whole, context, &plan_resumption);
    if (resumed.refusal.empty()) {
      split_ = std::move(resumed);
      same_ = plan_same_turns(whole, context, split_);
    } else if (split_.refusal.compare(0, resumed.refusal.size(), resumed.refusal) != 0) {
      split_.refusal += "; nor resumed: " + facts_.explained(std::move(resumed.refusal));
    }
  }
  KernelPlan made;
  made.refusal = split_.refusal;
  made.dump = inlined_dump_;
  if (!made.refusal.empty()) return made;
  made.how = same_.refusal.empty()
                 ? "runs as loops over the threads of a block, from barrier to barrier, where all "
                   "take the same turns, else as one loop, each from the barrier where it stopped"
             : split_.barriers.empty()
                 ? "runs as loops over the threads of a block, from barrier to barrier"
                 : "runs as a loop over the threads of a block, each from the barrier where it stopped";
  if (options_.dump == "fission") made.dump += dump_fission(syntax_, same_.refusal.empty() ? same_ : split_);
  return made;
}

void Optimiser::write(Context& context) {
  if (same_.refusal.empty())
    either_body(same_, question_, split_, context);
  else if (split_.barriers.empty())
    split_body(split_, context);
  else
    resume_body(split_, context);
}

// ---- functions

void Optimiser::note_function(const Declaration& found, const Context& context) {
  const std::string name(syntax_.at(found.name));
  const bool known = core_.is_device_function(found) && !context.in_class && core_.namespace_shared().empty();
  facts_.note_function(found, known);
  Fission second = plan_second_form(found, context);
  if (!known) second.refusal = "it is no function of the device alone";
  if (is_independent_name(name) || is_meeting_name(name) || is_acting_name(name))
    second.refusal = "CUDA has a function of that name";  // CUDA's own function has no form for whole warps
  facts_.note_warp_form(name, second.refusal.empty());
  if (!facts_.has_warp_form(name) && second.refusal.empty())
    second.refusal = "another function of its name has no such form, or the name is brought elsewhere";
  functions_.emplace_back(found, std::move(second));
}

bool Optimiser::after_function(const Context& context) {
  const auto [found, second] = std::move(functions_.back());
  functions_.pop_back();
  if (!second.refusal.empty()) return false;
  second_form(found, second, context);
  return true;
}

std::size_t Optimiser::write_instead(std::size_t at) {
  for (const auto& [call, result] : calls_) {
    if (call->begin != at) continue;
    out_.replace(at, "::cuemu::of_lane(" + result + ", cuemu_lane)");
    return call->end;
  }
  if (written_ == nullptr || !is_block_only(at, *written_)) return npos;
  replace(at, "::cuemu::block_only::" + std::string(syntax_.at(at)));
  return at + 1;
}

// ---- plans

/// @param planner plan_fission() or plan_resumption()
Fission Optimiser::plan_kernel(const Declaration& found, const Context& inside, Planner planner) {
  Fission none;
  none.refusal = "it is not complete";
  if (found.parameters == npos || found.body == npos || syntax_.partner(found.parameters) == npos ||
      syntax_.partner(found.body) == npos || syntax_.partner(found.body) + 1 != found.end)
    return none;
  none.refusal = "it has a parameter of reference type";  // any thread may change the referenced object
  if (core_.has_references(found)) return none;
  none.refusal = "it has its own meaning for the name of a built-in variable";
  if (!inside.own.empty() || core_.hides_built_in(found.body + 1, found.end - 1)) return none;
  none.refusal = "it uses a __shared__ variable that is declared outside of it";
  for (const SharedName& shared : core_.namespace_shared())
    if (syntax_.mentions(found.body, found.end, shared.name)) return none;
  const auto constants = facts_.constants_of(found);
  const KnownNames names = facts_.names(constants);
  return planner(syntax_, found.parameters, found.body + 1, found.end - 1, names);
}

/// Plans a kernel that can't be split until the functions that it calls are inlined.
/// @param found becomes the copy with inlined functions
/// @param plan the plan without inlining
Fission Optimiser::plan_inlined(Declaration& found, const Context& inside, Fission plan) {
  if (inside.in_class) {
    plan.refusal = facts_.explained(std::move(plan.refusal));
    return plan;
  }
  for (const SharedName& shared : core_.namespace_shared())
    if (syntax_.mentions(found.body, found.end, shared.name)) return plan;
  const KnownNames names = facts_.names(facts_.constants());
  const InlinedKernel inlined =
      inline_calls(stream_, syntax_, found, inside.scope, facts_.functions(), facts_.namespaces(), names);
  if (!inlined.needed) {
    plan.refusal = facts_.explained(std::move(plan.refusal));
    return plan;
  }
  if (!inlined.refusal.empty()) {
    plan.refusal = facts_.explained(std::move(plan.refusal)) + "; and not inlined: " + inlined.refusal;
    return plan;
  }
  core_.note_added_tokens();
  if (options_.dump == "inline") inlined_dump_ = inlined_text(stream_, inlined.found);
  found = inlined.found;
  plan = plan_kernel(found, inside, &plan_fission);
  plan.refusal = facts_.explained(std::move(plan.refusal));
  return plan;
}

/// Plans the split of a kernel whose threads run equally many iterations (same_turns.hpp). `question_` checks
/// that they do.
Fission Optimiser::plan_same_turns(const Declaration& found, const Context& inside, const Fission& resumed) {
  Fission split;
  split.refusal =
      "a __shared__ variable has an alignment of its own";  // its type would have to be written twice
  for (const Statement& statement : resumed.statements)
    for (std::size_t i = statement.begin; statement.kind == Statement::Kind::shared && i < statement.end; ++i)
      if (syntax_.word(i) == Word::align || syntax_.word(i) == Word::class_key) return split;
  const auto constants = facts_.constants_of(found);
  SameTurns turns = find_same_turns(stream_, syntax_, found, resumed, facts_.names(constants));
  split.refusal = turns.refusal;
  if (!split.refusal.empty()) return split;
  core_.note_added_tokens();
  question_ = std::move(turns.question);
  return plan_kernel(turns.found, inside, &plan_fission);
}

Fission Optimiser::plan_second_form(const Declaration& found, const Context& context) {
  Fission none;
  none.refusal = "it is no plain function of the device";
  if (!found.words.device || found.words.extern_ || context.in_class || context.in_function ||
      found.parameters == npos || found.body == npos || syntax_.partner(found.parameters) == npos ||
      syntax_.partner(found.body) == npos || syntax_.partner(found.body) + 1 != found.end ||
      !syntax_.is_name(found.name) || syntax_.is(found.name - 1, "::") ||
      syntax_.partner(found.parameters) + 1 != found.body || result_type(found, found.begin).empty())
    return none;
  for (std::size_t i = found.parameters; i < found.end; ++i) {
    const Word word = syntax_.word(i);
    if (word == Word::shared || (i < found.body && syntax_.is(i, "["))) return none;
    if (word >= Word::thread_idx && word <= Word::warp_size && i < found.body) return none;
  }
  const auto constants = facts_.constants_of(found);
  const KnownNames names = facts_.names(constants);
  return plan_warp_function(syntax_, found.parameters, found.body + 1, found.end - 1, names);
}

}  // namespace detail
}  // namespace emucc
