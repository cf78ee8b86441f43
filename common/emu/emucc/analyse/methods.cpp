#include "analyse/methods.hpp"

#include <algorithm>

namespace emucc {
namespace {

/// Is the name at `at` declared there, `Grid grid`, `const Grid& grid,`? @return the last word of its type, or npos
std::size_t declared_type(const Syntax& syntax, std::size_t at) {
  bool ends = false;
  for (std::string_view sign : {",", ")", "=", ";", "{", "("}) ends = ends || syntax.is(at + 1, sign);
  std::size_t type = at - 1;
  if (!ends) return npos;
  while (syntax.is(type, "&") || syntax.is(type, "const")) --type;
  if (!syntax.is_identifier(type)) return npos;
  for (std::string_view word : {"return", "else", "case", "goto", "new", "throw", "auto", "typename"})
    if (syntax.is(type, word)) return npos;
  return type;
}

/// The innermost declaration of the name at `variable` that comes before it: the last word of its type, or npos.
std::size_t type_before(const Syntax& syntax, std::size_t variable) {
  for (std::size_t at = variable; at-- > 1;) {
    const std::size_t partner = syntax.partner(at);
    if (partner != npos && partner < at) {
      const bool parameters = syntax.is(at, ")") && syntax.is(at + 1, "{") && syntax.after(at + 1) > variable;
      if (!parameters) at = partner;  // what is declared in there is not known here
    } else if (syntax.at(at) == syntax.at(variable)) {
      const std::size_t type = declared_type(syntax, at);
      if (type != npos) return type;
      if (syntax.is(at - 1, "*") || syntax.is(at - 1, "&&") || syntax.is(at - 1, ">") ||
          syntax.is(at - 1, "auto"))
        return npos;  // perhaps declared as something else
    }
  }
  return npos;
}

/// Is the token inside of a namespace of that name?
bool is_in_namespace(const Syntax& syntax, std::size_t token, std::string_view name) {
  for (std::size_t i = 0; i < token; ++i) {
    if (!syntax.is(i, "namespace")) continue;
    std::size_t open = i + 1;
    while (syntax.is_identifier(open) || syntax.is(open, "::")) ++open;
    if (syntax.is(open, "{") && syntax.is(open - 1, name) && syntax.after(open) > token) return true;
  }
  return false;
}

/// The `{` of the only class of that name; npos where there are several, or none.
std::size_t class_body(const Syntax& syntax, std::string_view name) {
  std::size_t found = npos;
  for (std::size_t i = 1; i + 1 < syntax.size(); ++i) {
    if (!syntax.is(i, name) || !(syntax.is(i - 1, "struct") || syntax.is(i - 1, "class"))) continue;
    std::size_t open = i + 1;
    if (syntax.is(open, ":") || syntax.is(open, "final"))
      while (open < syntax.size() && !syntax.is(open, "{") && !syntax.is(open, ";"))
        open = syntax.after(open);
    if (!syntax.is(open, "{") || syntax.partner(open) == npos) continue;  // it is only mentioned
    if (found != npos || syntax.is(i - 2, "enum") || syntax.is(i - 2, ">")) return npos;
    found = open;
  }
  return found;
}

}  // namespace

std::size_t class_of(const Syntax& syntax, std::size_t variable) {
  if (!syntax.is_name(variable) || syntax.is(variable - 1, ".") || syntax.is(variable - 1, "->") ||
      syntax.is(variable - 1, "::"))
    return npos;
  const std::size_t type = type_before(syntax, variable);
  const std::size_t body = type != npos ? class_body(syntax, syntax.at(type)) : npos;
  if (body != npos && syntax.is(type - 1, "::") && !is_in_namespace(syntax, body, syntax.at(type - 2)))
    return npos;
  return body;
}

std::vector<Method> methods(const Syntax& syntax, std::size_t class_body, std::string_view name) {
  std::vector<Method> all;
  const std::size_t close = syntax.partner(class_body);
  bool is_virtual = false, address = false, is_mutable = false;
  for (std::size_t i = class_body + 1; i < close; i = syntax.after(i)) {
    if (syntax.is(i, ";") || syntax.is(i, "{") || syntax.is(i, ":")) is_virtual = address = false;
    is_virtual = is_virtual || syntax.is(i, "virtual");
    is_mutable = is_mutable || syntax.is(i, "mutable");
    address = address || syntax.is(i, "*") || syntax.is(i, "&") || syntax.is(i, "auto");
    if (!syntax.is(i, name) || !syntax.is(i + 1, "(")) continue;
    Method found;
    found.parameters = i + 1;
    found.gives_address = address;
    std::size_t at = syntax.after(i + 1);
    for (; syntax.is(at, "const") || syntax.is(at, "noexcept"); ++at)
      found.constant = found.constant || syntax.is(at, "const");
    if (syntax.is(at, "{") && !is_virtual) found.body = at;
    all.push_back(found);
  }
  for (Method& each : all) each.constant = each.constant && !is_mutable;
  return all;
}

std::vector<Method> called_methods(const Syntax& syntax, std::size_t name) {
  if (name < 2 || !syntax.is(name - 1, ".")) return {};
  const std::size_t body = class_of(syntax, name - 2);
  return body == npos ? std::vector<Method>() : methods(syntax, body, syntax.at(name));
}

namespace {
/// Where the member that `name` names, behind a variable and a `.`, is declared; npos where that can't be told.
std::size_t member(const Syntax& syntax, std::size_t name) {
  if (name < 2 || !syntax.is(name - 1, ".")) return npos;
  const std::size_t body = class_of(syntax, name - 2);
  if (body == npos) return npos;
  std::size_t found = npos;
  for (std::size_t i = body + 1; i < syntax.partner(body); i = syntax.after(i)) {
    if (syntax.at(i) != syntax.at(name)) continue;
    if (found != npos) return npos;
    found = i;
  }
  return found;
}
}  // namespace

bool is_pointer_member(const Syntax& syntax, std::size_t name) {
  const std::size_t at = member(syntax, name);
  if (at == npos) return false;
  // `float *x, *y;` and no `float* x[4];`
  const bool constant = syntax.is(at - 1, "const") || syntax.is(at - 1, "__restrict__");
  const bool ends = syntax.is(at + 1, ";") || syntax.is(at + 1, ",") || syntax.is(at + 1, "=");
  return ends && syntax.is(constant ? at - 2 : at - 1, "*");
}

bool is_array_member(const Syntax& syntax, std::size_t name) {
  const std::size_t at = member(syntax, name);
  // `int begin[8];` and no `int* begin[8]`, `int (&begin)[8]`
  return at != npos && syntax.is(at + 1, "[") && syntax.is(syntax.after(at + 1), ";") &&
         syntax.is_identifier(at - 1);
}

}  // namespace emucc
