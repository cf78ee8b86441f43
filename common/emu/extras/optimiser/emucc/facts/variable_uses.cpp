#include "facts/variable_uses.hpp"

#include <algorithm>

#include "analyse/atomics.hpp"
#include "analyse/memory_calls.hpp"
#include "analyse/plain_loop.hpp"
#include "facts/function_objects.hpp"
#include "facts/kept_addresses.hpp"
#include "facts/lambdas.hpp"
#include "facts/warp_calls.hpp"
#include "parse/classes.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// How an expression's object is used.
struct Use {
  bool written = false;
  bool address = false;   ///< the object's address is taken
  bool argument = false;  ///< the object is the argument of a function that may take it by reference
  bool kept = false;      ///< that function may keep the object's address
  bool indexed = false;   ///< only an element is used
  /// The function that gets the object, or a value computed from the object, as an argument; npos if there is none or
  /// it is unknown.
  std::size_t callee = npos;
  std::size_t position = 0;  ///< the position of the argument
};

class UseFinder {
 public:
  UseFinder(const Syntax& syntax, const KnownNames& names, const Uniformity& facts,
            std::vector<KernelVariable>& variables)
      : syntax_(syntax), names_(names), facts_(facts), variables_(variables) {}

  void statement(const Statement& each) {
    for (const StatementPart& part : parts_of(syntax_, each)) {
      if (part.initialises == nullptr)
        visit(*part.expression, {});
      else
        initialiser(each, *part.initialises, *part.expression);
    }
    for (const Statement& inner : each.children) statement(inner);
  }

 private:
  void initialiser(const Statement& declaration, const LocalName& name, const Expression& value) {
    if (const auto lambda = lambda_of(syntax_, name)) {  // the lambda's effects occur where it is called
      for (const Statement& each : body_of(syntax_, *lambda)) statement(each);
      return;
    }
    const ValueType type = syntax_.tree().scopes().specified(declaration.type, declaration.type_end);
    const bool scalar = name.pointer || type.base == ValueType::Base::arithmetic;
    Use use;
    use.indexed = declaration.kind == Statement::Kind::range_for;
    if (scalar || name.reference)
      visit(value, use);
    else
      made_of(name_of_type(syntax_, declaration.type, declaration.type_end), name.direct, value, use);
    const std::size_t v = facts_.owner(name.name);
    if (name.reference && (v == npos || !facts_.is_const_reference(variables_[v]))) bound_to(value);
  }

  /// Notes the uses in `T v(x, y)`, `T v{x, y}` or `T v = x`.
  void made_of(std::size_t type, bool direct, const Expression& value, Use use) {
    const Making making = making_of(syntax_, type);
    use.argument = direct && !takes_values(type);
    use.kept = direct && making.keeps;
    if (value.kind == ExpressionKind::list) return elements(value, making);
    if (direct && value.kind == ExpressionKind::parentheses) return between_commas(value.part(0), use);
    visit(value, use);
  }

  void between_commas(const Expression& node, const Use& use) {
    if (node.kind != ExpressionKind::binary || node.op != ",") return visit(node, use);
    between_commas(node.part(0), use);
    visit(node.part(1), use);
  }

  /// Notes the uses of the elements of a list that initialises an object or an array of objects.
  void elements(const Expression& list, const Making& making) {
    Use use;
    use.argument = making.changes;
    use.kept = making.keeps;
    for (const Expression* part : list.parts) {
      if (part->kind == ExpressionKind::list)
        elements(*part, making);
      else
        visit(*part, use);
    }
  }

  /// Returns true if all constructors of the class that `type` names take their arguments by value.
  bool takes_values(std::size_t type) const {
    const auto known = names_.reference_parameters.find(std::string(syntax_.at(type)));
    return is_predefined_type(syntax_.at(type)) ||
           (known != names_.reference_parameters.end() && known->second == 0);
  }

  /// Notes that a reference is bound to the expression. The reference may change the named objects, but not the
  /// variables that select an element.
  void bound_to(const Expression& node) {
    if (node.kind == ExpressionKind::name && owner(node) != npos && !variables_[owner(node)].pointer)
      variables_[owner(node)].address_taken = true;
    if (node.kind == ExpressionKind::index) return bound_to(node.part(0));
    for (const Expression* part : node.parts) bound_to(*part);
  }

  std::size_t owner(const Expression& name) const { return facts_.owner(name.at); }

  /// Returns the use of an operand from which a value is computed, if `use` describes the use of the value.
  static Use computed(const Use& use) {
    Use inner;
    inner.callee = use.callee;
    return inner;
  }

  void visit_all(const Expression& node, const Use& use) {
    for (const Expression* part : node.parts) visit(*part, use);
  }

