#include "facts/warp_calls.hpp"

#include <algorithm>

#include "parse/functions.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// A CUDA function with its replacement and its arguments (`v` a value, `s` a setting).
struct KnownCall {
  std::string_view name;
  const char* exchange;
  std::string_view arguments;
  std::size_t least;  ///< the least number of arguments
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

/// Returns the called name if it is a warp function; else null.
const Expression* called_warp_function(const Syntax& syntax, const Expression& node,
                                       const KnownNames& names) {
  if (node.kind != ExpressionKind::call || node.part(0).kind != ExpressionKind::name) return nullptr;
  return is_warp_function(syntax, node.part(0).at, names) ? &node.part(0) : nullptr;
}

bool has_warp_call(const Syntax& syntax, const Expression& node, const KnownNames& names) {
  bool any = false;
  walk(node,
       [&](const Expression& part) { any = any || called_warp_function(syntax, part, names) != nullptr; });
  return any;
}

class WarpCallReader {
 public:
  WarpCallReader(const Syntax& syntax, const KnownNames& names, std::vector<WarpCall>& found)
      : syntax_(syntax), names_(names), found_(found) {}

  bool read(const Expression& node) {
    switch (node.kind) {
      case ExpressionKind::conditional:
        return false;  // operands after these may be skipped
      case ExpressionKind::binary:
        return node.op != "&&" && node.op != "||" && read_parts(node);
      case ExpressionKind::call:
        if (const Expression* const callee = called_warp_function(syntax_, node, names_))
          return add(node, *callee);
        return read_parts(node);
      case ExpressionKind::literal:
      case ExpressionKind::name:
      case ExpressionKind::this_:
      case ExpressionKind::parentheses:
      case ExpressionKind::member:
      case ExpressionKind::index:
      case ExpressionKind::unary:
      case ExpressionKind::assignment:
      case ExpressionKind::cast:
      case ExpressionKind::query:
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::list:
      case ExpressionKind::launch:
      case ExpressionKind::assembly:
        return read_parts(node);
      case ExpressionKind::lambda:
      case ExpressionKind::unknown:
        return false;
    }
    return false;
  }

 private:
  bool read_parts(const Expression& node) {
    return std::all_of(node.parts.begin(), node.parts.end(),
                       [&](const Expression* part) { return read(*part); });
  }

  bool add(const Expression& node, const Expression& callee) {
    const KnownCall* const known = known_call(syntax_.at(callee.at));
    if (known != nullptr && callee.type_end != 0) return false;  // such functions have no template arguments
    WarpCall call;
    call.begin = node.begin;
    call.end = node.end;
    call.name = callee.at;
    call.open = node.at;
    if (known != nullptr) call.exchange = known->exchange;
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
      const Expression& each = node.part(i);
      if (each.kind == ExpressionKind::unknown || has_warp_call(syntax_, each, names_)) return false;
      WarpCall::Argument argument;
      argument.begin = each.begin;
      argument.end = each.end;
      if (known != nullptr && i > known->arguments.size()) return false;
      if (known != nullptr && known->arguments[i - 1] == 's') argument.role = WarpCall::Role::setting;
      call.arguments.push_back(std::move(argument));
    }
    if (known != nullptr && call.arguments.size() < known->least) return false;
    found_.push_back(std::move(call));
    return true;
  }

  const Syntax& syntax_;
  const KnownNames& names_;
  std::vector<WarpCall>& found_;
};

}  // namespace

bool is_warp_function(const Syntax& syntax, std::size_t callee, const KnownNames& names) {
  const std::string_view name = syntax.at(callee);
  return known_call(name) != nullptr ? !may_be_own(syntax, callee)
                                     : names.warp_functions.count(std::string(name)) > 0;
}

bool has_own_warp_call(const Syntax& syntax, const Statement& statement, const KnownNames& names) {
  const std::vector<StatementPart> parts = parts_of(syntax, statement);
  return std::any_of(parts.begin(), parts.end(), [&](const StatementPart& part) {
    return has_warp_call(syntax, *part.expression, names);
  });
}

bool has_warp_call(const Syntax& syntax, const Statement& statement, const KnownNames& names) {
  return has_own_warp_call(syntax, statement, names) ||
         std::any_of(statement.children.begin(), statement.children.end(),
                     [&](const Statement& inner) { return has_warp_call(syntax, inner, names); });
}

bool is_warp_barrier(const Syntax& syntax, const Statement& statement) {
  if (statement.kind != Statement::Kind::expression) return false;
  const std::vector<StatementPart> parts = parts_of(syntax, statement);
  return parts.size() == 1 && parts[0].expression->kind == ExpressionKind::call &&
         parts[0].expression->part(0).kind == ExpressionKind::name &&
         syntax.is(parts[0].expression->part(0).begin, "__syncwarp") &&
         !may_be_own(syntax, parts[0].expression->part(0).begin);
}

bool read_warp_calls(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                     std::vector<WarpCall>& found) {
  WarpCallReader reader(syntax, names, found);
  const std::vector<StatementPart> parts = parts_of(syntax, statement);
  return std::all_of(parts.begin(), parts.end(),
                     [&](const StatementPart& part) { return reader.read(*part.expression); });
}

}  // namespace emucc
