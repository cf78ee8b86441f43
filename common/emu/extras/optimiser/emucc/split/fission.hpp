/// @file
/// Loop fission: cuts a kernel into phases at its barriers, where every thread of the block reaches every barrier.
///
/// A phase is a loop over the threads of the block. The code between phases (loops and branches that are uniform for
/// the block) runs once for the block. No thread ever waits, and the compiler can vectorise the phases.
///
/// Threads run in the same order as with fibers: one after another, from barrier to barrier. Control flow may
/// divide the code between two barriers into parts: for example, the end of a loop's body and its beginning
/// up to the barrier belong together. If the order of threads would then be visible, the first part is
/// deferred: fission_order.hpp.
///
/// If warp functions occur between two barriers, the warps run the code between these barriers one after
/// another. A phase there is a loop over the lanes of one warp, and the code between phases runs once for the
/// warp. So control flow that is uniform for each warp (`if (threadIdx.x < 32)`) is ordinary control flow.
///
/// If lanes of a warp diverge at an `if` around warp functions, each side runs with the lanes that take it: its
/// phases skip the other lanes, and warp functions treat the other lanes as absent. The result equals that of
/// independent lanes only under two conditions. First, no lane waits for lanes on the other side: masks don't name
/// those lanes, or the lanes reach no other warp function and no barrier. Second, neither side changes memory in a
/// way that the other lanes can observe (fission_order.hpp).
///
/// All this is correct only if control flow is uniform for the block around barriers, and uniform for the warp around
/// warp functions. This pass must prove that. Conditions may depend on kernel arguments, blockIdx, blockDim, gridDim,
/// constants, the warp's number, and on variables computed from these alone. They may also read `__shared__`
/// variables that no thread writes between the previous barrier and the next one.
///
/// If the proof fails for a kernel without warp functions, threads are resumed (plan_resumption): the whole
/// body is one loop over the threads. Each thread runs from the barrier where it stopped to the next barrier
/// that it reaches, as with fibers. All other kernels run on fibers.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "facts/memory_effects.hpp"
#include "facts/uniformity.hpp"
#include "facts/warp_calls.hpp"

namespace emucc {

/// A step of the block. The steps run one after another.
struct FissionStep {
  enum class Kind {
    uniform,   ///< runs once: for the block, or within `warps` for the warp
    phase,     ///< a loop over the threads, or within `warps` over the lanes
    control,   ///< a branch or loop around phases
    warps,     ///< a loop over the warps; parts[0] is one warp's part
    exchange,  ///< a call of a warp function that returns nothing
    barrier,   ///< has no code, but separates the steps before it from the steps after it
    scope,     ///< within `warps`: parts[0] replaces `source`, which may have been deferred
  } kind = Kind::phase;
  /// The code that runs once for the block, or that controls phases. For a declaration, this step declares only the
  /// uniform names; the other names are in a phase.
  const Statement* statement = nullptr;
  std::vector<const Statement*> leaves;  ///< for a phase: its statements
  std::vector<std::size_t> needs;        ///< for a phase: variables from earlier steps that it mentions
  std::vector<WarpCall> calls;  ///< for a phase: the values that its first leaf needs from the whole warp
  /// The condition in `if (i < n)` around the phase's whole body, or in `if (i >= n) return;` before it. If all
  /// threads of a row pass the condition, the loop over them has no branch.
  struct Guard {
    std::size_t begin = 0, end = 0;  ///< the condition; empty if there is none
    bool returns = false;            ///< the condition is the one under which a thread returns
    std::vector<std::size_t> needs;  ///< variables that it is computed from
    /// The expression `x` in `if (threadIdx.x == x && …)`, which is uniform for the block. Empty if the condition has
    /// another form.
    std::size_t x_begin = 0, x_end = 0;
  } guard;
  bool reads_index = false;  ///< the phase reads threadIdx by a function call
  bool of_warp = false;      ///< for control: its condition follows from the warp's number and `needs`
  bool masked = false;       ///< for control: lanes of a warp may diverge at it; uses `needs` too
  std::vector<std::vector<FissionStep>> parts;  ///< for a control statement: its branches, or its body

