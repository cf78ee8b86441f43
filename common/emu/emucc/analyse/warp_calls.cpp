#include "analyse/warp_calls.hpp"

#include <algorithm>

namespace emucc {
namespace {

/// A function of CUDA's: what stands for it, and its arguments (`v` a value, `s` a setting).
struct KnownCall {
  std::string_view name;
  const char* exchange;
  std::string_view arguments;
  std::size_t least;  ///< arguments that must be there
};

constexpr KnownCall known_calls[] = {
    {"__shfl_sync", "warp_shuffle<::cuemu::Collective::shuffle>", "svss", 3},
    {"__shfl_up_sync", "warp_shuffle<::cuemu::Collective::shuffle_up>", "svss", 3},
    {"__shfl_down_sync", "warp_shuffle<::cuemu::Collective::shuffle_down>", "svss", 3},
    {"__shfl_xor_sync", "warp_shuffle<::cuemu::Collective::shuffle_xor>", "svss", 3},
    {"__ballot_sync", "warp_vote<::cuemu::Collective::ballot>", "sv", 2},
    {"__any_sync", "warp_vote<::cuemu::Collective::any>", "sv", 2},
    {"__all_sync", "warp_vote<::cuemu::Collective::all>", "sv", 2},
    {"__uni_sync", "warp_vote<::cuemu::Collective::uni>", "sv", 2},
    {"__match_any_sync", "warp_match_any", "sv", 2},
    {"__reduce_add_sync", "warp_reduce<::cuemu::Collective::reduce_add>", "sv", 2},
    {"__reduce_min_sync", "warp_reduce<::cuemu::Collective::reduce_min>", "sv", 2},
    {"__reduce_max_sync", "warp_reduce<::cuemu::Collective::reduce_max>", "sv", 2},
    {"__reduce_and_sync", "warp_reduce<::cuemu::Collective::reduce_and>", "sv", 2},
    {"__reduce_or_sync", "warp_reduce<::cuemu::Collective::reduce_or>", "sv", 2},
    {"__reduce_xor_sync", "warp_reduce<::cuemu::Collective::reduce_xor>", "sv", 2},
    {"__syncwarp", "warp_sync", "s", 0},
    {"cuemu_tile_reduce", "warp_tile_reduce", "svs", 3},  // of inline_groups.cpp
};

const KnownCall* known_call(std::string_view name) {
  for (const KnownCall& each : known_calls)
    if (each.name == name) return &each;
  return nullptr;
}

bool is_warp_call(const Syntax& syntax, std::size_t at, const KnownNames& names) {
  if (!syntax.is_identifier(at) || syntax.is(at - 1, ".") || syntax.is(at - 1, "->")) return false;
  return is_warp_function(syntax.at(at), names) && syntax.call_open(at) != npos;
}

bool read_arguments(const Syntax& syntax, WarpCall& call, const KnownCall* known) {
  const std::size_t close = syntax.partner(call.open);
  if (close == npos) return false;
  call.end = close + 1;
  for (const auto& [begin, end] : syntax.arguments(call.open, close)) {
    if (begin == end) return false;
    WarpCall::Argument argument;
    argument.begin = begin;
    argument.end = end;
    if (known != nullptr) {
      if (call.arguments.size() >= known->arguments.size()) return false;
      if (known->arguments[call.arguments.size()] == 's') argument.role = WarpCall::Role::setting;
    }
    call.arguments.push_back(std::move(argument));
  }
  return known == nullptr || call.arguments.size() >= known->least;
}

}  // namespace

bool is_warp_function(std::string_view name, const KnownNames& names) {
  return known_call(name) != nullptr || names.warp_functions.count(std::string(name)) > 0;
}

bool has_warp_call(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names) {
  for (std::size_t i = begin; i < end; ++i)
    if (is_warp_call(syntax, i, names)) return true;
  return false;
}

bool is_warp_barrier(const Syntax& syntax, const Statement& statement) {
  const std::size_t at = statement.head;
  return statement.kind == Statement::Kind::expression && syntax.is(at, "__syncwarp") &&
         syntax.is(at + 1, "(") && syntax.after(at + 1) + 1 == statement.end;
}

bool read_warp_calls(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                     std::vector<WarpCall>& found) {
  for (std::size_t i = begin; i < end;) {
    // What stands behind these may be left out.
    if (syntax.is(i, "?") || syntax.is(i, "&&") || syntax.is(i, "||") || syntax.is(i, "and") ||
        syntax.is(i, "or"))
      return false;
    if (!is_warp_call(syntax, i, names)) {
      ++i;
      continue;
    }
    WarpCall call;
    call.begin = call.name = i;
    while (call.begin > begin && syntax.is(call.begin - 1, "::"))
      call.begin -= call.begin > begin + 1 && syntax.is_name(call.begin - 2) ? 2 : 1;
    call.open = syntax.call_open(i);
    const KnownCall* const known = known_call(syntax.at(i));
    if (known != nullptr) call.exchange = known->exchange;
    if ((known != nullptr && call.open != i + 1) || !read_arguments(syntax, call, known)) return false;
    if (call.end > end || has_warp_call(syntax, call.open + 1, call.end - 1, names)) return false;
    i = call.end;
    found.push_back(std::move(call));
  }
  return true;
}

}  // namespace emucc
