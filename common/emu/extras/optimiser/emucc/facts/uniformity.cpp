#include "facts/uniformity.hpp"

#include <algorithm>

#include "analyse/memory_calls.hpp"
#include "analyse/plain_loop.hpp"
#include "facts/variable_uses.hpp"
#include "facts/warp_uniformity.hpp"
#include "parse/classes.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// Returns true for functions whose result depends only on their arguments.
bool is_pure_call(const Syntax& syntax, std::size_t callee) {
  const std::string_view name = syntax.at(callee);
  return is_independent_call(syntax, callee) && !is_memory_function(name) && name != "sincos" &&
         name != "sincosf" && name != "sincospi" && name != "sincospif";
}

/// Returns true for `cg::plus<int>()` and similar calls, which give cg::reduce() an operation and are uniform
/// for the block.
bool is_group_operation(const Syntax& syntax, const Expression& call) {
  const Expression& callee = call.part(0);
  if (callee.at == callee.begin || call.parts.size() != 1) return false;
  for (std::string_view name : {"plus", "less", "greater", "bit_and", "bit_or", "bit_xor"})
    if (syntax.is(callee.at, name)) return true;
  return false;
}

}  // namespace

/// Returns the assignments `i = 1`, `i += 1`, `++i`, perhaps several with commas between. Empty if any of the
/// expressions is not an assignment.
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
  // A statement of several assignments can't be divided, and some of its variables may differ between
  // threads.
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

/// Returns true for `const T& r`: no write uses this name.
bool Uniformity::is_const_reference(const KernelVariable& variable) const {
  if (!variable.reference || variable.pointer || variable.local == nullptr) return false;
  for (std::size_t i = variable.type; i < variable.type_end; ++i)
    if (syntax_.is(i, "const")) return true;
  return false;
}

/// Returns true for `const T& r = parameter.member;`, which is another name for an object that never changes.
bool Uniformity::is_alias(const KernelVariable& variable) const {
  if (!is_const_reference(variable) || variable.local->initialiser == npos || variable.region != 0)
    return false;
  const Expression* object =
      &syntax_.tree().expression(variable.local->initialiser, variable.local->initialiser_end);
  while (object->kind == ExpressionKind::member && object->op == ".") object = &object->part(0);
  if (object->kind != ExpressionKind::name || owner(object->at) == npos) return false;
  const KernelVariable& known = variables_[owner(object->at)];
  return known.writes.empty() && !known.address_taken && !known.pointer;
}

/// Returns the type's tokens except those that don't affect an element's type.
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

/// Returns true for `T& x = p[i];`, whose address follows from threadIdx and uniform values. Returns false if
/// the reference may be bound to a copy of the element.
bool Uniformity::refers_to_element(const KernelVariable& variable) const {
  if (!variable.reference || variable.local->initialiser == npos || variable.region != 0) return false;
  const Expression* object =
      &syntax_.tree().expression(variable.local->initialiser, variable.local->initialiser_end);
  std::vector<const Expression*> selected;  // from the outermost one inwards
  for (;
       object->kind == ExpressionKind::index || (object->kind == ExpressionKind::member && object->op == ".");
       object = &object->part(0))
    selected.push_back(object);
  const std::size_t v = object->kind == ExpressionKind::name ? owner(object->at) : npos;
  if (v == npos || variables_[v].reference || !variables_[v].writes.empty()) return false;
  const KernelVariable& known = variables_[v];
  if (known.kind == VariableKind::shared ? !known.array
                                         : known.kind != VariableKind::uniform || !known.pointer)
    return false;
  std::size_t bounds = known.kind == VariableKind::shared ? 0 : 1;
  if (known.local != nullptr) {
    bounds += dimensions_of(syntax_, *known.local);
    for (std::size_t i = known.local->begin; known.kind == VariableKind::shared && i < known.local->name; ++i)
      if (syntax_.is(i, "*")) ++bounds;
  }
  bool member = false;
  for (auto at = selected.rbegin(); at != selected.rend(); ++at) {
    if ((*at)->kind == ExpressionKind::index && !member && bounds > 0) {
      if (!are_pure(**at, 1, Pure::index)) return false;
      --bounds;
    } else if ((*at)->kind == ExpressionKind::member && bounds == 0) {
      member = true;
    } else {
      return false;
    }
  }
  const std::string type = element_type(variable);
  if (!is_const_reference(variable) || type == "auto ") return true;
  return !member && bounds == 0 && !variable.pointer && type == element_type(known);
}

