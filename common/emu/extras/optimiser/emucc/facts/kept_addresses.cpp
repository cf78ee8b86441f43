#include "facts/kept_addresses.hpp"

#include <algorithm>

#include "analyse/plain_loop.hpp"
#include "parse/parameters.hpp"
#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"

namespace emucc {
namespace {

constexpr int deepest = 4;  ///< the most nested objects that are examined
constexpr std::size_t the_object = npos;

enum class Held : std::uint8_t {
  addresses,   ///< pointers or references
  references,  ///< references
};

class AddressReader {
 public:
  explicit AddressReader(const Syntax& syntax) : syntax_(syntax) {}

  /// @param position the argument's position, or `the_object`
  bool keeps(const Declaration& function, const Class* of, std::size_t position) const {
    const bool has_object = of != nullptr && !function.words.static_;
    const auto parameters = read_parameters(syntax_, function.parameters);
    if (position != the_object && !by_reference(parameters, position)) return false;
    const std::size_t result = type_of_result(function);
    if (result == npos) return true;
    if (has_object && !is_constant(function) && holds(*of, Held::addresses, 0)) return true;
    bool anything = is_anything(result);  // a template's type: the body may show that it is a plain value
    if (!anything && holds(result, Held::addresses, 0)) return true;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (i == position || !may_lead_to_address(parameters[i])) continue;
      if (!is_anything(name_of_type(syntax_, parameters[i].begin, end_of_specifiers(parameters[i]))))
        return true;
      anything = true;
    }
    return anything && (function.body == npos || takes_address(function.body));
  }

  static bool by_reference(const std::vector<Parameter>& parameters, std::size_t position) {
    if (position >= parameters.size())  // an argument for C's `...`, or one of a pack
      return std::any_of(parameters.begin(), parameters.end(),
                         [](const Parameter& each) { return each.pack; });
    const Parameter& parameter = parameters[position];
    for (std::size_t i = 0; i <= position; ++i)
      if (parameters[i].pack) return true;
    return parameter.reference || parameter.rvalue || parameter.parenthesised;
  }

  /// Returns true if a variable of the type that `type` names may hold an address, directly or in a member.
  bool holds(std::size_t type, Held what, int depth) const {
    if (const Class* const found = syntax_.tree().classes().named(type)) return holds(*found, what, depth);
    return !is_number(type);
  }

  bool holds(const Class& found, Held what, int depth) const {
    if (depth == deepest) return true;
    for (std::size_t i = found.name; i < found.open; ++i)
      if (syntax_.is(i, ":")) return true;  // a base class may hold anything
    const std::vector<Unit> units = units_of(syntax_, found.open + 1, syntax_.partner(found.open));
    return std::any_of(units.begin(), units.end(),
                       [&](const Unit& unit) { return holds(unit, what, depth + 1); });
  }

 private:
  bool holds(const Unit& unit, Held what, int depth) const {
    using Kind = Declaration::Kind;
    const Kind kind = unit.declaration.kind;
    if (kind == Kind::function || kind == Kind::prototype) return false;
    if (kind != Kind::variable) {
      for (std::string_view word : {"using", "typedef", "static_assert", "enum", "friend", "template"})
        if (syntax_.is(unit.begin, word)) return false;
      return true;
    }
    std::size_t at = unit.begin;
    while (syntax_.is(at, "mutable") || syntax_.word(at) == Word::static_ ||
           syntax_.word(at) == Word::inline_)
      ++at;
    Statement names;
    if (!read_declaration(syntax_, at, unit.end, names)) return true;
    return std::any_of(names.names.begin(), names.names.end(), [&](const LocalName& name) {
      const ValueType type = syntax_.tree().scopes().declared(names, name);
      if (type.reference) return true;
      if (type.pointers > 0) return what == Held::addresses;
      if (type.base == ValueType::Base::arithmetic) return false;
      return type.name == npos || holds(type.name, what, depth);
    });
  }

  /// Returns true if the type consists of one or several numbers: `float`, `float4`, `half`.
  bool is_number(std::size_t type) const {
    const std::string_view name = syntax_.at(type);
    if (name == "auto") return false;
    return is_arithmetic_type(name) ||
           (is_predefined_type(name) && (name.size() < 2 || name.substr(name.size() - 2) != "_t"));
  }

  bool is_constant(const Declaration& method) const {
    return syntax_.is(syntax_.after(method.parameters), "const");
  }

  bool is_anything(std::size_t type) const {
    return syntax_.tree().scopes().is_type_parameter(syntax_.at(type));
  }

  /// Returns true if the body has an operator that may take an address, or a call that may keep a reference.
  bool takes_address(std::size_t body) const {
    for (std::size_t i = body + 1; i < syntax_.partner(body); ++i) {
      const bool block = syntax_.is(i - 1, ")") || syntax_.is(i - 1, "{") || syntax_.is(i - 1, "}") ||
                         syntax_.is(i - 1, ";") || syntax_.is(i - 1, "else");
      if (syntax_.is(i, "&") || syntax_.is(i, "->") || (syntax_.is(i, "{") && !block)) return true;
      if (syntax_.is_name(i) && syntax_.call_open(i) != npos && !is_independent_call(syntax_, i)) return true;
    }
    return false;
  }

