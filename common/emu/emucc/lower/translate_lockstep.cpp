// Translates code whose warps rely on lockstep execution without __syncwarp(), as in programs for GPUs before
// Volta:
//
//     volatile float* s = shared;                    s[lane] += s[lane + 16];
//     s[lane] += s[lane + 16];               ->      s[lane] += ::cuemu::in_step(s[lane + 16]);
//     ::cuemu::step();
//
// On such GPUs the lanes of a warp advance together, so these programs give the right results there.
// Therefore, in each assignment through a pointer to volatile memory, all lanes read before any lane writes,
// and all lanes write before any lane continues. The checker switches this off, and reports the missing
// __syncwarp().
//
// With `emucc --lockstep`, this is done for all device code that accesses memory, statement by statement:
//
//     int next = s[(t + 1) % 32];         int next = s[(t + 1) % 32]; ::cuemu::step_at(15);
//     if (s[t] > next) s[t] = next;  ->   if (::cuemu::in_step_at(17, s[t] > next)) { s[t] = next; ::cuemu::step_at(31); }
//                                         ::cuemu::step_at(31);
//
// The numbers are positions in the text. By these, lanes on different paths reconverge (cuemu/lockstep.hpp).
// The calls are inserted between tokens, so the statements themselves are translated as usual.
#include <algorithm>
#include <array>

#include "lower/translator_detail.hpp"

namespace emucc::detail {

/// Returns the volatile pointers and arrays of a device function. A kernel's own parameters are excluded,
/// since they serve communication with other blocks. Variables that a loop waits for are excluded as well.
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

/// Returns true if the condition of a loop contains the name.
bool Translator::is_watched(const Declaration& found, std::string_view name) const {
  for (std::size_t i = found.body; i < found.end; ++i) {
    if ((syntax_.is(i, "while") || syntax_.is(i, "for")) && syntax_.is(i + 1, "(") &&
        syntax_.mentions(i + 2, syntax_.after(i + 1), name))
      return true;
  }
  return false;
}

/// Translates a statement `s[i] = …;` or `s[i] += …;`. @return the position after it; npos if there is no
/// such statement
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

/// Returns true if the tokens may access memory that other lanes see: elements, dereferenced pointers, calls,
/// and shared variables by name.
bool Translator::touches_memory(std::size_t begin, std::size_t end,
                                const std::unordered_set<std::string>& shared) const {
  const auto ends_operand = [&](std::size_t i) {
    return syntax_.is_name(i) || syntax_.is(i, ")") || syntax_.is(i, "]") ||
           stream_.tokens[i].kind == TokenKind::number;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (syntax_.is(i, "->")) return true;
    if (syntax_.is(i, "[") && i > begin && ends_operand(i - 1)) return true;
    if (syntax_.is(i, "*") && (i == begin || !ends_operand(i - 1))) return true;
    if (!syntax_.is_name(i)) continue;
    if (syntax_.is(i + 1, "(") && i + 1 < end && syntax_.at(i).rfind("__sync", 0) != 0) return true;
    if (shared.count(std::string(syntax_.at(i))) > 0 ||
        device_variables_.count(std::string(syntax_.at(i))) > 0)
      return true;
  }
  return false;
}

namespace {

void shared_names(const Syntax& syntax, const std::vector<Statement>& statements,
                  std::unordered_set<std::string>& names) {
  for (const Statement& statement : statements) {
    if (statement.kind == Statement::Kind::shared)
      for (std::size_t i = statement.head; i + 1 < statement.end; ++i)
        if (syntax.is_name(i) && (syntax.is(i + 1, ";") || syntax.is(i + 1, ",") || syntax.is(i + 1, "[")))
          names.emplace(syntax.at(i));
    shared_names(syntax, statement.children, names);
  }
}

/// Returns the position of a statement's assignment operator, outside all brackets; npos if there is none.
std::size_t assignment_sign(const Syntax& syntax, std::size_t begin, std::size_t end) {
  static constexpr std::array<std::string_view, 11> signs = {
      "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="};
  for (std::size_t i = begin; i < end; i = syntax.after(i)) {
    if (syntax.is(i, ",") || syntax.is(i, "?")) return npos;
    if (std::find(signs.begin(), signs.end(), syntax.at(i)) != signs.end()) return i;
  }
  return npos;
}
/// Returns true if the range has a comma outside all brackets.
bool has_comma(const Syntax& syntax, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; i = syntax.after(i))
    if (syntax.is(i, ",")) return true;
  return false;
}

}  // namespace