  void visit(const Expression& node, const Use& use) {
    switch (node.kind) {
      case ExpressionKind::literal:
      case ExpressionKind::this_:
      case ExpressionKind::query:
        return;
      case ExpressionKind::name:
        if (owner(node) != npos) note(variables_[owner(node)], node.at, use);
        return;
      case ExpressionKind::parentheses:
        return visit_all(node, use);
      case ExpressionKind::member:
        return visit(node.part(0), node.op == "." ? use : computed(use));
      case ExpressionKind::index:
        return index(node, use);
      case ExpressionKind::call:
        return call(node);
      case ExpressionKind::unary:
        return unary(node, use);
      case ExpressionKind::binary:
        visit(node.part(0), computed(use));
        return visit(node.part(1), node.op == "," ? use : computed(use));
      case ExpressionKind::assignment: {
        Use target = use;
        target.written = true;
        visit(node.part(0), target);
        return visit(node.part(1), {});
      }
      case ExpressionKind::conditional:
        visit(node.part(0), {});
        visit(node.part(1), use);
        return visit(node.part(2), use);
      case ExpressionKind::cast:
        return cast(node, use);
      case ExpressionKind::list:
        return visit_all(node, computed(use));
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::launch:
        return visit_all(node, {});
      case ExpressionKind::assembly:
        return visit_all(node, [] {
          Use operand;
          operand.written = operand.address = true;
          return operand;
        }());
      case ExpressionKind::lambda:
      case ExpressionKind::unknown:
        return anything(node);
    }
  }

  void index(const Expression& node, const Use& use) {
    const Expression& array = inside_parentheses(node.part(0));
    const bool pointer = array.kind == ExpressionKind::name
                             ? owner(array) != npos && variables_[owner(array)].pointer
                             : array.kind == ExpressionKind::member && is_pointer_member(syntax_, array);
    Use element = pointer ? computed(use) : use;
    element.indexed = true;
    visit(node.part(0), element);
    for (std::size_t i = 1; i < node.parts.size(); ++i) visit(node.part(i), computed(use));
  }