/// Returns true if the name denotes the value of a `__shared__` variable, or of an element.
/// @param element true if only one element of the variable is used
bool Uniformity::is_shared_read(const Expression& name, bool element) const {
  const std::size_t v = name.kind == ExpressionKind::name ? owner(name.at) : npos;
  return v != npos && variables_[v].kind == VariableKind::shared && (!variables_[v].array || element);
}

namespace {
/// Returns the array's name in `a[i][j]`; null if the array has no name.
const Expression* name_of_array(const Expression& node) {
  const Expression* array = &node;
  while (array->kind == ExpressionKind::index) array = &array->part(0);
  return array->kind == ExpressionKind::name ? array : nullptr;
}

/// Returns true if the subscript or `*` accesses memory directly, and is not an operator of a class.
bool leads_to_memory(const Syntax& syntax, const Expression& pointer) {
  const Expression& bare = inside_parentheses(pointer);
  ValueType type = bare.type;
  if (bare.kind == ExpressionKind::member)
    if (const DataMember* const member = data_member(syntax, bare)) type = member->type;
  return (type.pointers > 0 || type.dimensions > 0) && !type.watched;
}
}  // namespace

/// Returns true if the node itself, without its parts, reads memory other than a `__shared__` variable's.
bool Uniformity::is_memory_read(const Expression& node) const {
  switch (node.kind) {
    case ExpressionKind::name:
      return owner(node.at) == npos && node.type.dimensions == 0 && !node.type.watched &&
             names_.device_variables.count(std::string(syntax_.at(node.at))) > 0;
    case ExpressionKind::index: {
      const Expression* const array = name_of_array(node);
      if (array != nullptr && is_shared_read(*array, true)) return false;
      const Expression& of = inside_parentheses(node.part(0));
      return leads_to_memory(syntax_, of) &&
             !(of.kind == ExpressionKind::member && of.op == "." && is_array_member(syntax_, of));
    }
    case ExpressionKind::member:
      return node.op == "->" && leads_to_memory(syntax_, node.part(0));
    case ExpressionKind::unary:
      return node.op == "*" && leads_to_memory(syntax_, node.part(0));
    default:
      return false;
  }
}

bool Uniformity::may_read_once(const Expression& node, Pure what) const {
  return what == Pure::at_once && once_ == Once::memory && is_memory_read(node) &&
         unsteady_.count(node.at) == 0;
}

std::vector<OnceRead> Uniformity::once_reads(const Expression& expression) const {
  std::vector<OnceRead> reads;
  walk(expression, [&](const Expression& node) {
    const Expression* const array = node.kind == ExpressionKind::index ? name_of_array(node) : nullptr;
    if (node.kind == ExpressionKind::name && is_shared_read(node, false))
      reads.push_back({node.at, node.at, node.at + 1});
    else if (array != nullptr && is_shared_read(*array, true))
      reads.push_back({array->at, array->at, array->at + 1});
    else if (once_ == Once::memory && is_memory_read(node))
      reads.push_back({node.at, node.begin, node.end});
  });
  return reads;
}

bool Uniformity::reads_unsteady(std::size_t begin, std::size_t end) const {
  return unsteady_.lower_bound(begin) != unsteady_.lower_bound(end);
}

bool Uniformity::is_pure_name(const Expression& name, Pure what, bool element) const {
  const Word word = syntax_.word(name.at);
  if (word == Word::thread_idx) return what == Pure::index;
  if (word >= Word::block_idx && word <= Word::warp_size) return true;
  if (owner(name.at) != npos) {
    const KernelVariable& variable = variables_[owner(name.at)];
    if (variable.kind == VariableKind::uniform) return true;
    if (variable.kind == VariableKind::shared)
      return !is_shared_read(name, element) ||
             (what == Pure::at_once && once_ != Once::nothing && unsteady_.count(name.at) == 0);
    return what == Pure::index && variable.computable;
  }
  if (may_read_once(name, what)) return true;
  return word != Word::function_name && word != Word::pretty_function &&
         names_.device_variables.count(std::string(syntax_.at(name.at))) == 0;
}

