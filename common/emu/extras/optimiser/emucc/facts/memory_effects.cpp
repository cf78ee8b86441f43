#include "facts/memory_effects.hpp"

#include <algorithm>

#include "analyse/atomics.hpp"
#include "analyse/memory_calls.hpp"
#include "analyse/plain_loop.hpp"
#include "facts/warp_calls.hpp"
#include "parse/classes.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

bool intersect(const std::set<std::size_t>& one, const std::set<std::size_t>& other) {
  return std::any_of(one.begin(), one.end(), [&](std::size_t place) { return other.count(place) > 0; });
}

const Expression* named(const Expression& callee) {
  const Expression& inner = inside_parentheses(callee);
  return inner.kind == ExpressionKind::name ? &inner : nullptr;
}

bool is_reference(const Syntax& syntax, const Expression& cast) {
  for (std::size_t i = cast.type_begin; i < cast.type_end; ++i)
    if (syntax.is(i, "&") || syntax.is(i, "&&")) return true;
  return false;
}

/// Returns true if the function accesses exactly the object that its first argument points to.
bool accesses(std::string_view function) {
  return is_load_function(function) || is_store_function(function);
}

/// Finds the variables whose address may reach code that does not name them.
class EscapeFinder {
 public:
  EscapeFinder(const Syntax& syntax, const Uniformity& facts, std::vector<bool>& own_place)
      : syntax_(syntax), facts_(facts), own_place_(own_place) {}

  void statement(const Statement& each) {
    for (const StatementPart& part : parts_of(syntax_, each)) {
      const auto lambda = part.initialises != nullptr ? lambda_of(syntax_, *part.initialises) : std::nullopt;
      Use range;  // a loop over a range uses the range's elements
      range.subscripts = each.kind == Statement::Kind::range_for && !part.initialises->reference ? 1 : 0;
      if (!lambda)
        visit(*part.expression, range);
      else
        for (const Statement& inner : body_of(syntax_, *lambda)) statement(inner);
    }
    for (const Statement& inner : each.children) statement(inner);
  }

 private:
  /// How an expression's object is used.
  struct Use {
    std::size_t subscripts = 0;  ///< the number of subscripts applied to the object
    bool member = false;         ///< a member is selected
    bool address = false;        ///< its address is taken by other than an atomic function, a load or a store
    bool lent = false;           ///< the object is the argument of such a function
  };

  void visit_all(const Expression& node) {
    for (const Expression* part : node.parts) visit(*part, {});
  }

  void visit(const Expression& node, Use use) {
    switch (node.kind) {
      case ExpressionKind::literal:
      case ExpressionKind::this_:
      case ExpressionKind::query:
        return;
      case ExpressionKind::name:
        if (facts_.owner(node.at) != npos && escapes(facts_.variables()[facts_.owner(node.at)], use))
          own_place_[facts_.owner(node.at)] = false;
        return;
      case ExpressionKind::parentheses:
        return visit(node.part(0), use);
      case ExpressionKind::index: {
        Use array;
        array = use;
        ++array.subscripts;
        visit(node.part(0), array);
        for (std::size_t i = 1; i < node.parts.size(); ++i) visit(node.part(i), {});
        return;
      }
      case ExpressionKind::member: {
        Use object;
        object.member = true;
        return visit(node.part(0), object);
      }
      case ExpressionKind::unary: {
        Use operand;
        operand.address = node.op == "&" && !use.lent;
        return visit(node.part(0), operand);
      }
      case ExpressionKind::call: {
        const Expression* const callee = named(node.part(0));
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
          Use argument;
          argument.lent = i == 1 && callee != nullptr &&
                          (has_atomic_name(syntax_, callee->at) || accesses(syntax_.at(callee->at)));
          visit(node.part(i), argument);
        }
        return;
      }
      case ExpressionKind::cast: {
        Use operand;
        operand.address = is_reference(syntax_, node);
        for (const Expression* part : node.parts) visit(*part, operand);
        return;
      }
      case ExpressionKind::conditional:
        visit(node.part(0), {});
        visit(node.part(1), use);
        return visit(node.part(2), use);
      case ExpressionKind::binary:
        visit(node.part(0), {});
        return visit(node.part(1), node.op == "," ? use : Use());
      case ExpressionKind::assignment:
        visit(node.part(0), use);
        return visit(node.part(1), {});
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::list:
      case ExpressionKind::launch:
        return visit_all(node);
      case ExpressionKind::assembly:
      case ExpressionKind::lambda:
      case ExpressionKind::unknown:
        for (std::size_t i = node.begin; i < node.end; ++i)
          if (facts_.owner(i) != npos) own_place_[facts_.owner(i)] = false;
        return;
    }
  }

  bool escapes(const KernelVariable& variable, const Use& use) const {
    std::size_t dimensions = variable.kind == VariableKind::shared ? 0 : 1;
    if (variable.local != nullptr) dimensions += dimensions_of(syntax_, *variable.local);
    return use.subscripts != dimensions || use.member || use.address;
  }

  const Syntax& syntax_;
  const Uniformity& facts_;
  std::vector<bool>& own_place_;
};

