// Translates asm statements in device code. Their PTX becomes C++ (ptx.hpp), and their operands are bound to
// PTX's registers.
#include "lower/ptx.hpp"
#include "lower/translator_detail.hpp"

namespace emucc::detail {
namespace {

/// Returns the text that a string literal denotes.
std::string text_of(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  if (quote == literal.npos) return {};
  if (quote > 0 && literal[quote - 1] == 'R') {
    const std::size_t open = literal.find('(', quote), close = literal.rfind(')');
    return open == literal.npos || close <= open ? ""
                                                 : std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string text;
  for (std::size_t i = quote + 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      text += literal[i];
      continue;
    }
    const char c = literal[++i];
    text += c == 'n' || c == 'r' || c == 't' ? (c == 't' ? '\t' : '\n') : c == '\n' ? ' ' : c;
  }
  return text;
}

struct BoundOperand : PtxOperand {
  std::size_t open = 0;  ///< the parenthesis before the operand's expression
};

}  // namespace

std::size_t Translator::assembly(std::size_t at, Context& context) {
  std::size_t open = at + 1;
  while (open < syntax_.size() && syntax_.is_identifier(open)) ++open;  // volatile, goto
  if (!syntax_.is(open, "(") || syntax_.partner(open) == npos) return emit(at), at + 1;
  const std::size_t close = syntax_.partner(open);
  const auto is_string = [&](std::size_t index) { return stream_.tokens[index].kind == TokenKind::string; };

  std::string text;
  std::size_t next = open + 1;
  for (; next < close && is_string(next); ++next) text += text_of(syntax_.at(next));
  const bool barrier =
      text.find_first_not_of(" \t\n") == text.npos;  // the compiler's own: asm volatile("" ::: "memory")

  std::vector<BoundOperand> operands;
  int section = 0;  // outputs, inputs, clobbers
  for (; next < close && section < 3; ++next) {
    if (syntax_.is(next, ":")) {
      ++section;
    } else if (syntax_.is(next, "::")) {
      section += 2;
    } else if (section < 3 && is_string(next) && syntax_.is(next + 1, "(")) {
      BoundOperand operand;
      operand.constraint = text_of(syntax_.at(next));
      if (next >= 3 && syntax_.is(next - 1, "]")) operand.name = std::string(syntax_.at(next - 2));
      operand.open = next + 1;
      if (operand.type().empty()) {
        error(next, "the emulation does not know the constraint \"" + operand.constraint +
                        "\" of PTX: it knows h, r, l, f, d and n");
        return close + 1;
      }
      operands.push_back(operand);
      next = syntax_.partner(operand.open);
    }
  }
  if (barrier && operands.empty()) {
    for (std::size_t i = at; i <= close; ++i) emit(i);
    return close + 1;
  }
  const PtxTranslation ptx =
      barrier ? PtxTranslation{{}, "asm volatile(\"\" ::: \"memory\"); ", {}}
              : translate_ptx(text, std::vector<PtxOperand>(operands.begin(), operands.end()), ++count_);
  if (!ptx.error.empty()) {
    error(at, ptx.error);
    for (std::size_t i = at; i <= close; ++i) emit(i);
    return close + 1;
  }

  ptx_.insert(at);
  // Operands are evaluated once, in their order.
  for (std::size_t i = at; i <= close; ++i) drop(i);
  replace(at, "do {");
  std::string before = ptx.declarations, after;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string name = "cuemu_c" + std::to_string(i), variable = ptx_register(i);
    const std::string type = operands[i].type();
    this->text(" auto&& " + name + " = ");
    code(operands[i].open, syntax_.after(operands[i].open), context);
    this->text(";");
    if (type == "Integer")
      before += "[[maybe_unused]] const ::cuemu::ptx::Integer " + variable + "{static_cast<long long>(" +
                name + ")}; ";
    else if (operands[i].is_input())
      before += "[[maybe_unused]] " + type + " " + variable + " = ::cuemu::ptx::input<" + type + ">(" + name +
                "); ";
    else
      before += "[[maybe_unused]] " + type + " " + variable + "{}; ";
    if (operands[i].is_output()) after += "::cuemu::ptx::output(" + name + ", " + variable + "); ";
  }
  this->text(" " + before + ptx.code + after + "} while (false)");
  return close + 1;
}

}  // namespace emucc::detail