bool Uniformity::are_pure(const Expression& node, std::size_t first, Pure what) const {
  return std::all_of(node.parts.begin() + static_cast<std::ptrdiff_t>(first), node.parts.end(),
                     [&](const Expression* part) { return is_pure(*part, what); });
}

/// Returns true for an element of a variable's member, as in `v.values[i]`, which is a part of the variable,
/// and for an element of a `__shared__` array that is accessed by the array's name. Any other element reads
/// memory.
bool Uniformity::is_pure_element(const Expression& node, Pure what) const {
  const Expression& member = node.part(0);
  if (member.kind == ExpressionKind::member && member.op == "." &&
      member.part(0).kind == ExpressionKind::name && owner(member.part(0).at) != npos &&
      is_array_member(syntax_, member))
    return are_pure(node, 0, what);
  if (may_read_once(node, what)) return are_pure(node, 0, what);
  std::size_t selected = 0;
  const Expression* array = &node;
  for (; array->kind == ExpressionKind::index; array = &array->part(0), ++selected)
    if (!are_pure(*array, 1, what)) return false;
  if (what != Pure::at_once || !is_shared_read(*array, true)) return false;
  const KernelVariable& variable = variables_[owner(array->at)];
  if (variable.local == nullptr) return false;
  return selected <= dimensions_of(syntax_, *variable.local) && is_pure_name(*array, what, true);
}

