#include "analyse/atomics.hpp"

#include <unordered_set>

#include "parse/functions.hpp"

namespace emucc {

bool is_atomic_function(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "atomicAdd", "atomicSub", "atomicMin", "atomicMax",  "atomicAnd", "atomicOr",
      "atomicXor", "atomicInc", "atomicDec", "atomicExch", "atomicCAS"};
  for (std::string_view scope : {"_block", "_system"}) {
    if (name.size() > scope.size() && name.substr(name.size() - scope.size()) == scope)
      name.remove_suffix(scope.size());
  }
  return words.count(name) > 0;
}

bool is_atomic_class(const Syntax& syntax, std::size_t type) {
  return type != npos && (syntax.is(type, "atomic_ref") || syntax.is(type, "atomic")) &&
         syntax.is(type - 1, "::");
}

bool is_atomic_member(const Syntax& syntax, const Expression& member) {
  static const std::unordered_set<std::string_view> words = {"load",
                                                             "store",
                                                             "exchange",
                                                             "fetch_add",
                                                             "fetch_sub",
                                                             "fetch_and",
                                                             "fetch_or",
                                                             "fetch_xor",
                                                             "fetch_min",
                                                             "fetch_max",
                                                             "is_lock_free",
                                                             "compare_exchange_weak",
                                                             "compare_exchange_strong"};
  const ValueType& object = inside_parentheses(member.part(0)).type;
  return is_atomic_class(syntax, object.name) && object.dimensions == 0 &&
         object.pointers == (member.op == "->" ? 1 : 0) && words.count(syntax.at(member.at)) > 0;
}

bool is_atomic_call(const Syntax& syntax, const Expression& call) {
  const Expression& callee = inside_parentheses(call.part(0));
  if (callee.kind == ExpressionKind::member) return is_atomic_member(syntax, callee);
  return callee.kind == ExpressionKind::name && is_atomic_function(syntax.at(callee.at));
}

bool has_atomic_name(const Syntax& syntax, std::size_t callee) {
  const std::string_view name = syntax.at(callee);
  return name.substr(0, 6) == "atomic" && !(is_atomic_function(name) && may_be_own(syntax, callee));
}

}  // namespace emucc
