/// @file
/// Which code may run as part of a loop over the threads of a block: code that never waits for other threads.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "parse/statements.hpp"

namespace emucc {

struct Class;
class FunctionObjects;

/// What is known about names outside of the code that is looked at.
struct KnownNames {
  const std::unordered_set<std::string>& plain_functions;        ///< see plain_loop.hpp
  const std::unordered_set<std::string>& nonblocking_functions;  ///< see unsteady_reason
  const std::unordered_set<std::string>& device_variables;       ///< memory that threads may write
  const std::unordered_set<std::string>&
      warp_functions;  ///< they have a form for whole warps: warp_calls.hpp
  const std::unordered_map<std::string, long long>& constants;  ///< of namespaces, whose value is known
  const std::unordered_set<std::string>& silent_functions;      ///< they touch no memory: memory_effects.hpp
  /// Of functions of the user's: which of their parameters may be references to what they change, the first in the
  /// lowest bit. Of one
  /// that is not here all may be.
  const std::unordered_map<std::string, std::uint64_t>& reference_parameters;
  /// Null: nothing is known of objects that are called like functions.
  const FunctionObjects* function_objects = nullptr;
};

/// \name What CUDA's functions do besides computing, by their names
/// A program may have functions of these names as well. What is told of those in `KnownNames` would be said of CUDA's too.
/// @{
/// Threads wait for each other in it.
bool is_meeting_name(std::string_view name);
/// It changes or prints what others see, though it waits for nobody.
bool is_acting_name(std::string_view name);
/// @}

/// Is the call of what is named at `callee` CUDA's `printf`, or what `assert` calls?
bool is_output(const Syntax& syntax, std::size_t callee);

struct BlockingAnalysis {
  bool nonblocking = false;  ///< it never waits for another thread
  bool asks_index = false;   ///< something in it asks the runtime which thread calls: printf, a function
  std::string reason;        ///< why it is not nonblocking
};

/// Names of lambdas that wait for nobody, and whether one of that name asks the runtime which thread calls it.
using NonblockingLambdas = std::unordered_map<std::string, bool>;

/// The lambdas of the statements to which that applies, with those inside; none where of two of one name it applies to
/// one alone.
NonblockingLambdas find_nonblocking_lambdas(const Syntax& syntax, const std::vector<Statement>& statements,
                                            const KnownNames& names,
                                            const std::unordered_set<std::string>& groups);

/// Looks at one statement of a kernel or a device function. It may print, assert and use atomics, but must
/// not loop until an atomic says that another thread is done.
/// @param groups names of variables that stand for the whole thread block (cooperative groups)
/// @param allowed tokens of names whose calls are somebody else's business
/// @param lambdas those that are declared before it
BlockingAnalysis analyse_blocking(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                                  const std::unordered_set<std::string>& groups = {},
                                  const std::unordered_set<std::size_t>& allowed = {},
                                  const NonblockingLambdas& lambdas = {});

/// Why a device function is not nonblocking as a whole; empty: it is.
/// @param inside the class that it is a member of
std::string unsteady_reason(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                            const Class* inside = nullptr);

}  // namespace emucc