/// Returns true for `extern __shared__ float s[];`.
bool is_dynamic_shared(const Syntax& syntax, const KernelVariable& variable) {
  if (variable.kind != VariableKind::shared) return false;
  for (std::size_t i = variable.type; i < variable.type_end; ++i)
    if (syntax.word(i) == Word::extern_) return true;
  return false;
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
  EscapeFinder finder(syntax, facts, own_place_);
  for (const Statement& each : syntax.tree().body(begin, end).statements) finder.statement(each);
  // All arrays of dynamic shared memory begin at the same address.
  std::vector<std::size_t> dynamic;
  for (std::size_t v = 0; v < own_place_.size(); ++v)
    if (is_dynamic_shared(syntax, facts.variables()[v])) dynamic.push_back(v);
  if (dynamic.size() > 1)
    for (const std::size_t v : dynamic) own_place_[v] = false;
  for (const KernelVariable& variable : facts.variables())  // a reference is another name for an element
    if (variable.reference && variable.kind == VariableKind::index)
      own_place_[facts_.owner(variable.local->initialiser)] = false;
}

void MemoryEffects::access(std::size_t where, const Use& use, Effects& effects) const {
  effects.reads.insert(where);
  if (use.written || use.address) effects.writes.insert(where);
}

/// @param indexed true if an element of the named object is accessed
void MemoryEffects::name(const Expression& node, bool indexed, const Use& use, Effects& effects) const {
  const std::size_t v = facts_.owner(node.at);
  if (v == npos) {
    if (indexed || names_.device_variables.count(std::string(syntax_.at(node.at))) > 0)
      access(Effects::elsewhere, use, effects);
    return;
  }
  const KernelVariable& variable = facts_.variables()[v];
  if (variable.reference && variable.kind == VariableKind::index)
    access(Effects::elsewhere, use, effects);
  else if (variable.reference && variable.kind != VariableKind::uniform)  // the object is unknown
    effects.anything = true;
  else if (variable.kind == VariableKind::shared || (indexed && !variable.array))
    access(place(v), use, effects);
}

/// Adds the effects of `*pointer` or `array[i]`.
void MemoryEffects::element_of(const Expression& operand, const Use& use, Effects& effects) const {
  const Expression& array = inside_parentheses(operand);
  if (array.kind == ExpressionKind::name) return name(array, true, use, effects);
  // In s.values[i], where s isn't shared, the pointer may point anywhere.
  if (array.kind != ExpressionKind::index) access(Effects::elsewhere, use, effects);
  visit(array, use, effects);
}

void MemoryEffects::index(const Expression& node, const Use& use, Effects& effects) const {
  element_of(node.part(0), use, effects);
  for (std::size_t i = 1; i < node.parts.size(); ++i) visit(node.part(i), {}, effects);
}

/// Adds the effects of a called function.
void MemoryEffects::call(const Expression& node, Effects& effects) const {
  const Expression& callee = inside_parentheses(node.part(0));
  if (callee.kind == ExpressionKind::member) {
    visit(callee, {}, effects);
    method(callee, effects);
  } else if (callee.kind != ExpressionKind::name) {
    effects.anything = true;
  } else {
    call_named(callee.at, node, effects);
  }
  const std::string_view function = callee.kind == ExpressionKind::name ? syntax_.at(callee.at) : "";
  for (std::size_t i = 1; i < node.parts.size(); ++i)
    if (i == 1 && accesses(function))
      access_by(function, node.part(i), effects);
    else
      visit(inside_parentheses(node.part(i)), {}, effects);
}

/// Adds the effects of `__ldcs(address)` or `__stcs(address, …)`.
void MemoryEffects::access_by(std::string_view function, const Expression& argument, Effects& effects) const {
  const Expression& address = inside_parentheses(argument);
  Use use;
  use.written = is_store_function(function);
  if (address.kind == ExpressionKind::unary && address.op == "&") return visit(address.part(0), use, effects);
  if (function != "__ldg")
    access(Effects::elsewhere, use, effects);  // the memory that __ldg reads is never written
  visit(address, {}, effects);
}

