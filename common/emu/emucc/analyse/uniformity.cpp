#include "analyse/uniformity.hpp"

#include <algorithm>

#include "analyse/methods.hpp"
#include "analyse/plain_loop.hpp"
#include "analyse/warp_calls.hpp"
#include "analyse/warp_uniformity.hpp"

namespace emucc {
namespace {

/// Functions and operators whose result follows from their arguments alone.
bool is_pure_call(std::string_view name) {
  return is_harmless_call(name) && name != "__ldg" && name != "sincos" && name != "sincosf" &&
         name != "sincospi" && name != "sincospif" && name != "if" && name != "for" && name != "while" &&
         name != "switch" && name != "return" && name != "catch";
}

/// `cg::plus<int>()`: what cg::reduce() computes with, the same for all threads.
bool is_group_operation(const Syntax& syntax, std::size_t at, std::size_t open) {
  if (!syntax.is(at - 1, "::") || !syntax.is(open + 1, ")")) return false;
  for (std::string_view name : {"plus", "less", "greater", "bit_and", "bit_or", "bit_xor"})
    if (syntax.is(at, name)) return true;
  return false;
}

}  // namespace

std::vector<Uniformity::Assignment> Uniformity::assignments(std::size_t begin, std::size_t end) const {
  std::vector<Assignment> all;
  for (std::size_t at = begin; at < end;) {
    std::size_t stop = at;
    while (stop < end && !syntax_.is(stop, ",")) stop = syntax_.after(stop);
    const std::size_t length = syntax_.assignment_length(at + 1);
    const bool before = syntax_.is(at, "++") || syntax_.is(at, "--");
    const bool behind = syntax_.is(at + 1, "++") || syntax_.is(at + 1, "--");
    if (before && at + 2 == stop && syntax_.is_name(at + 1))
      all.push_back({at + 1, stop, stop, 0});
    else if (behind && at + 2 == stop && syntax_.is_name(at))
      all.push_back({at, stop, stop, 0});
    else if (syntax_.is_name(at) && length > 0 && at + 1 + length < stop)
      all.push_back({at, at + 1 + length, stop, 0});
    else
      return {};
    at = stop + 1;
  }
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

/// Can what ends at `at` be the left side of an operator?
bool Uniformity::is_operand(std::size_t at) const {
  const TokenKind kind = syntax_.stream().tokens[at].kind;
  if (kind == TokenKind::number || kind == TokenKind::string || kind == TokenKind::character) return true;
  if (syntax_.is(at, "]")) return true;
  if (syntax_.is(at, ")")) return !is_cast(at);
  return syntax_.is_name(at);
}

/// Does the parenthesis that closes here hold nothing but a type, as far as can be seen?
bool Uniformity::is_cast(std::size_t close) const {
  const std::size_t open = syntax_.partner(close);
  if (open == npos || open + 1 == close) return false;
  if (open > begin_ && (syntax_.is_name(open - 1) || syntax_.is(open - 1, ">") || syntax_.is(open - 1, "]") ||
                        syntax_.is(open - 1, "sizeof") || syntax_.is(open - 1, "alignof")))
    return false;  // a call
  for (std::size_t i = open + 1; i < close; ++i) {
    const bool type = syntax_.is_identifier(i) || syntax_.is(i, "::") || syntax_.is(i, "*") ||
                      syntax_.is(i, "<") || syntax_.is(i, ">") || syntax_.is(i, ",") || syntax_.is(i, "&");
    if (!type || owner(i) != npos) return false;
    const Word word = syntax_.word(i);
    if (word >= Word::thread_idx && word <= Word::warp_size) return false;
  }
  return true;
}

bool Uniformity::is_unary(std::size_t at) const {
  return at == begin_ || !is_operand(at - 1);
}

/// The function in whose argument list the token stands: its name, or npos.
std::size_t Uniformity::called(std::size_t at) const {
  int depth = 0;
  for (std::size_t i = at; i-- > begin_;) {
    if (syntax_.is(i, ";") || syntax_.is(i, "{") || syntax_.is(i, "}")) return npos;
    if (syntax_.is(i, ")")) ++depth;
    if (syntax_.is(i, "(") && depth-- == 0) {
      std::size_t callee = i > begin_ ? i - 1 : i;
      if (syntax_.is(callee, ">") && syntax_.template_open(callee) != npos)
        callee = syntax_.template_open(callee) - 1;
      if (syntax_.is_identifier(callee)) return callee;
      depth = 0;  // a parenthesis within an expression
    }
  }
  return npos;
}

/// Is the name at `at`, an argument of the function that is named at `callee`, bound to no reference?
bool Uniformity::is_by_value(std::size_t callee, std::size_t at) const {
  const auto known = names_.reference_parameters.find(std::string(syntax_.at(callee)));
  if (known == names_.reference_parameters.end()) return false;
  const std::size_t open = syntax_.call_open(callee);
  if (open == npos) return false;
  std::uint64_t bit = 1;
  for (std::size_t i = open + 1; i < at; i = syntax_.after(i)) {
    if (syntax_.is(i, "<")) return false;  // commas behind it may be of template arguments
    if (syntax_.is(i, ",")) bit <<= 1;
  }
  return bit != 0 && (known->second & bit) == 0;
}

/// Notes what the use of a variable at `at` may do to it.
void Uniformity::note_use(std::size_t at) {
  KernelVariable& variable = variables_[owner(at)];
  if (variable.local != nullptr && at == variable.local->name) return;
  // Behind `.x` and, where it holds values rather than an address, `[i]`.
  std::size_t behind = at + 1;
  while (behind < end_) {
    if (syntax_.is(behind, "."))
      behind += 2;
    else if (syntax_.is(behind, "[") && !variable.pointer &&
             !(behind == at + 3 && is_pointer_member(syntax_, behind - 1)))
      behind = syntax_.after(behind);
    else
      break;
  }
  const bool indexed = syntax_.is(at + 1, "[");
  if (syntax_.assignment_length(behind) > 0 || syntax_.is(behind, "++") || syntax_.is(behind, "--") ||
      syntax_.is(at - 1, "++") || syntax_.is(at - 1, "--"))
    variable.writes.push_back(at);
  const bool address = (syntax_.is(at - 1, "&") && is_unary(at - 1) && !(indexed && variable.pointer)) ||
                       (variable.array && !indexed);
  if (behind > at + 1 && syntax_.is(behind, "(") && variable.kind != VariableKind::group) {
    const std::vector<Method> all = called_methods(syntax_, behind - 1);
    const auto may = [&](const auto& what) {
      return all.empty() || std::any_of(all.begin(), all.end(), what);
    };
    if (may([](const Method& each) { return !each.constant; })) variable.address_taken = true;
    if (may([](const Method& each) { return each.gives_address; }))
      variable.address_taken = variable.escapes = true;
  }
  const bool argument = (syntax_.is(at - 1, "(") || syntax_.is(at - 1, ",")) &&
                        (syntax_.is(at + 1, ")") || syntax_.is(at + 1, ","));
  const std::size_t callee = address || argument ? called(at) : npos;
  const bool known = callee != npos &&
                     (is_harmless_call(syntax_.at(callee)) || is_warp_function(syntax_.at(callee), names_) ||
                      syntax_.word(callee) == Word::printf || syntax_.word(callee) == Word::assert_fail);
  const bool atomic = callee != npos && has_atomic_name(syntax_.at(callee));
  if (address) {
    variable.address_taken = true;
    if (!known && !atomic) variable.escapes = true;
  } else if (argument && callee != npos && !known && syntax_.is_name(callee) && !is_by_value(callee, at)) {
    variable.address_taken = true;  // the parameter may be a reference
  }
}

void Uniformity::find_writes() {
  for (std::size_t i = begin_; i < end_; ++i) {
    if (owner(i) != npos) note_use(i);
    // A reference may be bound to what follows: `float& r = x;`
    if ((syntax_.is(i, "&") || syntax_.is(i, "&&")) && syntax_.is_name(i + 1) &&
        (syntax_.is(i + 2, "=") || syntax_.is(i + 2, "{") || syntax_.is(i + 2, ":"))) {
      if (owner(i + 1) != npos && is_const_reference(variables_[owner(i + 1)])) continue;
      for (std::size_t j = i + 3; j < end_ && !syntax_.is(j, ";");
           j = syntax_.is(j, "[") ? syntax_.after(j) : j + 1)
        if (owner(j) != npos && !variables_[owner(j)].pointer) variables_[owner(j)].address_taken = true;
    }
  }
}

/// `const T& r`: nothing changes by that name.
bool Uniformity::is_const_reference(const KernelVariable& variable) const {
  if (!variable.reference || variable.pointer || variable.local == nullptr) return false;
  for (std::size_t i = variable.type; i < variable.type_end; ++i)
    if (syntax_.is(i, "const")) return true;
  return false;
}

/// `const T& r = parameter.member;`: another name for what never changes.
bool Uniformity::is_alias(const KernelVariable& variable) const {
  if (!is_const_reference(variable) || variable.local->initialiser == npos || variable.region != 0)
    return false;
  const std::size_t begin = variable.local->initialiser, end = variable.local->initialiser_end;
  if (owner(begin) == npos) return false;
  for (std::size_t i = begin + 1; i < end; i += 2)
    if (!syntax_.is(i, ".") || !syntax_.is_name(i + 1)) return false;
  const KernelVariable& known = variables_[owner(begin)];
  return known.writes.empty() && !known.address_taken && !known.pointer;
}

/// The type's tokens without what says nothing about an element's type.
std::string Uniformity::element_type(const KernelVariable& variable) const {
  std::string type;
  for (std::size_t i = variable.type; i < variable.type_end; ++i) {
    const Word word = syntax_.word(i);
    if (!syntax_.is(i, "const") && !syntax_.is(i, "*") && !syntax_.is(i, "&") &&
        !syntax_.is(i, "__restrict__") && !syntax_.is(i, "__restrict") && word != Word::shared &&
        word != Word::extern_)
      type += syntax_.spaced(i);
  }
  return type;
}

/// `T& x = p[i];`: the address follows from threadIdx and what is uniform. Not where the reference may be bound to
/// a copy that was made of the element.
bool Uniformity::refers_to_element(const KernelVariable& variable) const {
  if (!variable.reference || variable.local->initialiser == npos || variable.region != 0) return false;
  const std::size_t begin = variable.local->initialiser, end = variable.local->initialiser_end;
  const std::size_t v = owner(begin);
  if (v == npos || variables_[v].reference || !variables_[v].writes.empty()) return false;
  const KernelVariable& known = variables_[v];
  if (known.kind == VariableKind::shared ? !known.array
                                         : known.kind != VariableKind::uniform || !known.pointer)
    return false;
  std::size_t bounds = known.kind == VariableKind::shared ? 0 : 1;
  if (known.local != nullptr)
    for (std::size_t i = known.local->begin; i < known.local->end; i = syntax_.after(i))
      if (syntax_.is(i, "[") || (syntax_.is(i, "*") && known.kind == VariableKind::shared)) ++bounds;
  bool member = false;
  for (std::size_t at = begin + 1; at < end; at = syntax_.after(at)) {
    if (syntax_.is(at, "[") && !member && bounds > 0) {
      if (!is_computable(at + 1, syntax_.after(at) - 1)) return false;
      --bounds;
    } else if (syntax_.is(at, ".") && bounds == 0 && syntax_.is_name(at + 1)) {
      member = true;
      ++at;
    } else {
      return false;
    }
  }
  const std::string type = element_type(variable);
  if (!is_const_reference(variable) || type == "auto ") return true;
  return !member && bounds == 0 && !variable.pointer && type == element_type(known);
}

/// Does the name at `at` stand for the value of a `__shared__` variable, or of an element?
bool Uniformity::is_shared_read(std::size_t at) const {
  const std::size_t v = owner(at);
  if (v == npos || variables_[v].kind != VariableKind::shared) return false;
  return !variables_[v].array || syntax_.is(at + 1, "[");
}

/// Does `[` at `open` select an element of a `__shared__` array by its name?
bool Uniformity::is_shared_element(std::size_t open) const {
  std::size_t name = open, behind = 1, bounds = 0;
  for (; name > begin_ && syntax_.is(name - 1, "]"); name = syntax_.partner(name - 1)) ++behind;
  const std::size_t v = name > begin_ ? owner(name - 1) : npos;
  if (v == npos || variables_[v].kind != VariableKind::shared || variables_[v].local == nullptr) return false;
  for (std::size_t i = variables_[v].local->name; i < variables_[v].local->end; i = syntax_.after(i))
    if (syntax_.is(i, "[")) ++bounds;
  return behind <= bounds;
}

std::vector<std::size_t> Uniformity::shared_reads(std::size_t begin, std::size_t end) const {
  std::vector<std::size_t> reads;
  for (std::size_t i = begin; i < end; ++i)
    if (is_shared_read(i)) reads.push_back(i);
  return reads;
}

bool Uniformity::reads_unsteady(std::size_t begin, std::size_t end) const {
  return unsteady_.lower_bound(begin) != unsteady_.lower_bound(end);
}

bool Uniformity::is_pure_name(std::size_t at, std::size_t end, Pure what) const {
  const std::size_t open = syntax_.call_open(at);
  const bool called = open != npos && open < end;
  if (syntax_.is(at - 1, ".")) return !called;
  const Word word = syntax_.word(at);
  if (word == Word::thread_idx) return what == Pure::index;
  if (word >= Word::block_idx && word <= Word::warp_size) return true;
  if (owner(at) != npos) {
    const KernelVariable& variable = variables_[owner(at)];
    if (variable.kind == VariableKind::uniform) return true;
    if (variable.kind == VariableKind::shared)
      return !is_shared_read(at) || (what == Pure::at_once && reads_shared_ && unsteady_.count(at) == 0);
    return what == Pure::index && variable.computable;
  }
  if (called) return is_pure_call(syntax_.at(at)) || is_group_operation(syntax_, at, open);
  for (std::string_view bad : {"new", "delete", "throw", "co_await", "this", "volatile", "__func__"})
    if (syntax_.is(at, bad)) return false;
  return names_.device_variables.count(std::string(syntax_.at(at))) == 0;
}

/// Reads no memory but what `what` says, changes nothing, and depends on nothing but uniform values (and threadIdx,
/// for an index).
bool Uniformity::is_pure(std::size_t begin, std::size_t end, Pure what) const {
  for (std::size_t i = begin; i < end; ++i) {
    const TokenKind kind = syntax_.stream().tokens[i].kind;
    if (kind == TokenKind::identifier) {
      if (!is_pure_name(i, end, what)) return false;
      continue;
    }
    if (kind == TokenKind::directive || kind == TokenKind::verbatim) return false;
    if (kind != TokenKind::punctuator) continue;
    if (syntax_.is(i, "++") || syntax_.is(i, "--") || syntax_.is(i, "->") || syntax_.assignment_length(i) > 0)
      return false;
    if (syntax_.is(i, "*") && (i == begin || is_unary(i))) return false;
    if (syntax_.is(i, "(") && i > begin && (syntax_.is(i - 1, ")") || syntax_.is(i - 1, "]")) &&
        is_operand(i - 1))
      return false;  // a call of something without a name
    if (syntax_.is(i, "[") && what == Pure::at_once && is_shared_element(i)) continue;
    if (syntax_.is(i, "[") && i >= begin + 3 && syntax_.is(i - 2, ".") && owner(i - 3) != npos &&
        is_array_member(syntax_, i - 1) && !syntax_.is(syntax_.after(i), "["))
      continue;                // a part of a variable, which has been looked at
    if (syntax_.is(i, "[")) {  // an element only where its address is asked for: &a[i]
      const bool address = i >= begin + 2 && syntax_.is(i - 2, "&") && (i - 2 == begin || is_unary(i - 2)) &&
                           syntax_.is_name(i - 1);
      if (!address || syntax_.is(syntax_.after(i), ".") || syntax_.is(syntax_.after(i), "->")) return false;
    }
  }
  return true;
}

bool Uniformity::is_index(const KernelVariable& variable) const {
  if (variable.local == nullptr || variable.local->initialiser == npos || variable.array) return false;
  const LocalName& local = *variable.local;
  if (variable.reference ? !refers_to_element(variable)
                         : variable.address_taken || !variable.writes.empty() ||
                               !is_computable(local.initialiser, local.initialiser_end))
    return false;
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
      if (!is_uniform_at_once(variable.local->initialiser, variable.local->initialiser_end)) demote(variable);
    }
    for (const Assignment& assignment : assignments_) {
      const std::size_t v = owner(assignment.name);
      if (v == npos || variables_[v].kind != VariableKind::uniform) continue;
      const bool uniform = assignment.region == 0 ? is_uniform_at_once(assignment.begin, assignment.end)
                                                  : is_uniform(assignment.begin, assignment.end);
      if (!uniform) demote(variables_[v]);
    }
  }
}

void Uniformity::find_indices() {
  for (KernelVariable& variable : variables_) {  // in the order of their declarations
    if (variable.kind != VariableKind::local || !is_index(variable)) continue;
    variable.kind = VariableKind::index;
    variable.computable = !variable.reference;  // what it refers to may change
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
  find_writes();
  for (KernelVariable& variable : variables_) {
    if (variable.kind == VariableKind::uniform &&
        (variable.array || (variable.reference && !is_alias(variable)) || variable.address_taken ||
         !writes_together(variable)))
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