/// Returns true if the expression reads only the memory that `what` allows, changes nothing, and depends only
/// on uniform values. An index may also depend on threadIdx.
bool Uniformity::is_pure(const Expression& node, Pure what) const {
  switch (node.kind) {
    case ExpressionKind::literal:
    case ExpressionKind::query:
      return true;
    case ExpressionKind::name:
      return is_pure_name(node, what, false);
    case ExpressionKind::parentheses:
    case ExpressionKind::conditional:
    case ExpressionKind::list:
      return are_pure(node, 0, what);
    case ExpressionKind::binary:
      return node.op != ".*" && node.op != "->*" && are_pure(node, 0, what);
    case ExpressionKind::member:
      return (node.op == "." || may_read_once(node, what)) && is_pure(node.part(0), what);
    case ExpressionKind::unary:
      if (node.op == "&" && node.part(0).kind == ExpressionKind::index) {  // address of an element
        const Expression& element = node.part(0);
        return element.part(0).kind == ExpressionKind::name && is_pure_name(element.part(0), what, true) &&
               are_pure(element, 1, what);
      }
      return (node.op != "*" || may_read_once(node, what)) && node.op != "++" && node.op != "--" &&
             are_pure(node, 0, what);
    case ExpressionKind::call: {
      const Expression& callee = node.part(0);
      if (callee.kind != ExpressionKind::name || owner(callee.at) != npos) return false;
      return (is_pure_call(syntax_, callee.at) || is_group_operation(syntax_, node)) &&
             are_pure(node, 1, what);
    }
    case ExpressionKind::cast:
      if (is_construction(syntax_, node)) return false;  // the constructor may do anything
      if (is_list_construction(syntax_, node)) {
        const auto* const all = constructors(syntax_, node.at);
        if (all != nullptr && !all->empty()) return false;
      }
      return !syntax_.is(node.at, "dynamic_cast") && are_pure(node, 0, what);
    case ExpressionKind::index:
      return is_pure_element(node, what);
    case ExpressionKind::this_:
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

bool Uniformity::is_pure(std::size_t begin, std::size_t end, Pure what) const {
  return begin >= end || is_pure(syntax_.tree().expression(begin, end), what);
}

std::optional<Lambda> Uniformity::lambda(std::size_t variable) const {
  const LocalName* const local = variables_[variable].local;
  return local == nullptr ? std::nullopt : lambda_of(syntax_, *local);
}

/// Returns true if a lambda that is created again at another place in the variable's scope equals the first
/// one. The lambda captures variables, whose names mean the same there, or values that have not changed. The
/// names in the lambda's body must denote no other memory, so that its effects are known by name.
bool Uniformity::is_made_again(const KernelVariable& variable, const Lambda& lambda) const {
  if (lambda.has_state || variable.address_taken || !variable.writes.empty()) return false;
  for (const std::size_t name : own_names(syntax_, lambda)) {
    if (owner(name) == npos) continue;
    const KernelVariable& hidden = variables_[owner(name)];
    if (hidden.pointer || hidden.array || hidden.reference || hidden.kind == VariableKind::shared)
      return false;
  }
  for (std::size_t i = lambda.begin; i < lambda.end() && lambda.copies; ++i) {
    if (owner(i) == npos || variables_[owner(i)].kind == VariableKind::shared) continue;  // these exist once
    const KernelVariable& captured = variables_[owner(i)];
    if (captured.address_taken || changes_within(captured, variable)) return false;
  }
  return true;
}

/// Returns true if the first variable may change while the other one is in scope.
bool Uniformity::changes_within(const KernelVariable& changed, const KernelVariable& other) {
  return std::any_of(changed.writes.begin(), changed.writes.end(),
                     [&](std::size_t write) { return write >= other.begin && write < other.end; });
}

/// Returns true for `V v(a, b)` or `V v{a, b}`, where a class's function computes the value of v, perhaps
/// from threadIdx.
bool Uniformity::runs_constructor(const KernelVariable& variable) const {
  const LocalName& local = *variable.local;
  if (variable.pointer || variable.reference || variable.declared == nullptr) return false;
  const std::size_t type = name_of_type(syntax_, variable.declared->type, variable.declared->type_end);
  const bool list = syntax_.is(local.initialiser, "{");
  if ((!local.direct && !list) || is_predefined_type(syntax_.at(type)) ||
      syntax_.tree().scopes().specified(variable.declared->type, variable.declared->type_end).base ==
          ValueType::Base::arithmetic)
    return false;
  const auto* const all = constructors(syntax_, type);
  return all != nullptr ? !all->empty() : !list;
}

bool Uniformity::is_index(const KernelVariable& variable) const {
  if (variable.local == nullptr || variable.local->initialiser == npos || variable.array) return false;
  const LocalName& local = *variable.local;
  if (const auto lambda = lambda_of(syntax_, local)) return is_made_again(variable, *lambda);
  if (runs_constructor(variable)) return false;
  if (variable.reference ? !refers_to_element(variable)
                         : variable.address_taken || variable.escapes || !variable.writes.empty() ||
                               !is_computable(local.initialiser, local.initialiser_end))
    return false;
  for (std::size_t i = local.initialiser; i < local.initialiser_end; ++i) {
    if (owner(i) != npos && changes_within(variables_[owner(i)], variable)) return false;
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

/// Returns true if all threads make every change of the variable together.
bool Uniformity::writes_together(const KernelVariable& variable) const {
  return std::all_of(variable.writes.begin(), variable.writes.end(), [&](std::size_t write) {
    return std::any_of(assignments_.begin(), assignments_.end(), [&](const Assignment& each) {
      return each.name == write && each.region == variable.region;
    });
  });
}

/// Assumes that all variables are uniform, then disproves this for each that is not. Each disproof may cause
/// others.
void Uniformity::demote_what_differs() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto demote = [&](KernelVariable& variable) {
      variable.kind = VariableKind::local;
      changed = true;
    };
    for (KernelVariable& variable : variables_) {
      if (variable.kind != VariableKind::uniform || variable.local == nullptr ||
          variable.local->initialiser == npos)
        continue;
      if (runs_constructor(variable) ||
          (variable.region == 0 &&
           !is_uniform_at_once(variable.local->initialiser, variable.local->initialiser_end)))
        demote(variable);
    }
    for (const Assignment& assignment : assignments_) {
      const std::size_t v = owner(assignment.name);
      if (v == npos || variables_[v].kind != VariableKind::uniform) continue;
      const Pure what = assignment.region == 0 ? Pure::at_once : Pure::uniform;
      if (assignment.value != nullptr && !is_pure(*assignment.value, what)) demote(variables_[v]);
    }
  }
}

void Uniformity::find_indices() {
  for (KernelVariable& variable : variables_) {  // in the order of their declarations
    if (variable.kind != VariableKind::local || !is_index(variable)) continue;
    variable.kind = VariableKind::index;
    // The object of a reference may change, and so may a lambda's result.
    variable.computable = !variable.reference && !lambda_of(syntax_, *variable.local);
  }
}

/// Demotes variables that exist once for a warp, unless their initial values are uniform for the warp. The values may
/// follow from threadIdx.
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
