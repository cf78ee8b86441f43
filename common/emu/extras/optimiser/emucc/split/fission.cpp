// Analyses a kernel in rounds. Uniform values decide which branches run once for the block. Those branches
// contain variables too, so the analysis is repeated until it finds nothing new.
#include "split/fission.hpp"

#include <algorithm>
#include <utility>

#include "split/fission_detail.hpp"
#include "split/fission_order.hpp"
#include "split/loop_interchange.hpp"

namespace emucc {
namespace detail {

/// Reads the kernel's body. Returns false if it can't be read.
bool FissionPlanner::read_body() {
  if (!read_statements(syntax_, begin_, end_, found_.statements)) {
    refuse("it has statements of a kind that are not split");
    return false;
  }
  for (std::size_t i = parameters_; i < end_; ++i)
    if (is(i, "volatile")) refuse("it watches 'volatile' memory");
  return true;
}

Fission FissionPlanner::plan() {
  if (!read_body()) return std::move(found_);
  bool warp_calls = false;
  for (const Statement& statement : found_.statements) {
    find_groups(statement);
    if (mark_barriers(statement) && found_.warp_function) refuse("it waits for the whole block");
    warp_calls = mark_warps(statement) || warp_calls;
  }
  lambdas_ = find_nonblocking_lambdas(syntax_, found_.statements, names_, groups_);
  if (found_.warp_function && !warp_calls) refuse("it has no warp function");
  if (!found_.warp_function) find_roots(found_.statements);
  if (!refused()) split();
  return std::move(found_);
}

void FissionPlanner::start_again() {
  found_.steps.clear();
  found_.backlogs = {Backlog{}};
  found_.joined.clear();
  found_.asks_alive = false;
}

/// Prepares another way to plan a refused kernel: with fewer reads that are made once for all threads, or
/// with more of them if a condition around a barrier depends on such reads. Tries conditions that read memory
/// other than shared memory last, since most kernels don't need them.
bool FissionPlanner::try_otherwise() {
  if (differs_)
    branches_run_once_ = true;
  else if (once_ == Once::shared && !condition_differs_ && has_once_reads(found_.steps))
    once_ = Once::nothing;
  else if (once_ != Once::memory && condition_differs_)
    once_ = Once::memory, branches_run_once_ = false;
  else
    return false;
  found_.refusal.clear();
  differs_ = condition_differs_ = false;
  return true;
}

/// Finds loops that become separate phases. A loop keeps the order of its threads if others could observe its
/// effects before the next barrier, or if code before the loop would run after it.
/// @return true if the steps must be made again
bool FissionPlanner::find_interchanges(const Uniformity& facts, const MemoryEffects& memory, Steps& steps) {
  bool changed = false;
  for (FissionStep& step : steps) {
    const bool in_order = step.deferred || !nothing_is_due(step.backlogs);
    for (const Statement* const leaf : step.leaves) {
      if (step.interchanged && in_order)
        changed = interchanged_.erase(leaf) > 0 && in_order_.insert(leaf).second;
      else if (step.calls.empty() && in_order_.count(leaf) == 0 && interchanged_.count(leaf) == 0 &&
               may_interchange(syntax_, facts, memory, *leaf))
        changed = interchanged_.insert(leaf).second;
    }
    for (auto& part : step.parts) changed = find_interchanges(facts, memory, part) || changed;
  }
  return changed;
}

void FissionPlanner::split() {
  const std::set<const Statement*> control = control_;  // all other findings follow from uniform values
  const auto forget_what_follows = [&] {
    control_ = control;
    branches_.clear();
    divided_.clear();
  };
  bool votes = false;
  for (std::size_t i = begin_; i < end_; ++i) votes = votes || is(i, "cuemu_votes");
  std::string first_refusal;
  for (bool again = true; again;) {
    again = false;
    Uniformity facts(syntax_, begin_, end_, names_);
    facts.set_unsteady(unsteady_);
    facts.set_once(once_);
    collect(facts, again);
    if (again && !refused()) continue;
    in_warps_ = found_.warp_function;
    if (!refused()) make_steps(found_.statements, facts, found_.steps, nullptr);
    if (masked_anew_ && !refused()) {  // masked branches change the variables around them
      masked_anew_ = false;
      start_again();
      again = true;
      continue;
    }
    while (!found_.steps.empty() && found_.steps.back().kind == FissionStep::Kind::barrier)
      found_.steps.pop_back();  // no step follows it
    if (!refused()) classify(facts);
    find_once_reads(facts, found_.steps);
    if (!refused()) {
      const MemoryEffects memory(syntax_, facts, names_, begin_, end_);
      PhaseOrder order = order_phases(syntax_, names_, facts, memory, end_, found_);
      const std::size_t known = unsteady_.size();
      unsteady_.insert(order.unsteady.begin(), order.unsteady.end());
      const bool cut = order.cut != nullptr && cuts_.insert(order.cut).second;
      if (unsteady_.size() > known || cut) {
        if (unsteady_.size() > known) forget_what_follows();
        start_again();
        again = true;
        continue;
      }
      refuse(std::move(order.refusal));
      if (!refused() && find_interchanges(facts, memory, found_.steps)) {
        start_again();
        again = true;
        continue;
      }
    }
    if (refused() && !interchanged_.empty()) {  // the kernel was not refused before
      in_order_.merge(interchanged_);
      interchanged_.clear();
      found_.refusal.clear();
      start_again();
      again = true;
      continue;
    }
    if (refused() && first_refusal.empty()) first_refusal = found_.refusal;
    if (refused() && try_otherwise()) {
      forget_what_follows();
      start_again();
      again = true;
      continue;
    }
    // In the last phase a thread that returns leaves no state that other threads need.
    const bool last_is_phase = !found_.steps.empty() && found_.steps.back().kind == FissionStep::Kind::phase;
    for (std::size_t i = 0; i + (last_is_phase ? 1 : 0) < found_.steps.size(); ++i)
      found_.returns = found_.returns || returns_in(found_.steps[i]);
    found_.asks_alive = found_.asks_alive || votes || has_once_reads(found_.steps);
    found_.variables = std::move(facts.variables());
  }
  if (refused() && !first_refusal.empty()) found_.refusal = first_refusal;
}

}  // namespace detail

std::size_t Fission::variable(const LocalName& name) const {
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (variables[v].local == &name) return v;
  return Syntax::npos;
}

std::size_t Fission::longer(std::size_t before, const FissionStep& phase) const {
  Backlog all = backlogs[before];
  all.push_back(&phase);
  return static_cast<std::size_t>(std::find(backlogs.begin(), backlogs.end(), all) - backlogs.begin());
}

Fission plan_fission(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                     const KnownNames& names) {
  return detail::FissionPlanner(syntax, parameters, begin, end, names, false).plan();
}

Fission plan_resumption(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                        const KnownNames& names) {
  return detail::FissionPlanner(syntax, parameters, begin, end, names, false).resume();
}

Fission plan_warp_function(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                           const KnownNames& names) {
  return detail::FissionPlanner(syntax, parameters, begin, end, names, true).plan();
}

}  // namespace emucc
