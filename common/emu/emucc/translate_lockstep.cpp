// Warps that work in step without __syncwarp(), as programs for GPUs before Volta do:
//
//     volatile float* s = shared;                    s[lane] += s[lane + 16];
//     s[lane] += s[lane + 16];               ->      s[lane] += ::cuemu::in_step(s[lane + 16]);
//     ::cuemu::step();
//
// On GPUs the lanes of such a warp go on together, and programs that rely on it pass everywhere. So each
// assignment through a pointer to volatile memory lets all lanes read before any writes, and write before any
// goes on. Not with the checker, which reports the missing __syncwarp().
#include <algorithm>
#include <array>

#include "translator_detail.hpp"

namespace emucc::detail {

/// Pointers and arrays of a device function that are volatile. Not those of a kernel's own parameters, which
/// are for other blocks, and none that a loop waits for.
std::unordered_set<std::string> Translator::volatile_pointers(const Declaration& found) const {
  std::unordered_set<std::string> names;
  if (found.parameters == npos || found.body == npos) return names;
  for (std::size_t i = found.words.global ? found.body : found.parameters; i < found.end; ++i) {
    if (!syntax_.is(i, "volatile")) continue;
    bool pointer = false;
    std::size_t at = i + 1;
    while (at < found.end && (syntax_.is_identifier(at) || syntax_.is(at, "*") || syntax_.is(at, "::"))) {
      pointer = pointer || syntax_.is(at, "*");
      ++at;
    }
    if (!syntax_.is_name(at - 1) || (!pointer && !syntax_.is(at, "["))) continue;
    if (!is_watched(found, syntax_.at(at - 1))) names.emplace(syntax_.at(at - 1));
  }
  return names;
}

/// Does the condition of a loop mention it?
bool Translator::is_watched(const Declaration& found, std::string_view name) const {
  for (std::size_t i = found.body; i < found.end; ++i) {
    if ((syntax_.is(i, "while") || syntax_.is(i, "for")) && syntax_.is(i + 1, "(") &&
        syntax_.mentions(i + 2, syntax_.after(i + 1), name))
      return true;
  }
  return false;
}

/// A statement `s[i] = …;` or `s[i] += …;`. @return what stands behind it; npos: it is none
std::size_t Translator::lockstep(std::size_t at, std::size_t end, Context& context) {
  static constexpr std::array<std::string_view, 8> assignments = {
      "=", "+=", "-=", "*=", "|=", "&=", "^=", "/="};
  if (context.volatile_pointers.count(std::string(syntax_.at(at))) == 0 || at == 0 ||
      !syntax_.is(at + 1, "["))
    return npos;
  const std::size_t before = at - 1;
  bool begins = syntax_.is(before, ";") || syntax_.is(before, "{") || syntax_.is(before, "}") ||
                syntax_.is(before, "else");
  if (syntax_.is(before, ")")) {
    const std::size_t open = syntax_.partner(before);
    begins = open != npos && open > 0 && (syntax_.is(open - 1, "if") || syntax_.is(open - 1, "for"));
  }
  const std::size_t sign = syntax_.after(at + 1);
  if (!begins || std::find(assignments.begin(), assignments.end(), syntax_.at(sign)) == assignments.end() ||
      syntax_.is(sign + 1, "{"))
    return npos;
  std::size_t semicolon = sign + 1;
  while (semicolon < end && !syntax_.is(semicolon, ";")) {
    if (syntax_.is(semicolon, ",") || syntax_.is(semicolon, ")") || syntax_.is(semicolon, "}")) return npos;
    semicolon = syntax_.after(semicolon);
  }
  if (semicolon >= end) return npos;
  text("{ ");
  emit(at);
  code(at + 1, sign + 1, context);
  text(" ::cuemu::in_step(");
  code(sign + 1, semicolon, context);
  text(")");
  emit(semicolon);
  text(" ::cuemu::step(); }");
  return semicolon + 1;
}

}  // namespace emucc::detail
