#include "analyse/memory_effects.hpp"

#include <algorithm>

#include "analyse/methods.hpp"
#include "analyse/plain_loop.hpp"
#include "analyse/warp_calls.hpp"

namespace emucc {
namespace {

bool intersect(const std::set<std::size_t>& one, const std::set<std::size_t>& other) {
  return std::any_of(one.begin(), one.end(), [&](std::size_t place) { return other.count(place) > 0; });
}

/// Is the `*` or `&` at `at` one with a single operand? As far as the token before it tells.
bool is_unary(const Syntax& syntax, std::size_t at) {
  if (syntax.is(at - 1, "]")) return false;
  if (syntax.is(at - 1, ")"))  // (float)*p
    return syntax.is_identifier(at - 2) && !syntax.is_name(at - 2) && !syntax.is_built_in_variable(at - 2);
  if (syntax.is(at - 1, "return")) return true;
  const TokenKind kind = syntax.stream().tokens[at - 1].kind;
  return kind != TokenKind::number && !syntax.is_identifier(at - 1);
}

}  // namespace

void Effects::add(const Effects& other) {
  anything = anything || other.anything;
  reads.insert(other.reads.begin(), other.reads.end());
  writes.insert(other.writes.begin(), other.writes.end());
}

bool conflict(const Effects& one, const Effects& other) {
  if (one.nothing() || other.nothing()) return false;
  return one.anything || other.anything || intersect(one.writes, other.reads) ||
         intersect(one.writes, other.writes) || intersect(one.reads, other.writes);
}

MemoryEffects::MemoryEffects(const Syntax& syntax, const Uniformity& facts, const KnownNames& names,
                             std::size_t begin, std::size_t end)
    : syntax_(syntax), facts_(facts), names_(names) {
  for (const KernelVariable& variable : facts.variables())
    own_place_.push_back(variable.kind == VariableKind::shared
                             ? !variable.pointer && !variable.reference
                             : variable.restricted && variable.writes.empty());
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t v = facts_.owner(i);
    if (v != npos && own_place_[v] && escapes(i)) own_place_[v] = false;
  }
  for (const KernelVariable& variable : facts.variables())  // by another name
    if (variable.reference && variable.kind == VariableKind::index)
      own_place_[facts_.owner(variable.local->initialiser)] = false;
}

/// Behind a name and what selects a part of what it stands for: `[i]`, `.x`.
std::size_t MemoryEffects::behind(std::size_t name) const {
  std::size_t at = name + 1;
  for (;;) {
    if (syntax_.is(at, "["))
      at = syntax_.after(at);
    else if (syntax_.is(at, "."))
      at += 2;
    else if (syntax_.is(at, ")") && syntax_.partner(at) != npos && syntax_.partner(at) + 1 == name)
      ++at;  // (s[i])
    else
      return at;
  }
}

bool MemoryEffects::is_address(std::size_t name) const {
  return syntax_.is(name - 1, "&") && is_unary(syntax_, name - 1);
}

bool MemoryEffects::is_written(std::size_t name, std::size_t end) const {
  const std::size_t at = behind(name);
  const bool before = syntax_.is(name - 1, "++") || syntax_.is(name - 1, "--");
  return before ||
         (at < end && (syntax_.assignment_length(at) > 0 || syntax_.is(at, "++") || syntax_.is(at, "--")));
}

/// May the name at `name` give its memory's address to something that does not name it?
bool MemoryEffects::escapes(std::size_t name) const {
  const KernelVariable& variable = facts_.variables()[facts_.owner(name)];
  if (variable.local != nullptr && name == variable.local->name) return false;
  std::size_t dimensions = variable.kind == VariableKind::shared ? 0 : 1;
  if (variable.local != nullptr)
    for (std::size_t i = variable.local->name; i < variable.local->end; i = syntax_.after(i))
      if (syntax_.is(i, "[")) ++dimensions;
  std::size_t at = name + 1;
  for (; syntax_.is(at, "["); at = syntax_.after(at)) {
    if (dimensions == 0) return true;  // of an array that is not seen to be one
    --dimensions;
  }
  if (dimensions > 0 || syntax_.is(at, ".") || syntax_.is(at, "->")) return true;
  if (!is_address(name)) return false;
  return !(syntax_.is(name - 2, "(") &&
           (has_atomic_name(syntax_.at(name - 3)) || syntax_.is(name - 3, "__ldg")));
}

void MemoryEffects::access(std::size_t name, std::size_t where, std::size_t end, Effects& effects) const {
  effects.reads.insert(where);
  if (is_written(name, end) || (is_address(name) && !syntax_.is(name - 3, "__ldg")))
    effects.writes.insert(where);
}

void MemoryEffects::variable(std::size_t at, std::size_t end, Effects& effects) const {
  const std::size_t v = facts_.owner(at);
  const KernelVariable& variable = facts_.variables()[v];
  if (variable.local != nullptr && at == variable.local->name) return;
  if (variable.reference && variable.kind == VariableKind::index) {
    access(at, Effects::elsewhere, end, effects);
  } else if (variable.reference && variable.kind != VariableKind::uniform) {  // to what, nobody knows
    effects.anything = true;
  } else if (variable.kind == VariableKind::shared) {
    access(at, place(v), end, effects);
  } else if (syntax_.is(at + 1, "[") && !variable.array) {
    access(at, place(v), end, effects);
  }
}