/// Adds the effects of a called member function, unless it is a member of a group.
void MemoryEffects::method(const Expression& callee, Effects& effects) const {
  const Expression& object = inside_parentheses(callee.part(0));
  const std::size_t v = object.kind == ExpressionKind::name ? facts_.owner(object.at) : npos;
  if (v != npos && facts_.variables()[v].kind == VariableKind::group) return;
  if (is_atomic_member(syntax_, callee)) {
    Use changed;
    changed.written = true;
    if (callee.op == "->") return access(Effects::elsewhere, changed, effects);
    if (const Expression* const target = target_of(object)) return effects.add(effects_of_object(*target));
  }
  const auto all = called_methods(syntax_, callee);
  const bool confined = std::all_of(all.begin(), all.end(), [&](const Method* each) {
    return each->constant && each->body != npos &&
           is_confined_function(syntax_, each->parameters, each->body + 1, syntax_.partner(each->body),
                                names_);
  });
  effects.anything = effects.anything || all.empty() || !confined;
}

void MemoryEffects::call_named(std::size_t callee, const Expression& node, Effects& effects) const {
  const std::string spelled(syntax_.at(callee));
  if (const std::size_t v = facts_.owner(callee); v != npos) {
    const auto lambda = facts_.lambda(v);
    effects.anything = effects.anything || !lambda || facts_.variables()[v].kind != VariableKind::index;
    if (effects.anything) return;
    for (const Statement& each : body_of(syntax_, *lambda)) visit(each, effects);
    const std::uint64_t references = reference_mask(syntax_, *lambda);
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
      Effects argument;
      visit(node.part(i), {}, argument);
      if (i > 64 || (references & std::uint64_t{1} << (i - 1)) != 0)
        effects.writes.insert(argument.reads.begin(), argument.reads.end());
    }
  } else if (has_atomic_name(syntax_, callee)) {
    Effects target;
    if (node.parts.size() > 1) target = effects_of_target(node.part(1));
    effects.add(target);
  } else if ((is_block_copy(spelled) || is_generator_function(spelled)) && is_memory_call(syntax_, callee)) {
    effects.reads.insert(Effects::elsewhere);
    effects.writes.insert(Effects::elsewhere);
  } else if (names_.confined_functions.count(spelled) > 0) {
    Effects arguments;
    for (std::size_t i = 1; i < node.parts.size(); ++i) visit(node.part(i), {}, arguments);
    effects.writes.insert(arguments.reads.begin(), arguments.reads.end());  // through a reference
  } else if (names_.plain_functions.count(spelled) > 0 || names_.nonblocking_functions.count(spelled) > 0 ||
             names_.warp_functions.count(spelled) > 0 ||
             syntax_.tree().scopes().is_function_parameter(spelled) || syntax_.word(callee) == Word::printf ||
             syntax_.word(callee) == Word::assert_fail) {
    effects.anything = true;
  }
}

/// Returns the object that `cuda::atomic_ref<int> object(target)` refers to, or the object itself if it is a
/// `cuda::atomic`. Null if the object is unknown.
const Expression* MemoryEffects::target_of(const Expression& object) const {
  if (!syntax_.is(object.type.name, "atomic_ref")) return &object;
  if (object.kind == ExpressionKind::cast) return object.parts.size() == 1 ? &object.part(0) : nullptr;
  if (object.kind != ExpressionKind::name) return nullptr;
  const std::size_t declared = syntax_.tree().scopes().meaning(object.at).declared;
  if (declared == npos || !(syntax_.is(declared + 1, "(") || syntax_.is(declared + 1, "{"))) return nullptr;
  return &syntax_.tree().expression(declared + 2, syntax_.partner(declared + 1));
}

/// Returns the effects of an atomic function whose first argument is `address`: `&s[i]`, or any other
/// pointer.
Effects MemoryEffects::effects_of_target(const Expression& address) const {
  const Expression& object = inside_parentheses(address);
  if (object.kind == ExpressionKind::unary && object.op == "&") return effects_of_object(object.part(0));
  Effects effects;
  effects.reads.insert(Effects::elsewhere);
  effects.writes.insert(Effects::elsewhere);
  return effects;
}

/// Returns the effects of an atomic operation on `s[i]`.
Effects MemoryEffects::effects_of_object(const Expression& target) const {
  Effects effects;
  const Expression* object = &inside_parentheses(target);
  while (object->kind == ExpressionKind::index ||
         (object->kind == ExpressionKind::member && object->op == "."))
    object = &inside_parentheses(object->part(0));
  const std::size_t v = object->kind == ExpressionKind::name ? facts_.owner(object->at) : npos;
  const std::size_t where = v != npos && !facts_.variables()[v].reference ? place(v) : Effects::elsewhere;
  effects.reads.insert(where);
  effects.writes.insert(where);
  return effects;
}

