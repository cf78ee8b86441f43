/// @file
/// Loop fission: cuts a kernel into phases at its barriers,
/// where every thread of the block is sure to come to every barrier.
///
/// A phase is then a loop over the threads of the block, and what stands between phases (loops and branches
/// that are the same for all threads) runs once for the block. No thread ever waits, and the compiler can
/// vectorise the phases. The order in which threads run is the one that fibers give: all threads, one after
/// another, from barrier to barrier. So where control flow parts what lies between the same two barriers (the
/// end of a loop's body, and its beginning up to the barrier there), and it would show which thread comes
/// first, the first part is not run where it stands, but deferred: fission_order.hpp.
///
/// Where threads meet in warp functions between two barriers, warps run that part one after another: a phase
/// there is a loop over the lanes of one warp, and what stands between phases runs once for the warp. So
/// control flow that whole warps share (`if (threadIdx.x < 32)`) is ordinary control flow.
///
/// Where the lanes of a warp part at an `if` around warp functions, each side is run with those that take it: its
/// phases leave the others out, and warp functions see them as absent. That is as good as lanes that go on by
/// themselves only where nobody waits for lanes on the other side (masks name none of them, or these come to no
/// other warp function and no barrier), and where nothing that either side does to memory can be told by the others
/// (fission_order.hpp).
///
/// All that is right only if control flow around barriers is the same for all threads of the block, and
/// around warp functions for all lanes of the warp, so this pass must prove it: conditions may depend on
/// kernel arguments, blockIdx, blockDim, gridDim, constants, the warp's number, and on variables that are
/// computed from these alone. They may also read `__shared__` variables that no thread writes between the
/// barriers before and behind.
///
/// Where it can't prove that, and warp functions are not what stands in the way, threads are resumed
/// (plan_resumption): the whole body is one loop over the threads, in which each runs from the barrier where it
/// stopped to the next one, whichever that is, as fibers would. Whatever is left runs on fibers.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyse/memory_effects.hpp"
#include "analyse/uniformity.hpp"
#include "analyse/warp_calls.hpp"

namespace emucc {

/// What the block does, one after the other.
struct FissionStep {
  enum class Kind {
    uniform,   ///< runs once: for the block, or within `warps` for the warp
    phase,     ///< a loop over the threads, or within `warps` over the lanes
    control,   ///< a branch or loop around phases
    warps,     ///< a loop over the warps; parts[0] is what each does
    exchange,  ///< a warp function that gives no lane a result
    barrier,   ///< nothing is left of it but the order of what stands around it
    scope,     ///< within `warps`: parts[0] is what `source` stands for, which may have been deferred
  } kind = Kind::phase;
  /// What runs once for the block, or controls phases. Of a declaration only the uniform names are meant
  /// here; the others are in a phase.
  const Statement* statement = nullptr;
  std::vector<const Statement*> leaves;  ///< of a phase
  std::vector<std::size_t> needs;        ///< of a phase: variables from before that it mentions
  std::vector<WarpCall> calls;           ///< of a phase: what its first leaf needs from the whole warp
  /// `if (i < n)` around all that the phase does, or `if (i >= n) return;` before it. Where it lets all
  /// threads of a row pass, the loop over them has no branch.
  struct Guard {
    std::size_t begin = 0, end = 0;  ///< the condition; empty: there is none
    bool returns = false;            ///< it is the one under which a thread returns
    std::vector<std::size_t> needs;  ///< variables that it is computed from
    /// `if (threadIdx.x == x && …)`: what `x` is, the same for all threads. Empty: nothing is known.
    std::size_t x_begin = 0, x_end = 0;
  } guard;
  bool asks_index = false;  ///< something in the phase asks for threadIdx by a function
  bool of_warp = false;     ///< of control: its condition follows from the warp's number, with `needs`
  bool masked = false;      ///< of control: lanes of a warp may take it apart; so with `needs` too
  std::vector<std::vector<FissionStep>> parts;  ///< of a control statement: its branches, its body

  /// Of what runs once for the block: what it reads for all threads.
  std::vector<OnceRead> once_reads;

  // ---- the order of threads: fission_order.hpp
  Effects effects, follows;  ///< what it does to memory, and what may come until the next barrier
  Effects once;              ///< what `once_reads` do
  bool deferred = false;     ///< of a phase or of `warps`: it runs where the threads come to what follows
  bool interchanged =
      false;  ///< of a phase that is one loop: all threads take one turn of it, then the next one
  std::size_t number = 0;           ///< of a deferred step: of its copies
  std::vector<std::size_t> copies;  ///< of a deferred step: uniform variables that may be others when it runs
  /// Which of Fission::backlogs there may be where the step stands; of a phase with calls behind these.
  std::set<std::size_t> backlogs;
  std::set<std::size_t> backlogs_at_calls;  ///< of a phase with calls, or an exchange
  std::size_t merged = Syntax::npos;        ///< the argument of its call with which the backlog runs
  std::set<std::size_t> backlogs_at_end;    ///< of `warps`
  const FissionStep* source = nullptr;      ///< of a scope
};

/// Deferred steps that each thread has yet to run, one after the other.
using Backlog = std::vector<const FissionStep*>;

/// Of the backlogs that there may be at a place: there is none.
inline bool nothing_is_due(const std::set<std::size_t>& backlogs) {
  return backlogs.empty() || backlogs == std::set<std::size_t>{0};
}

struct Fission {
  std::string refusal;  ///< why the kernel is left to fibers; empty: it is split
  std::vector<Statement> statements;
  std::vector<KernelVariable> variables;
  std::vector<FissionStep> steps;
  std::vector<Backlog> backlogs{Backlog{}};  ///< all that there may be; the first is empty
  std::set<std::size_t> backlogs_at_end;     ///< those that there may be at the end
  bool backlogs_vary = false;                ///< which one there is must be noted while the kernel runs
  /// What runs at once where a backlog holds stretches of warps, with the step behind it or null: again a stretch
  /// of warps.
  std::map<std::pair<std::size_t, const FissionStep*>, FissionStep> joined;
  std::set<std::size_t> early;  ///< kept variables whose arrays are made at the kernel's beginning
  bool whole_rows = false;      ///< right only where rows of a block are whole warps, or it has one row
  bool returns = false;         ///< threads may return while others go on
  bool asks_alive = false;      ///< loops end when all threads have returned, whatever their conditions say
  bool warp_function = false;   ///< no kernel, but a function that a whole warp calls

  // ---- a kernel whose threads are resumed; it has no steps
  std::vector<const Statement*> barriers;      ///< in their order; empty: threads are not resumed
  std::set<const Statement*> around_barriers;  ///< the statements that they stand in
  std::map<std::size_t, std::size_t>
      same_array;               ///< kept variables that have that of another one of their name
  std::set<std::size_t> votes;  ///< variables in which a barrier counts (`__syncthreads_or` and its like)
  bool asks_index = false;      ///< something in it asks for threadIdx by a function

  /// The variable that this declarator declares.
  std::size_t variable(const LocalName& name) const;
  /// The backlog that there is when `phase` is added to backlog `before`.
  std::size_t longer(std::size_t before, const FissionStep& phase) const;
};

/// @param parameters the `(` of the kernel's parameters
/// @param begin, end the body, without its braces
Fission plan_fission(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                     const KnownNames& names);

/// The same for a kernel whose control flow around barriers may differ between threads.
Fission plan_resumption(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                        const KnownNames& names);

/// The same for a device function that all lanes of a warp call together, with arguments of their own. It is
/// refused when it contains no warp function.
Fission plan_warp_function(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                           const KnownNames& names);

}  // namespace emucc