/// What only looks may tell apart: pointers followed by `*` or `->`, references, results of casts that are
/// assigned to.
bool MemoryEffects::is_odd(std::size_t at, std::size_t begin) const {
  if (syntax_.is(at, "->") || syntax_.is(at, "asm") || syntax_.is(at, "__asm__")) return true;
  if (syntax_.is(at, "*") && at > begin && is_unary(syntax_, at) && !syntax_.is(at - 1, "*") &&
      !syntax_.is(at - 1, ">"))
    return true;
  if (syntax_.is(at, "*") && at == begin) return true;
  if (syntax_.is(at, "*") && facts_.owner(at + 1) != npos && !syntax_.is(at + 2, "[") &&
      facts_.variables()[facts_.owner(at + 1)].pointer &&
      facts_.variables()[facts_.owner(at + 1)].local != nullptr &&
      facts_.variables()[facts_.owner(at + 1)].local->name != at + 1)
    return true;  // (T)*p
  if (syntax_.is(at, ")") && syntax_.assignment_length(at + 1) == 1)
    return syntax_.partner(at) == npos || !syntax_.is_name(syntax_.partner(at) + 1) ||
           behind(syntax_.partner(at) + 1) != at + 1;
  return (syntax_.is(at, "&") || syntax_.is(at, "&&")) && syntax_.is_name(at + 1) &&
         (syntax_.is(at + 2, "=") || syntax_.is(at + 2, "{") || syntax_.is(at + 2, ":"));
}

/// A function that is called. @return whether it is one
bool MemoryEffects::call(std::size_t name, std::size_t end, Effects& effects) const {
  const std::size_t open = syntax_.call_open(name);
  if (open == npos || open >= end) return false;
  const std::string_view callee = syntax_.at(name);
  const std::string spelled(callee);
  if (has_atomic_name(callee)) {
    const std::size_t first = syntax_.is(open + 1, "&") ? open + 2 : npos;
    const std::size_t v = first != npos ? facts_.owner(first) : npos;
    const std::size_t where = v != npos && !facts_.variables()[v].reference ? place(v) : Effects::elsewhere;
    effects.reads.insert(where);
    effects.writes.insert(where);
  } else if (names_.silent_functions.count(spelled) > 0) {
    const Effects arguments = of(open + 1, syntax_.after(open) - 1);
    for (const std::size_t where : arguments.reads) effects.writes.insert(where);  // by a reference
  } else if (names_.plain_functions.count(spelled) > 0 || names_.nonblocking_functions.count(spelled) > 0 ||
             names_.warp_functions.count(spelled) > 0 || syntax_.word(name) == Word::printf ||
             syntax_.word(name) == Word::assert_fail) {
    effects.anything = true;
  }
  return true;
}

/// A member function that is called, other than of a group.
void MemoryEffects::method(std::size_t name, Effects& effects) const {
  const std::size_t v = facts_.owner(name - 2);
  if (v != npos && facts_.variables()[v].kind == VariableKind::group) return;
  const std::vector<Method> all = called_methods(syntax_, name);
  const bool silent = std::all_of(all.begin(), all.end(), [&](const Method& each) {
    return each.constant && each.body != npos &&
           is_silent_function(syntax_, each.parameters, each.body + 1, syntax_.partner(each.body), names_);
  });
  effects.anything = effects.anything || all.empty() || !silent;
}

Effects MemoryEffects::of(std::size_t begin, std::size_t end) const {
  Effects effects;
  for (std::size_t i = begin; i < end && !effects.anything; ++i) {
    if (is_odd(i, begin)) effects.anything = true;
    if (syntax_.is(i, "[") && i > begin && (syntax_.is(i - 1, ")") || syntax_.is(i - 1, "}")))
      access(i - 1, Effects::elsewhere, end, effects);
    if (syntax_.is_identifier(i) && syntax_.is(i - 1, ".") && syntax_.is(i + 1, "(")) method(i, effects);
    if (!syntax_.is_identifier(i) || syntax_.is(i - 1, ".") || syntax_.is(i - 1, "->")) {
      // s.values[i] of what is not shared: the pointer may lead anywhere.
      if (syntax_.is_identifier(i) && syntax_.is(i + 1, "[")) access(i, Effects::elsewhere, end, effects);
      continue;
    }
    if (facts_.owner(i) != npos)
      variable(i, end, effects);
    else if (names_.device_variables.count(std::string(syntax_.at(i))) > 0)
      access(i, Effects::elsewhere, end, effects);
    else if (!call(i, end, effects) && syntax_.is_name(i) && syntax_.is(i + 1, "["))
      access(i, Effects::elsewhere, end, effects);
  }
  return effects;
}

bool is_silent_function(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                        const KnownNames& names) {
  for (std::size_t i = parameters; i < begin; ++i)
    if (syntax.is(i, "*") || syntax.is(i, "[")) return false;
  for (std::size_t i = begin; i < end; ++i) {
    if (syntax.is(i, "[") || syntax.is(i, "->") || syntax.is(i, "asm") || syntax.is(i, "__asm__") ||
        ((syntax.is(i, "*") || syntax.is(i, "&")) && is_unary(syntax, i)))
      return false;
    if (!syntax.is_identifier(i)) continue;
    const std::string name(syntax.at(i));
    if (names.device_variables.count(name) > 0) return false;
    if (syntax.call_open(i) == npos) continue;
    const bool known_warp_function = is_warp_function(name, names) && names.warp_functions.count(name) == 0;
    if (!is_harmless_call(name) && !known_warp_function && names.silent_functions.count(name) == 0)
      return false;
  }
  return true;
}

}  // namespace emucc