  void call(const Expression& node) {
    const Expression& callee = inside_parentheses(node.part(0));
    Use use;
    if (callee.kind == ExpressionKind::name || callee.kind == ExpressionKind::member) use.callee = callee.at;
    visit(callee, callee.kind == ExpressionKind::member && callee.op == "." ? called_object(callee)
                  : callee.kind == ExpressionKind::name                     ? called_itself(callee)
                                                                            : Use());
    use.argument = true;
    const auto methods = callee.kind == ExpressionKind::member ? called_methods(syntax_, callee)
                                                               : std::vector<const Method*>();
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
      use.position = i - 1;
      use.kept = use.callee == npos || keeps(use.callee, methods, use.position);
      const Expression& argument = node.part(i);
      if (argument.kind == ExpressionKind::list)  // the list initialises an object of any type
        elements(argument, {use.kept, use.kept});
      else
        visit(argument, use);
    }
  }

  /// Returns the effects of a member function on its object.
  Use called_object(const Expression& callee) const {
    Use use;
    const Expression& object = inside_parentheses(callee.part(0));
    if (object.kind == ExpressionKind::name && owner(object) != npos &&
        variables_[owner(object)].kind == VariableKind::group)
      return use;
    if (is_atomic_member(syntax_, callee)) {  // an atomic_ref changes another object
      use.written = !syntax_.is(object.type.name, "atomic_ref");
      return use;
    }
    const auto all = called_methods(syntax_, callee);
    const auto may = [&](const auto& what) {
      return all.empty() || std::any_of(all.begin(), all.end(), what);
    };
    use.argument = may([](const Method* each) { return !each->constant; });
    use.kept = may_keep_object(syntax_, all);
    use.address = may([](const Method* each) { return each->gives_address; });
    return use;
  }

  /// Returns the effects of an object's `operator()` on the object.
  Use called_itself(const Expression& object) const {
    Use use;
    const std::size_t type = object.type.name;
    if (owner(object) == npos || type == npos || object.type.pointers > 0) return use;
    const Class* const known = syntax_.tree().classes().named(type);
    const auto calls = known == nullptr ? std::vector<const Method*>() : known->calls();
    const bool constant =
        std::all_of(calls.begin(), calls.end(), [](const Method* each) { return each->constant; });
    const bool anything = known == nullptr || syntax_.tree().scopes().is_type_parameter(syntax_.at(type));
    const FunctionObjects* const all = names_.function_objects;
    use.argument = !constant || (anything && (all == nullptr || !all->are_constant()));
    use.kept = use.argument && (known == nullptr || may_keep_object(syntax_, calls));
    return use;
  }

  void unary(const Expression& node, const Use& use) {
    Use operand = computed(use);
    if (node.op == "&")
      operand.address = true;
    else if (node.op == "...")
      operand = use;
    else if (node.op == "++" || node.op == "--")
      operand = use, operand.written = true;
    visit(node.part(0), operand);
  }

  void cast(const Expression& node, const Use& use) {
    Use operand = computed(use);
    bool reference = false;
    for (std::size_t i = node.type_begin; i < node.type_end; ++i)
      reference = reference || syntax_.is(i, "&") || syntax_.is(i, "&&");
    if (reference) {
      operand = use;
      operand.address = true;
    } else if (is_construction(syntax_, node)) {
      operand.argument = true;
      operand.callee = node.at;
      operand.kept = !is_known(node.at) && making_of(syntax_, node.at).keeps;
    } else if (is_list_construction(syntax_, node)) {
      const Making making = making_of(syntax_, node.at);
      for (const Expression* part : node.parts)
        if (part->kind == ExpressionKind::list) elements(*part, making);
      return;
    }
    visit_all(node, operand);
  }

  /// Notes any effect on all variables that the code names, since the code is not understood.
  void anything(const Expression& node) {
    for (std::size_t i = node.begin; i < node.end; ++i) {
      if (facts_.owner(i) == npos) continue;
      KernelVariable& variable = variables_[facts_.owner(i)];
      variable.writes.push_back(i);
      variable.address_taken = variable.escapes = true;
    }
  }

  /// Returns true if the function takes its arguments by value, or doesn't use the arguments after it
  /// returns.
  bool is_known(std::size_t callee) const {
    return callee != npos && (is_independent_call(syntax_, callee) || is_memory_call(syntax_, callee) ||
                              is_warp_function(syntax_, callee, names_) || is_output(syntax_, callee));
  }

  /// Returns true if the function may keep the address of an argument.
  bool keeps(std::size_t callee, const std::vector<const Method*>& methods, std::size_t position) const {
    if (is_known(callee) || has_atomic_name(syntax_, callee)) return false;
    const std::size_t v = facts_.owner(callee);
    if (v == npos || !methods.empty()) return may_keep_argument(syntax_, callee, methods, position);
    const auto lambda = facts_.lambda(v);
    return !lambda || (!is_by_value(callee, position) && may_keep(*lambda));
  }

  /// Returns true if the lambda has an operator that may take an address, or a call that may keep a
  /// reference.
  bool may_keep(const Lambda& lambda) const {
    if (lambda.parameters == npos) return false;
    for (std::size_t i = syntax_.after(lambda.parameters); i < lambda.end(); ++i)
      if (syntax_.is(i, "&") || syntax_.is(i, "->") || syntax_.is(i, "{") ||
          (syntax_.is_name(i) && syntax_.call_open(i) != npos && !is_known(i)))
        if (i != lambda.body) return true;
    return false;
  }

  bool is_by_value(std::size_t callee, std::size_t position) const {
    if (callee == npos) return false;
    if (const std::size_t v = facts_.owner(callee); v != npos) {
      const auto lambda = facts_.lambda(v);
      return lambda && position < 64 &&
             (reference_mask(syntax_, *lambda) & std::uint64_t{1} << position) == 0;
    }
    const auto known = names_.reference_parameters.find(std::string(syntax_.at(callee)));
    if (known == names_.reference_parameters.end() || position >= 64) return false;
    return (known->second & std::uint64_t{1} << position) == 0;
  }

  void note(KernelVariable& variable, std::size_t at, const Use& use) {
    if (use.written) variable.writes.push_back(at);
    const bool known = is_known(use.callee);
    if (use.address || (variable.array && !use.indexed)) {
      variable.address_taken = true;
      const bool atomic = use.callee != npos && has_atomic_name(syntax_, use.callee);
      if (!known && !atomic) variable.escapes = true;
    } else if (use.argument && !known && !variable.constant && !is_by_value(use.callee, use.position)) {
      variable.address_taken = true;  // the parameter may be a reference
    }
    if (use.kept) keep(variable);
  }

  /// Notes that other code may know the variable's address from now on; for a reference, the address of its
  /// object.
  void keep(KernelVariable& variable) {
    if (!variable.reference) {
      variable.escapes = true;
      variable.address_taken = variable.address_taken || !variable.constant;
    } else if (variable.local != nullptr && variable.local->initialiser < variable.local->initialiser_end) {
      keep_named(syntax_.tree().expression(variable.local->initialiser, variable.local->initialiser_end),
                 variable);
    }
  }

  void keep_named(const Expression& node, const KernelVariable& by) {
    if (node.kind == ExpressionKind::index) return keep_named(node.part(0), by);
    const std::size_t v = node.kind == ExpressionKind::name ? owner(node) : npos;
    // Shared variables exist once anyway, and so do parameters that never change.
    if (v != npos && &variables_[v] != &by && !variables_[v].pointer && variables_[v].local != nullptr &&
        variables_[v].kind != VariableKind::shared)
      keep(variables_[v]);
    for (const Expression* part : node.parts) keep_named(*part, by);
  }

  const Syntax& syntax_;
  const KnownNames& names_;
  const Uniformity& facts_;
  std::vector<KernelVariable>& variables_;
};

}  // namespace

void note_uses(const Syntax& syntax, const KnownNames& names, const Uniformity& facts,
               const std::vector<Statement>& statements, std::vector<KernelVariable>& variables) {
  UseFinder finder(syntax, names, facts, variables);
  for (const Statement& each : statements) finder.statement(each);
}

}  // namespace emucc
