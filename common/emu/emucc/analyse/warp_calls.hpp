/// @file
/// Calls that all lanes of a warp make together: shuffles, votes, reductions, and functions of the user's
/// that are made of them.
///
/// Where a whole warp is sure to come to such a call, it needs no thread that waits: the operands of all
/// lanes are computed first, the exchange is one function on arrays (cuemu/warp_form.hpp), and each lane goes
/// on with its element of the result.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analyse/nonblocking.hpp"

namespace emucc {

struct WarpCall {
  /// What one of its arguments is to the exchange.
  enum class Role {
    value,    ///< each lane's own: an array
    setting,  ///< mask, lane, distance, width: one value where it is the same for all lanes
  };
  struct Argument {
    std::size_t begin = 0, end = 0;
    Role role = Role::value;
    bool uniform = false;            ///< a setting that all lanes agree on
    bool asks_index = false;         ///< something in it asks the runtime which thread calls
    std::vector<std::size_t> needs;  ///< variables from before that it mentions
  };
  std::size_t begin = 0, end = 0;  ///< the call: with the qualifier of its name, and its `)`
  std::size_t name = 0;
  std::size_t open = 0;            ///< its `(`
  const char* exchange = nullptr;  ///< what stands for it (cuemu/warp_form.hpp); null: a user's function
  std::vector<Argument> arguments;
};

/// Is it the name of one? They take their arguments by value.
bool is_warp_function(const Syntax& syntax, std::size_t callee, const KnownNames& names);

/// Does the statement, or one inside of it, call one?
bool has_warp_call(const Syntax& syntax, const Statement& statement, const KnownNames& names);
/// Does it itself: its value, its header?
bool has_own_warp_call(const Syntax& syntax, const Statement& statement, const KnownNames& names);

/// Is the statement `__syncwarp();`, or the same with a mask?
bool is_warp_barrier(const Syntax& syntax, const Statement& statement);

/// Reads the calls of a statement's own expressions. False where one might not be executed (`a ? f(x) : 0`),
/// stands within another, or is called in an unknown way.
bool read_warp_calls(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                     std::vector<WarpCall>& found);

}  // namespace emucc
