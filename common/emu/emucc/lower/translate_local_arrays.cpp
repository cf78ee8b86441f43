// Guards local arrays of device code in a checked program, if they are passed on as pointers. Unused zones
// surround each array (../include/cuemu/local_arrays.hpp). If an array is only indexed, the compiler's own
// check of its bounds suffices.
#include <algorithm>

#include "lower/translator_detail.hpp"

namespace emucc::detail {

namespace {

/// Returns the number of `[…]` at `at`. `after` receives the index after them.
std::size_t bounds_at(const Syntax& syntax, std::size_t at, std::size_t end, std::size_t& after) {
  std::size_t count = 0;
  for (; at < end && syntax.is(at, "["); ++count) at = syntax.after(at);
  after = at;
  return count;
}

/// Returns true if [at, end) uses the address of the array or of a part of it as a value.
bool is_handed_on(const Syntax& syntax, std::size_t at, std::size_t end, std::string_view name,
                  std::size_t dimensions) {
  for (; at < end; ++at) {
    if (!syntax.is(at, name) || syntax.is(at - 1, ".") || syntax.is(at - 1, "->") || syntax.is(at - 1, "::"))
      continue;
    if (syntax.is(at - 1, "(") && syntax.is(at - 2, "sizeof")) continue;
    std::size_t after = at;
    if (bounds_at(syntax, at + 1, end, after) < dimensions || syntax.is(at - 1, "&")) return true;
  }
  return false;
}

}  // namespace

/// Returns true if the declaration can be guarded and the guard is useful.
/// @param end the end of the enclosing code
bool Translator::guards(const VariableDeclaration& found, std::size_t at, std::size_t end) const {
  if (found.begin != at || found.is_extern || found.class_key != npos || !found.alignments.empty())
    return false;
  if (found.type.empty() || found.declarators.size() != 1) return false;
  const Declarator& only = found.declarators.front();
  // The declaration must have only a type, a name and bounds: `float a[8]`.
  if (found.type.front() != at || found.type.back() - at + 1 != found.type.size() ||
      only.begin != found.type.back() + 1 || only.name != only.begin || syntax_.is(at, "return") ||
      syntax_.is(at, "delete") || syntax_.is(at, "goto") || syntax_.is(at, "using") ||
      syntax_.is(at, "auto") || syntax_.is(at, "new") || syntax_.is(at, "case"))
    return false;
  std::size_t behind = only.name + 1;
  const std::size_t dimensions = bounds_at(syntax_, only.name + 1, end, behind);
  if (dimensions == 0 || behind != only.end || syntax_.after(only.name + 1) == only.name + 3) return false;
  if (only.initialiser != npos && syntax_.is(only.initialiser, "(")) return false;
  if (only.initialiser != npos && syntax_.is(only.initialiser, "=") && !syntax_.is(only.initialiser + 1, "{"))
    return false;
  if (!syntax_.is(found.end - 1, ";")) return false;
  // Searches to the end of the block. If the array has a constructor, no jump into its scope is allowed.
  std::size_t last = found.end;
  for (int depth = 0; last < end; ++last) {
    if (syntax_.is(last, "{")) ++depth;
    if (syntax_.is(last, "}") && depth-- == 0) break;
    if (depth == 0 && (syntax_.is(last, "case") || syntax_.is(last, "default"))) return false;
    if (syntax_.is(last, "goto")) return false;
  }
  return is_handed_on(syntax_, found.end, last, syntax_.at(only.name), dimensions);
}

/// @return the index after the declaration; npos if there is no array to guard
std::size_t Translator::guarded_array(std::size_t at, std::size_t end, Context& context) {
  if (!options_.check || !context.device || !context.in_function || context.in_head || context.in_class ||
      at == 0)
    return npos;
  if (!syntax_.is(at - 1, ";") && !syntax_.is(at - 1, "{") && !syntax_.is(at - 1, "}")) return npos;
  // A cheap check first: a name with a bound must be near, before any other declarator.
  std::size_t near = at;
  while (near < end && near < at + 24 && !syntax_.is(near, "[") && !syntax_.is(near, ";") &&
         !syntax_.is(near, "(") && !syntax_.is(near, "=") && !syntax_.is(near, "{"))
    ++near;
  if (near >= end || !syntax_.is(near, "[") || near < at + 2) return npos;
  const VariableDeclaration found = read_variables(syntax_, at, end);
  if (!guards(found, at, end)) return npos;
  const Declarator& only = found.declarators.front();
  const std::string guarded = unique("array");
  for (std::size_t i = found.begin; i < found.end; ++i) drop(i);
  text("::cuemu::GuardedArray<");
  for (const std::size_t i : found.type) emit(i);
  for (std::size_t i = only.name + 1; i < only.end;) i = type_token(i, only.end, context);
  text("> " + guarded);
  if (only.initialiser != npos) {
    text("{{}, ");
    code(only.initialiser + (syntax_.is(only.initialiser, "=") ? 1 : 0), found.end - 1, context);
    text(", {}, {}}");
  }
  text("; " + guarded + ".before.is_of(\"" + std::string(syntax_.at(only.name)) +
       "\"); [[maybe_unused]] auto& ");
  emit(only.name);
  text(" = " + guarded + ".array();");
  return found.end;
}

}  // namespace emucc::detail