namespace {
bool constructs_confined(const Syntax& syntax, const KnownNames& names, std::size_t type);
}  // namespace

void MemoryEffects::visit(const Expression& node, const Use& use, Effects& effects) const {
  if (effects.anything) return;
  switch (node.kind) {
    case ExpressionKind::literal:
    case ExpressionKind::query:
      return;
    case ExpressionKind::name:
      return name(node, false, use, effects);
    case ExpressionKind::parentheses:
      return visit(node.part(0), use, effects);
    case ExpressionKind::index:
      return index(node, use, effects);
    case ExpressionKind::member:
      if (node.op == "->") break;
      return visit(node.part(0), use, effects);
    case ExpressionKind::call:
      return call(node, effects);
    case ExpressionKind::unary: {
      if (node.op == "*") {
        const ValueType& pointer = node.part(0).type;
        if (pointer.pointers == 0 && pointer.dimensions == 0) break;  // an operator of a class
        return element_of(node.part(0), use, effects);
      }
      Use operand;
      operand.address = node.op == "&";
      operand.written = node.op == "++" || node.op == "--";
      return visit(node.part(0), operand, effects);
    }
    case ExpressionKind::assignment: {
      const Expression& target = inside_parentheses(node.part(0));
      if (target.kind != ExpressionKind::name && target.kind != ExpressionKind::index &&
          target.kind != ExpressionKind::member &&
          !(target.kind == ExpressionKind::unary && target.op == "*"))
        break;
      Use written;
      written.written = true;
      visit(node.part(0), written, effects);
      return visit(node.part(1), {}, effects);
    }
    case ExpressionKind::cast:
      if (is_reference(syntax_, node)) break;
      if (is_construction(syntax_, node) && !constructs_confined(syntax_, names_, node.at)) break;
      for (const Expression* part : node.parts) visit(*part, {}, effects);
      return;
    case ExpressionKind::conditional:
      visit(node.part(0), {}, effects);
      visit(node.part(1), use, effects);
      return visit(node.part(2), use, effects);
    case ExpressionKind::binary:
      if (node.op == ".*" || node.op == "->*") break;
      visit(node.part(0), {}, effects);
      return visit(node.part(1), node.op == "," ? use : Use(), effects);
    case ExpressionKind::list:
      for (const Expression* part : node.parts) visit(*part, {}, effects);
      return;
    case ExpressionKind::this_:
    case ExpressionKind::new_:
    case ExpressionKind::delete_:
    case ExpressionKind::throw_:
    case ExpressionKind::lambda:
    case ExpressionKind::launch:
    case ExpressionKind::assembly:
    case ExpressionKind::unknown:
      break;
  }
  effects.anything = true;
}

void MemoryEffects::visit(const Statement& statement, Effects& effects) const {
  for (const StatementPart& part : parts_of(syntax_, statement)) {
    if (statement.kind == Statement::Kind::range_for) {  // iterators of other ranges may access any memory
      const bool array = part.expression->kind == ExpressionKind::name;
      effects.anything = effects.anything || !array || part.initialises->reference;
      if (array) name(*part.expression, true, {}, effects);
      continue;
    }
    // The object of a reference may also be used by its own name.
    if (part.initialises != nullptr && part.initialises->reference) effects.anything = true;
    if (part.initialises != nullptr && part.initialises->direct && !part.initialises->pointer) {
      const ValueType type = syntax_.tree().scopes().specified(statement.type, statement.type_end);
      if (type.base != ValueType::Base::arithmetic &&
          !constructs_confined(syntax_, names_, name_of_type(syntax_, statement.type, statement.type_end)))
        effects.anything = true;
    }
    // A lambda's effects occur where the lambda is called. Lambdas that are nested in this statement aren't tracked.
    const std::size_t v = part.initialises != nullptr ? facts_.owner(part.initialises->name) : npos;
    if (v == npos || facts_.variables()[v].local != part.initialises || !facts_.lambda(v))
      visit(*part.expression, {}, effects);
  }
  for (const Statement& inner : statement.children) visit(inner, effects);
}

Effects MemoryEffects::of(const Statement& statement) const {
  Effects effects;
  visit(statement, effects);
  return effects;
}

