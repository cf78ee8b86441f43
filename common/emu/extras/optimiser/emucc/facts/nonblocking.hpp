/// @file
/// Finds code that never waits for other threads, so that it may run in a loop over the threads of a block.
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

/// The facts about names that are declared outside the examined code.
struct KnownNames {
  const std::unordered_set<std::string>& plain_functions;        ///< see plain_loop.hpp
  const std::unordered_set<std::string>& nonblocking_functions;  ///< see blocking_reason
  const std::unordered_set<std::string>& device_variables;       ///< memory that threads may write
  const std::unordered_set<std::string>&
      warp_functions;  ///< functions with a form for whole warps: see warp_calls.hpp
  const std::unordered_map<std::string, long long>& constants;  ///< constants of namespaces with known values
  const std::unordered_set<std::string>& confined_functions;    ///< see is_confined_function
  /// Has an entry for some of the user's functions: the parameters that may be references to objects that the
  /// function changes, the first parameter in the lowest bit. A function without an entry may change any
  /// argument.
  const std::unordered_map<std::string, std::uint64_t>& reference_parameters;
  /// If null, nothing is known about objects that are called like functions.
  const FunctionObjects* function_objects = nullptr;
};

/// Returns true if the call at `callee` is CUDA's `printf`, or the function that `assert` calls.
bool is_output(const Syntax& syntax, std::size_t callee);

struct BlockingAnalysis {
  bool nonblocking = false;  ///< the code never waits for another thread
  bool reads_index = false;  ///< the code reads the thread's index from the runtime, as printf does
  std::string reason;        ///< the reason why the code may block
};

/// The names of lambdas that never wait, and for each name whether a lambda reads the thread's index from the
/// runtime.
using NonblockingLambdas = std::unordered_map<std::string, bool>;

/// Finds the lambdas in the statements and nested statements that never wait. If two lambdas have one name,
/// both must qualify.
NonblockingLambdas find_nonblocking_lambdas(const Syntax& syntax, const std::vector<Statement>& statements,
                                            const KnownNames& names,
                                            const std::unordered_set<std::string>& groups);

/// Examines one statement of a kernel or a device function. The statement may print, assert and use atomics.
/// It must not repeat a loop until an atomic shows that another thread has finished.
/// @param groups names of variables that represent the whole thread block (cooperative groups)
/// @param allowed the tokens of names whose calls the caller handles
/// @param lambdas lambdas declared before the statement
BlockingAnalysis analyse_blocking(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                                  const std::unordered_set<std::string>& groups = {},
                                  const std::unordered_set<std::size_t>& allowed = {},
                                  const NonblockingLambdas& lambdas = {});

/// Returns the reason why a device function may block; empty if the whole function is nonblocking.
/// @param inside the class that the function is a member of
std::string blocking_reason(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                            const Class* inside = nullptr);

}  // namespace emucc
