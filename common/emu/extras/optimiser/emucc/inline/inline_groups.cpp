// Handles cooperative groups: finds the variables that are groups, and replaces group operations by functions
// that the splitter knows.
#include <cstdlib>

#include "facts/warp_uniformity.hpp"
#include "inline/inline_detail.hpp"

namespace emucc::detail {

// ---- group variables

bool CallInliner::group(const Statement& statement, Frame& frame) {
  if (statement.names.size() != 1 || statement.names[0].initialiser == npos) return false;
  const LocalName& name = statement.names[0];
  Group found;
  if (!group_of(name.initialiser, name.initialiser_end, frame, found)) return false;
  frame.groups[spelled(name.name)] = found;
  return found.size != 0;
}

bool CallInliner::group_of(std::size_t begin, std::size_t end, const Frame& frame, Group& found) const {
  while (begin + 2 < end && is(begin + 1, "::")) begin += 2;
  if (begin + 1 == end) {
    const auto known = frame.groups.find(spelled(begin));
    if (known == frame.groups.end()) return false;
    found = known->second;
    return true;
  }
  if (is(begin, "this_thread_block") && begin + 3 == end) return true;
  const std::size_t close = is(begin + 1, "<") ? syntax_.template_close(begin + 1) : npos;
  if (!is(begin, "tiled_partition") || close == npos || !is(close + 1, "(") ||
      syntax_.partner(close + 1) + 1 != end)
    return false;
  Group parent;
  if (!group_of(close + 2, end - 1, frame, parent)) return false;
  const auto size = constant_of(begin + 2, close, frame);
  if (!size || *size < 1 || *size > 32 || (*size & (*size - 1)) != 0) return false;
  found = {static_cast<unsigned>(*size), parent.size};
  return true;
}

std::optional<long long> CallInliner::constant_of(std::size_t begin, std::size_t end,
                                                  const Frame& frame) const {
  if (begin + 1 == end) {
    const auto replaced = frame.replaced.find(spelled(begin));
    if (replaced != frame.replaced.end()) {  // ( 32 )
      if (replaced->second.size() != 3 || replaced->second[1].kind != TokenKind::number) return std::nullopt;
      return std::strtoll(std::string(stream_.spelling(replaced->second[1])).c_str(), nullptr, 0);
    }
  }
  return constant_value(syntax_, names_, begin, end);
}

std::string CallInliner::type_of_group(const Group& group) {
  if (group.size == 0) return "cooperative_groups :: thread_block";
  return "cooperative_groups :: thread_block_tile < " + std::to_string(group.size) + " >";
}

Tokens CallInliner::block_group(std::size_t begin, std::size_t end, const Frame& caller,
                                const std::string& number) {
  Tokens name;
  if (begin + 1 == end) {
    copy_token(begin, caller, name);
    return name;
  }
  const std::string anew = "cuemu_" + number + "_block";
  put(begin, "const auto " + anew + " = cooperative_groups :: this_thread_block ( ) ;", out_);
  return {word(begin, anew)};
}

// ---- group operations

std::size_t CallInliner::group_use(std::size_t at, const Frame& frame, Tokens& to) {
  std::size_t name = at;
  while (is(name + 1, "::")) name += 2;  // cg::sync(tile)
  const std::size_t close = is(name + 1, "(") ? syntax_.partner(name + 1) : npos;
  const bool meets = is(name, "sync") || is(name, "synchronize");
  if (close != npos && (meets || is(name, "reduce"))) {
    const auto all = syntax_.arguments(name + 1, close);
    Group group;
    if (!all.empty() && group_of(all[0].first, all[0].second, frame, group)) {
      if (meets) put(at, group.size == 0 ? "__syncthreads ( )" : "__syncwarp ( )", to);
      if (meets) return close + 1;
      if (group.size == 0) return npos;
      put(at, "cuemu_tile_reduce ( " + std::to_string(group.size) + "u ,", to);
      expression(all[0].second + 1, close, frame, to);
      put(at, ")", to);
      return close + 1;
    }
  }
  const auto known = frame.groups.find(spelled(at));
  if (known == frame.groups.end() || is(at - 1, "::")) return npos;
  if (is(at + 1, ".") && is(at + 3, "(")) return question(at, known->second, frame, to);
  if (known->second.size != 0)
    refuse("the group '" + spelled(at) + "' is used in a way that is not split", at);
  return npos;
}

std::size_t CallInliner::question(std::size_t at, const Group& group, const Frame& frame, Tokens& to) {
  const std::string_view what = syntax_.at(at + 2);
  const std::size_t open = at + 3, close = syntax_.partner(open);
  const std::string rank = "cuemu_thread_rank ( threadIdx , blockDim )";
  const std::string size = std::to_string(group.size) + "u";
  const auto all = syntax_.arguments(open, close);
  if (close == npos) return npos;
  if (group.size == 0) {
    const std::string count = "( blockDim . x * blockDim . y * blockDim . z )";
    const std::string words = what == "sync"                                 ? "__syncthreads ( )"
                              : what == "thread_rank"                        ? rank
                              : what == "size" || what == "num_threads"      ? count
                              : what == "thread_index"                       ? "threadIdx"
                              : what == "group_index"                        ? "blockIdx"
                              : what == "group_dim" || what == "dim_threads" ? "blockDim"
                                                                             : "";
    if (words.empty() || !all.empty()) return npos;
    put(at, words, to);
    return close + 1;
  }
  const std::string parent = group.parent == 0 ? rank : rank + " % " + std::to_string(group.parent) + "u";
  const std::string parents =
      group.parent == 0 ? "( blockDim . x * blockDim . y * blockDim . z + " + size + " - 1u ) / " + size
                        : std::to_string(group.parent / group.size) + "u";
  const bool whole = group.size == 32;
  const std::string mask = whole ? "0xffffffffu" : "cuemu_tile_mask ( threadIdx , blockDim , " + size + " )";
  const std::string lowest = "( " + rank + " % 32u / " + size + " * " + size + " )";
  const std::string words = what == "sync"                            ? "__syncwarp ( )"
                            : what == "thread_rank"                   ? "( " + rank + " % " + size + " )"
                            : what == "meta_group_rank"               ? "( " + parent + " / " + size + " )"
                            : what == "meta_group_size"               ? "( " + parents + " )"
                            : what == "size" || what == "num_threads" ? size
                                                                      : "";
  if (!words.empty() && all.empty()) {
    put(at, words, to);
    return close + 1;
  }
  const bool shuffle = what == "shfl" || what == "shfl_up" || what == "shfl_down" || what == "shfl_xor";
  const bool vote = what == "any" || what == "all", ranks = what == "ballot" || what == "match_any";
  if (all.size() != (shuffle ? 2U : 1U) || (!shuffle && !vote && !ranks)) {
    refuse("'" + spelled(at + 2) + "' is called on a group in a way that is not split", at);
    return npos;
  }
  if (ranks) put(at, "(", to);
  put(at, "__" + std::string(what) + "_sync ( " + (shuffle ? "0xffffffffu" : mask) + " ,", to);
  expression(open + 1, close, frame, to);
  if (shuffle) put(at, ", " + size, to);
  put(at, ")", to);
  if (ranks) put(at, whole ? ")" : ">> " + lowest + " )", to);
  return close + 1;
}

}  // namespace emucc::detail
