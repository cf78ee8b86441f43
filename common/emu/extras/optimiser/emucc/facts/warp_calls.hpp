/// @file
/// Reads calls that all lanes of a warp make together: shuffles, votes, reductions, and user functions that
/// contain such calls.
///
/// If a whole warp certainly reaches such a call, no thread has to wait. The operands of all lanes are computed
/// first. The exchange is one function on arrays (cuemu/warp_form.hpp). Each lane continues with its element of the
/// result.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "facts/nonblocking.hpp"

namespace emucc {

struct WarpCall {
  /// The role of an argument in the exchange.
  enum class Role {
    value,    ///< separate for each lane: an array
    setting,  ///< mask, lane, distance, width: one value if the setting is uniform for the warp
  };
  struct Argument {
    std::size_t begin = 0, end = 0;
    Role role = Role::value;
    bool uniform = false;            ///< the argument is a setting that is uniform for the warp
    bool reads_index = false;        ///< the argument reads the thread's index from the runtime
    std::vector<std::size_t> needs;  ///< variables from earlier steps that the argument mentions
  };
  std::size_t begin = 0, end = 0;  ///< the call, including the qualifier of its name and its `)`
  std::size_t name = 0;
  std::size_t open = 0;            ///< its `(`
  const char* exchange = nullptr;  ///< its replacement (cuemu/warp_form.hpp); null: a user's function
  std::vector<Argument> arguments;
};

/// Returns true if the name is a warp function. These functions take their arguments by value.
bool is_warp_function(const Syntax& syntax, std::size_t callee, const KnownNames& names);

/// Returns true if the statement or a nested statement calls a warp function.
bool has_warp_call(const Syntax& syntax, const Statement& statement, const KnownNames& names);
/// Returns true if the statement's own expressions, its value or its header, call a warp function.
bool has_own_warp_call(const Syntax& syntax, const Statement& statement, const KnownNames& names);

/// Returns true if the statement is `__syncwarp();`, with or without a mask.
bool is_warp_barrier(const Syntax& syntax, const Statement& statement);

/// Reads the calls in a statement's own expressions. Returns false if a call might not be executed (`a ? f(x)
/// : 0`), is nested in another call, or has an unknown form.
bool read_warp_calls(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                     std::vector<WarpCall>& found);

}  // namespace emucc