  /// In a step that runs once for the block: the reads on behalf of all threads.
  std::vector<OnceRead> once_reads;

  // ---- the order of threads: fission_order.hpp
  Effects effects, follows;  ///< on memory: its own, and those possible before the next barrier
  Effects once;              ///< the effects of `once_reads`
  bool deferred = false;     ///< for a phase or `warps`: it runs together with a later step
  bool interchanged =
      false;               ///< for a phase that is one loop: all threads run an iteration, then the next one
  std::size_t number = 0;  ///< for a deferred step: the number in the names of its copies
  std::vector<std::size_t>
      copies;  ///< for a deferred step: uniform variables that may have changed when it runs
  /// The Fission::backlogs that are possible where the step begins; for a phase with calls, after these calls.
  std::set<std::size_t> backlogs;
  std::set<std::size_t> backlogs_at_calls;  ///< for a phase with calls, or an exchange
  std::size_t merged = Syntax::npos;        ///< the index of the call's argument with which the backlog runs
  std::set<std::size_t> backlogs_at_end;    ///< for `warps`
  const FissionStep* source = nullptr;      ///< for a scope
};

/// Deferred steps that each thread has yet to run, in their order.
using Backlog = std::vector<const FissionStep*>;

/// Returns true if no step is due at a place with these possible backlogs.
inline bool nothing_is_due(const std::set<std::size_t>& backlogs) {
  return backlogs.empty() || backlogs == std::set<std::size_t>{0};
}

struct Fission {
  std::string refusal;  ///< the reason why fibers run the kernel; empty: it is split
  std::vector<Statement> statements;
  std::vector<KernelVariable> variables;
  std::vector<FissionStep> steps;
  std::vector<Backlog> backlogs{Backlog{}};  ///< all possible backlogs; the first is empty
  std::set<std::size_t> backlogs_at_end;     ///< the possible backlogs at the end
  bool backlogs_vary = false;                ///< the current backlog must be recorded while the kernel runs
  /// For a backlog that contains warp stretches, and the step after it (or null): one stretch that runs all
  /// of these.
  std::map<std::pair<std::size_t, const FissionStep*>, FissionStep> joined;
  std::set<std::size_t> early;  ///< kept variables whose arrays are made at the kernel's beginning
  bool whole_rows = false;      ///< correct only if rows of a block are whole warps, or there is one row
  bool returns = false;         ///< threads may return while others continue
  bool asks_alive = false;      ///< loops end when all threads have returned, whatever their conditions are
  bool warp_function = false;   ///< a function that a whole warp calls, not a kernel

  // ---- a kernel whose threads are resumed; it has no steps
  std::vector<const Statement*> barriers;      ///< barriers in their order; empty: threads are not resumed
  std::set<const Statement*> around_barriers;  ///< the statements that contain the barriers
  std::map<std::size_t, std::size_t>
      same_array;               ///< kept variables that share the array of another one with their name
  std::set<std::size_t> votes;  ///< variables in which a barrier counts (`__syncthreads_or`, …)
  bool reads_index = false;     ///< the kernel reads threadIdx by a function call

  /// Returns the variable that this declarator introduces.
  std::size_t variable(const LocalName& name) const;
  /// Returns the backlog `before` with `phase` added.
  std::size_t longer(std::size_t before, const FissionStep& phase) const;
};

/// @param parameters the `(` of the kernel's parameters
/// @param begin, end the body, without its braces
Fission plan_fission(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                     const KnownNames& names);

/// Plans a kernel whose control flow around barriers may differ between threads.
Fission plan_resumption(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                        const KnownNames& names);

/// Plans a device function that all lanes of a warp call together, each lane with its own arguments. A function
/// without warp functions is refused.
Fission plan_warp_function(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                           const KnownNames& names);

}  // namespace emucc