/// Records where the lanes of a warp reconverge in a function. If the function's statements can't be
/// separated, it is not changed.
void Translator::steps_of_lanes(const Declaration& found) {
  std::vector<Statement> statements;
  if (found.body == npos || syntax_.partner(found.body) == npos) return;
  if (!read_statements(syntax_, found.body + 1, found.end - 1, statements)) {
    if (found.name != npos) note_kernel(found, "runs without steps: its statements can't be separated");
    return;
  }
  std::unordered_set<std::string> shared;
  for (const SharedName& name : namespace_shared_) shared.insert(name.name);
  shared_names(syntax_, statements, shared);
  steps_of_lanes(statements, true, shared);
}

/// @param in_block whether the statements are in braces; otherwise a statement that becomes several needs
/// braces
/// @return true if lanes reconverge anywhere in the statements
bool Translator::steps_of_lanes(const std::vector<Statement>& statements, bool in_block,
                                const std::unordered_set<std::string>& shared) {
  using Kind = Statement::Kind;
  bool any = false;
  // If several places are at one token, the inner places are recorded first, with lower numbers.
  const auto place = [&](std::size_t token) { return std::to_string(token * 64 + places_at_[token]++); };
  const auto step = [&](std::size_t token) { return " ::cuemu::step_at(" + place(token) + ");"; };
  const auto wrap = [&](std::size_t begin, std::size_t end, std::size_t at) {
    before_token_[begin] += "::cuemu::in_step_at(" + place(at) + ", ";
    before_token_[end].insert(0, ")");
    any = true;
  };
  for (const Statement& statement : statements) {
    const bool inside = steps_of_lanes(statement.children, statement.kind == Kind::compound, shared);
    any = any || inside;
    const std::size_t last = statement.end - 1;
    // A condition with a declaration is not changed.
    const auto reads = [&](std::size_t begin, std::size_t end) {
      return begin < end && assignment_sign(syntax_, begin, end) == npos;
    };
    // Lanes that leave a loop and lanes that begin its next iteration reconverge at the loop's end. So the
    // condition's place is there.
    const auto loop_condition = [&](std::size_t begin, std::size_t end) {
      if (begin == end)
        before_token_[end] += "::cuemu::in_step_at(" + place(last) + ", true)";
      else if (reads(begin, end) && (inside || touches_memory(begin, end, shared)))
        wrap(begin, end, last);
    };
    switch (statement.kind) {
      case Kind::declaration:
      case Kind::expression: {
        if (!syntax_.is(last, ";") || !touches_memory(statement.head, last, shared)) break;
        if (statement.kind == Kind::expression) {
          const std::size_t sign = assignment_sign(syntax_, statement.head, last);
          if (sign != npos && !has_comma(syntax_, sign + 1, last) && !syntax_.is(sign + 1, "{") &&
              touches_memory(sign + 1, last, shared))
            wrap(sign + 1, last, sign);
        }
        if (!in_block) before_token_[statement.head].insert(0, "{ ");
        after_token_[last] = step(last) + (in_block ? "" : " }");
        any = true;
        break;
      }
      case Kind::if_: {
        const bool decides = !syntax_.is(statement.open - 1, "constexpr");
        if (decides && reads(statement.open + 1, statement.close) &&
            touches_memory(statement.open + 1, statement.close, shared))
          wrap(statement.open + 1, statement.close, statement.open);
        if (inside && decides && in_block) after_token_[last] += step(last);
        break;
      }
      case Kind::while_:
      case Kind::do_:
        loop_condition(statement.open + 1, statement.close);
        if (inside && in_block) after_token_[last] += step(last);
        break;
      case Kind::for_:
        if (inside || touches_memory(statement.semicolon[0] + 1, statement.semicolon[1], shared))
          loop_condition(statement.semicolon[0] + 1, statement.semicolon[1]);
        if (inside && in_block) after_token_[last] += step(last);
        break;
      case Kind::switch_:
        if (inside && in_block) after_token_[last] += step(last);
        break;
      default:
        break;
    }
  }
  return any;
}

}  // namespace emucc::detail