Effects MemoryEffects::of_once(const OnceRead& read) const {
  const Expression& node = syntax_.tree().expression(read.begin, read.end);
  const bool element = node.kind == ExpressionKind::index && node.part(0).kind == ExpressionKind::name;
  const std::size_t v = element ? facts_.owner(node.part(0).at) : npos;
  if (v == npos) return of(read.begin, read.end);
  const KernelVariable& pointer = facts_.variables()[v];
  const bool parameter = pointer.local == nullptr && pointer.pointer && pointer.writes.empty();
  if (!parameter || !syntax_.is(pointer.type, "const") || node.part(0).type.pointers != 1)
    return of(read.begin, read.end);
  Effects effects;
  for (std::size_t i = 1; i < node.parts.size(); ++i) visit(node.part(i), {}, effects);
  return effects;
}

Effects MemoryEffects::of(std::size_t begin, std::size_t end) const {
  Effects effects;
  if (begin < end) visit(syntax_.tree().expression(begin, end), {}, effects);
  return effects;
}

namespace {

class SilenceReader {
 public:
  SilenceReader(const Syntax& syntax, const KnownNames& names) : syntax_(syntax), names_(names) {}

  bool read(const std::vector<Statement>& statements) const {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Statement& each) { return read(each); });
  }

 private:
  bool read(const Statement& statement) const {
    for (std::size_t i = statement.type; i < statement.type_end; ++i)
      if (syntax_.is(i, "static")) return false;
    for (const auto* list : {&statement.names, &statement.counters})
      for (const LocalName& name : *list)
        if (name.array) return false;
    for (const StatementPart& part : parts_of(syntax_, statement))
      if (!read(*part.expression)) return false;
    return statement.kind != Statement::Kind::shared && statement.kind != Statement::Kind::range_for &&
           read(statement.children);
  }

  bool read(const Expression& node) const {
    const auto are_parts = [&] {
      return std::all_of(node.parts.begin(), node.parts.end(),
                         [&](const Expression* part) { return read(*part); });
    };
    switch (node.kind) {
      case ExpressionKind::literal:
      case ExpressionKind::query:
        return true;
      case ExpressionKind::name:
        return names_.device_variables.count(std::string(syntax_.at(node.at))) == 0;
      case ExpressionKind::parentheses:
      case ExpressionKind::assignment:
      case ExpressionKind::conditional:
      case ExpressionKind::list:
        return are_parts();
      case ExpressionKind::binary:
        return node.op != ".*" && node.op != "->*" && are_parts();
      case ExpressionKind::member:
        return node.op == "." && are_parts();
      case ExpressionKind::unary:
        return node.op != "*" && node.op != "&" && are_parts();
      case ExpressionKind::call:
        return named(node.part(0)) != nullptr && is_confined(named(node.part(0))->at) && are_parts();
      case ExpressionKind::cast:
        return (!is_construction(syntax_, node) || is_confined(node.at) ||
                constructs_confined(syntax_, names_, node.at)) &&
               are_parts();
      case ExpressionKind::this_:
      case ExpressionKind::index:
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

  bool is_confined(std::size_t callee) const {
    const std::string name(syntax_.at(callee));
    return (is_independent_call(syntax_, callee) && !is_memory_function(name)) ||
           names_.confined_functions.count(name) > 0 ||
           (is_warp_function(syntax_, callee, names_) && names_.warp_functions.count(name) == 0);
  }

  const Syntax& syntax_;
  const KnownNames& names_;

 public:
  bool read_expression(const Expression& node) const { return read(node); }
};

/// Returns true if the constructors of the class that `type` names access only the object's memory. They may
/// keep their arguments.
bool constructs_confined(const Syntax& syntax, const KnownNames& names, std::size_t type) {
  if (is_predefined_type(syntax.at(type)) || is_independent_call(syntax, type) ||
      is_atomic_class(syntax, type))
    return true;
  const auto* const all = constructors(syntax, type);
  return all != nullptr && std::all_of(all->begin(), all->end(), [&](const Constructor& each) {
           const SilenceReader reader(syntax, names);
           return std::all_of(
                      each.initialisers.begin(), each.initialisers.end(),
                      [&](const auto& range) {
                        return range.first == range.second ||
                               reader.read_expression(syntax.tree().expression(range.first, range.second));
                      }) &&
                  (each.body == npos ||
                   reader.read(syntax.tree().body(each.body + 1, syntax.partner(each.body)).statements));
         });
}

}  // namespace

bool is_confined_function(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                          const KnownNames& names) {
  for (std::size_t i = parameters; i < begin; ++i)
    if (syntax.is(i, "*") || syntax.is(i, "[")) return false;
  return SilenceReader(syntax, names).read(syntax.tree().body(begin, end).statements);
}

}  // namespace emucc
