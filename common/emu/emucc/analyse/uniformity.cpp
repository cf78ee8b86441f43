#include "analyse/uniformity.hpp"

#include <algorithm>

#include "analyse/plain_loop.hpp"
#include "analyse/variable_uses.hpp"
#include "analyse/warp_uniformity.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// Functions whose result follows from their arguments alone.
bool is_pure_call(std::string_view name) {
  return is_harmless_call(name) && name != "__ldg" && name != "sincos" && name != "sincosf" &&
         name != "sincospi" && name != "sincospif";
}

/// `cg::plus<int>()`: what cg::reduce() computes with, the same for all threads.
bool is_group_operation(const Syntax& syntax, const Expression& call) {
  const Expression& callee = call.part(0);
  if (callee.at == callee.begin || call.parts.size() != 1) return false;
  for (std::string_view name : {"plus", "less", "greater", "bit_and", "bit_or", "bit_xor"})
    if (syntax.is(callee.at, name)) return true;
  return false;
}

}  // namespace

/// `i = 1` and its like, perhaps several with commas between; nothing where another expression is among them.
std::vector<Uniformity::Assignment> Uniformity::assignments(std::size_t begin, std::size_t end) const {
  std::vector<Assignment> all;
  const Expression* rest = begin < end ? &syntax_.tree().expression(begin, end) : nullptr;
  while (rest != nullptr) {
    const bool several = rest->kind == ExpressionKind::binary && rest->op == ",";
    const Expression& last = several ? rest->part(1) : *rest;
    const bool counts = last.kind == ExpressionKind::unary && (last.op == "++" || last.op == "--");
    if (!counts && last.kind != ExpressionKind::assignment) return {};
    const Expression& target = last.part(0);
    if (target.kind != ExpressionKind::name || target.begin != target.at) return {};
    all.push_back({target.at, counts ? nullptr : &last.part(1)});
    rest = several ? &rest->part(0) : nullptr;
  }
  std::reverse(all.begin(), all.end());
  return all;
}

void Uniformity::add_statement(std::size_t begin, std::size_t end, std::size_t region) {
  // Of several with commas between some might not be uniform, and the statement can't be cut.
  if (assignments(begin, end).size() == 1) add_header(begin, end, region);
}

void Uniformity::add_header(std::size_t begin, std::size_t end, std::size_t region) {
  for (Assignment& each : assignments(begin, end)) {
    each.region = region;
    assignments_.push_back(each);
  }
}

std::size_t Uniformity::owner(std::size_t token) const {
  return token >= begin_ && token < end_ ? owners_[token - begin_] : npos;
}

bool Uniformity::find_owners() {
  owners_.assign(end_ - begin_, npos);
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    const KernelVariable& variable = variables_[v];
    for (std::size_t i = std::max(begin_, variable.begin); i < variable.end; ++i) {
      if (!syntax_.is(i, variable.name) || syntax_.is(i - 1, ".") || syntax_.is(i - 1, "->") ||
          syntax_.is(i - 1, "::"))
        continue;
      if (owners_[i - begin_] != npos) return false;
      owners_[i - begin_] = v;
    }
  }
  return true;
}

/// @param element only one of its elements is meant
bool Uniformity::is_pure_name(const Expression& name, bool index, bool element) const {
  const Word word = syntax_.word(name.at);
  if (word == Word::thread_idx) return index;
  if (word >= Word::block_idx && word <= Word::warp_size) return true;
  if (owner(name.at) != npos) {
    const KernelVariable& variable = variables_[owner(name.at)];
    if (variable.kind == VariableKind::uniform) return true;
    if (variable.kind == VariableKind::shared) return variable.array && !element;
    return index && variable.computable;
  }
  return word != Word::function_name && word != Word::pretty_function &&
         names_.device_variables.count(std::string(syntax_.at(name.at))) == 0;
}

bool Uniformity::are_pure(const Expression& node, std::size_t first, bool index) const {
  return std::all_of(node.parts.begin() + static_cast<std::ptrdiff_t>(first), node.parts.end(),
                     [&](const Expression* part) { return is_pure(*part, index); });
}