  /// Returns the last word of the result's type; npos if its form may be an address.
  std::size_t type_of_result(const Declaration& function) const {
    std::size_t begin = function.begin;
    while (syntax_.word(begin) == Word::template_ && syntax_.is(begin + 1, "<")) {
      if (syntax_.template_close(begin + 1) == npos) return npos;
      begin = syntax_.template_close(begin + 1) + 1;
    }
    std::size_t end = function.name;  // for a name such as `A::f`
    while (end > begin && syntax_.is(end - 1, "::")) {
      end -= 2;
      if (syntax_.is(end, ">") && syntax_.template_open(end) != npos) end = syntax_.template_open(end) - 1;
    }
    if (syntax_.word(function.name) == Word::operator_ || begin >= end) return npos;
    std::size_t last = npos;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::string_view bad : {"*", "&", "&&", "auto", "decltype", "requires", "<"})
        if (syntax_.is(i, bad)) return npos;
      const bool type =
          is_predefined_type(syntax_.at(i)) || (syntax_.is_name(i) && syntax_.word(i) == Word::none);
      if (type && !(last != npos && is_arithmetic_type(syntax_.at(last)))) last = i;
    }
    return last;
  }

  std::size_t end_of_specifiers(const Parameter& parameter) const {
    std::size_t end = parameter.name == npos ? parameter.end : parameter.name;
    while (end > parameter.begin && !syntax_.is_name(end - 1) && !syntax_.is(end - 1, ">") &&
           !is_arithmetic_type(syntax_.at(end - 1)))
      --end;
    return end;
  }

  /// Returns true if the function may write an address through this parameter.
  bool may_lead_to_address(const Parameter& parameter) const {
    if (parameter.pack) return true;
    const ValueType type = syntax_.tree().scopes().specified(parameter.begin, end_of_specifiers(parameter));
    const bool number =
        type.base == ValueType::Base::arithmetic ||
        (type.name != npos && !syntax_.is(type.name, "void") && !holds(type.name, Held::addresses, 0));
    if (!number) return true;
    if (parameter.parenthesised) return !parameter.reference;  // `float (&s)[4]`; not `void (*f)(float&)`
    const int pointers = parameter.pointers + (parameter.array ? 1 : 0);
    return pointers > 1 || (pointers == 1 && (parameter.reference || parameter.rvalue));
  }

  const Syntax& syntax_;
};

/// Calls `visit` with the declaration of each method. Returns false if a declaration is not found.
template <class Visit>
bool each_declaration(const Syntax& syntax, const std::vector<const Method*>& methods, const Visit& visit) {
  for (const Method* const method : methods) {
    const auto* const all = syntax.tree().functions().named(method->name);
    if (all == nullptr) return false;
    const auto found = std::find_if(all->begin(), all->end(), [&](const OwnFunction& each) {
      return each.declaration.parameters == method->parameters;
    });
    if (found == all->end()) return false;
    visit(found->declaration, method->of);
  }
  return !methods.empty();
}

}  // namespace

bool may_keep_argument(const Syntax& syntax, std::size_t callee, const std::vector<const Method*>& methods,
                       std::size_t position) {
  const AddressReader reader(syntax);
  bool keeps = false;
  if (!methods.empty())
    return !each_declaration(syntax, methods, [&](const Declaration& method, const Class* of) {
      keeps = keeps || reader.keeps(method, of, position);
    }) || keeps;
  const auto* const all = syntax.tree().functions().named(syntax.at(callee));
  if (all == nullptr || !may_be_own(syntax, callee)) return true;
  for (const OwnFunction& each : *all) {
    const bool has_object = each.in_class && !each.declaration.words.static_;
    if (!AddressReader::by_reference(read_parameters(syntax, each.declaration.parameters), position))
      continue;
    if (has_object || reader.keeps(each.declaration, nullptr, position)) return true;
  }
  return false;
}

bool may_keep_object(const Syntax& syntax, const std::vector<const Method*>& methods) {
  const AddressReader reader(syntax);
  bool keeps = false;
  return !each_declaration(syntax, methods, [&](const Declaration& method, const Class* of) {
    keeps = keeps || reader.keeps(method, of, the_object);
  }) || keeps;
}

Making making_of(const Syntax& syntax, std::size_t type) {
  const AddressReader reader(syntax);
  const Class* const found = syntax.tree().classes().named(type);
  if (found == nullptr) {
    const bool may = reader.holds(type, Held::addresses, 0);
    return {may, may};
  }
  const bool holds = reader.holds(*found, Held::addresses, 0);
  if (!found->constructors) return {true, holds};
  Making making;
  for (const Constructor& each : *found->constructors) {
    const auto parameters = read_parameters(syntax, each.parameters);
    making.changes = making.changes || reference_mask(parameters) != 0;
    for (std::size_t i = 0; i < parameters.size() && holds; ++i)
      making.keeps = making.keeps || AddressReader::by_reference(parameters, i);
  }
  if (reader.holds(*found, Held::references, 0) &&
      found->constructors->empty())  // the object is initialised member by member
    making.changes = making.keeps = true;
  return making;
}

}  // namespace emucc