/// Reads no memory, changes nothing, and depends on nothing but uniform values (and threadIdx, if `index`).
bool Uniformity::is_pure(const Expression& node, bool index) const {
  switch (node.kind) {
    case ExpressionKind::literal:
    case ExpressionKind::query:
      return true;
    case ExpressionKind::name:
      return is_pure_name(node, index, false);
    case ExpressionKind::parentheses:
    case ExpressionKind::conditional:
    case ExpressionKind::list:
      return are_pure(node, 0, index);
    case ExpressionKind::binary:
      return node.op != ".*" && node.op != "->*" && are_pure(node, 0, index);
    case ExpressionKind::member:
      return node.op == "." && is_pure(node.part(0), index);
    case ExpressionKind::unary:
      if (node.op == "&" && node.part(0).kind == ExpressionKind::index) {  // an element's address
        const Expression& element = node.part(0);
        return element.part(0).kind == ExpressionKind::name && is_pure_name(element.part(0), index, true) &&
               are_pure(element, 1, index);
      }
      return node.op != "*" && node.op != "++" && node.op != "--" && are_pure(node, 0, index);
    case ExpressionKind::call: {
      const Expression& callee = node.part(0);
      if (callee.kind != ExpressionKind::name || owner(callee.at) != npos) return false;
      return (is_pure_call(syntax_.at(callee.at)) || is_group_operation(syntax_, node)) &&
             are_pure(node, 1, index);
    }
    case ExpressionKind::cast:
      if (is_construction(syntax_, node)) return false;  // may do anything
      return !syntax_.is(node.at, "dynamic_cast") && are_pure(node, 0, index);
    case ExpressionKind::this_:
    case ExpressionKind::index:  // reads memory
    case ExpressionKind::assignment:
    case ExpressionKind::new_:
    case ExpressionKind::delete_:
    case ExpressionKind::throw_:
    case ExpressionKind::lambda:
    case ExpressionKind::launch:
    case ExpressionKind::assembly:
    case ExpressionKind::unknown:
      return false;
  }
  return false;
}

bool Uniformity::is_pure(std::size_t begin, std::size_t end, bool index) const {
  return begin >= end || is_pure(syntax_.tree().expression(begin, end), index);
}

bool Uniformity::is_index(const KernelVariable& variable) const {
  if (variable.local == nullptr || variable.local->initialiser == npos || variable.array ||
      variable.reference || variable.address_taken || !variable.writes.empty())
    return false;
  const LocalName& local = *variable.local;
  if (!is_pure(local.initialiser, local.initialiser_end, true)) return false;
  for (std::size_t i = local.initialiser; i < local.initialiser_end; ++i) {
    if (owner(i) == npos) continue;
    for (const std::size_t write : variables_[owner(i)].writes)
      if (write >= variable.begin && write < variable.end) return false;
  }
  return true;
}

bool Uniformity::assigns_uniformly(std::size_t begin, std::size_t end) const {
  const std::vector<Assignment> found = assignments(begin, end);
  return !found.empty() && std::all_of(found.begin(), found.end(), [&](const Assignment& each) {
    const std::size_t v = owner(each.name);
    return v != npos && variables_[v].kind == VariableKind::uniform;
  });
}

/// Does everything that changes the variable change it for all threads at once?
bool Uniformity::writes_together(const KernelVariable& variable) const {
  return std::all_of(variable.writes.begin(), variable.writes.end(), [&](std::size_t write) {
    return std::any_of(assignments_.begin(), assignments_.end(), [&](const Assignment& each) {
      return each.name == write && each.region == variable.region;
    });
  });
}

/// All are taken for uniform until something speaks against it; that may speak against others.
void Uniformity::demote_what_differs() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto demote = [&](KernelVariable& variable) {
      variable.kind = VariableKind::local;
      changed = true;
    };
    for (KernelVariable& variable : variables_) {
      if (variable.kind != VariableKind::uniform || variable.local == nullptr ||
          variable.local->initialiser == npos || variable.region != 0)
        continue;
      if (!is_uniform(variable.local->initialiser, variable.local->initialiser_end)) demote(variable);
    }
    for (const Assignment& assignment : assignments_) {
      const std::size_t v = owner(assignment.name);
      if (v == npos || variables_[v].kind != VariableKind::uniform) continue;
      if (assignment.value != nullptr && !is_pure(*assignment.value, false)) demote(variables_[v]);
    }
  }
}

void Uniformity::find_indices() {
  for (KernelVariable& variable : variables_) {  // in the order of their declarations
    if (variable.kind != VariableKind::local || !is_index(variable)) continue;
    variable.kind = VariableKind::index;
    variable.computable = true;
  }
}

/// Variables that exist once for a warp may begin with what follows from threadIdx, if the lanes agree on it.
bool Uniformity::demote_within_warps() {
  bool changed = false;
  for (KernelVariable& variable : variables_) {
    if (variable.kind != VariableKind::uniform || variable.region == 0 || variable.local->initialiser == npos)
      continue;
    const std::size_t begin = variable.local->initialiser, end = variable.local->initialiser_end;
    if (is_uniform(begin, end) || is_warp_uniform(syntax_, *this, names_, begin, end)) continue;
    variable.kind = VariableKind::local;
    changed = true;
  }
  return changed;
}

bool Uniformity::solve() {
  if (!find_owners()) return false;
  note_uses(syntax_, names_, *this, syntax_.tree().body(begin_, end_).statements, variables_);
  for (KernelVariable& variable : variables_) {
    if (variable.kind == VariableKind::uniform &&
        (variable.array || variable.reference || variable.address_taken || !writes_together(variable)))
      variable.kind = VariableKind::local;
  }
  do {
    for (KernelVariable& variable : variables_) {
      if (variable.kind != VariableKind::index) continue;
      variable.kind = VariableKind::local;
      variable.computable = false;
    }
    demote_what_differs();
    find_indices();
  } while (demote_within_warps());
  return true;
}

}  // namespace emucc
