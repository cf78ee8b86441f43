// Translates `__shared__` variables to references into the block's shared memory.
#include <algorithm>

#include "lower/translator_detail.hpp"

namespace emucc::detail {

std::size_t Translator::shared_statement(std::size_t word, std::size_t end, Context& context) {
  const VariableDeclaration found = read_variables(syntax_, word, end);
  if (found.end <= word || found.declarators.empty()) {
    drop(word);
    return word + 1;
  }
  out_.cut(marks_[found.begin]);
  for (std::size_t i = found.begin; i < found.end; ++i) drop(i);
  const std::string type_name = in_place_class(found, context);
  for (const auto& declarator : found.declarators) shared_declarator(found, declarator, type_name, context);
  return found.end;
}

/// Writes a class that is defined in the declaration before the variables. @return its name; empty if tokens
/// spell the type
std::string Translator::in_place_class(const VariableDeclaration& found, Context& context) {
  if (found.class_key == npos) return {};
  const std::string name =
      found.class_name == npos ? unique("type") : std::string(syntax_.at(found.class_name));
  emit(found.class_key);
  if (found.class_name == npos) text(name);
  code(found.class_key + 1, found.class_body, context);
  emit(found.class_body);
  Context inside = context;
  inside.in_class = true;
  inside.in_function = inside.kernel = false;
  const std::size_t close = syntax_.after(found.class_body) - 1;
  declarations(found.class_body + 1, close, inside);
  emit(close);
  text("; ");
  return name;
}

/// Returns true for a size such as `[n >> 1]`, which needs parentheses within template arguments.
static bool size_has_greater(const Syntax& syntax, std::size_t open) {
  if (open == npos) return false;
  for (std::size_t i = open + 1; i + 1 < syntax.after(open); ++i)
    if (syntax.is(i, ">")) return true;
  return false;
}

/// Writes one token of a declarator, which becomes a template argument. @return the index after it
std::size_t Translator::type_token(std::size_t at, std::size_t end, Context& context) {
  if (syntax_.is(at, "]") && size_has_greater(syntax_, syntax_.partner(at))) text(")");
  const std::size_t next = code_token(at, end, context);
  if (syntax_.is(at, "[") && size_has_greater(syntax_, at)) text("(");
  return next;
}

/// Writes `auto& s = ::cuemu::shared<TYPE, TAG>();` with a unique tag. If a variable has an explicit
/// alignment, it becomes the member of a structure with that alignment. For dynamic shared memory the
/// alignment is an argument.
void Translator::shared_declarator(const VariableDeclaration& found, const Declarator& declarator,
                                   const std::string& type_name, Context& context) {
  if (declarator.name == npos) return;
  if (declarator.initialiser != npos) {
    error(declarator.initialiser,
          "a __shared__ variable can't be initialised where it is declared: let one thread assign it, then "
          "__syncthreads()");
    return;
  }
  // Without the `;` between two declarations, the second one would be read as a part of the first,
  // repeatedly.
  for (std::size_t i = declarator.begin; i < declarator.end; ++i)
    if (syntax_.word(i) == Word::shared) {
      error(i, "expected ';' before this __shared__");
      return;
    }
  auto type = [&](const char* name) {
    if (!type_name.empty()) text(type_name + " ");
    for (const std::size_t i : found.type) emit(i);
    for (std::size_t i = declarator.begin; i < declarator.end; ++i) {
      if (i != declarator.name)
        i = type_token(i, declarator.end, context) - 1;
      else
        text(name);
    }
  };
  const bool aligned = !found.alignments.empty() && !found.is_extern;
  // The name in the tag appears in reports (see shared.hpp).
  const auto known = context.shared_tags.find(std::string(syntax_.at(declarator.name)));
  const std::string tag = known != context.shared_tags.end()
                              ? known->second
                              : unique("shared_" + std::string(syntax_.at(declarator.name)));
  if (aligned) {
    text("struct ");
    for (const std::size_t open : found.alignments) {
      text("alignas");
      code(open, syntax_.after(open), context);
    }
    text(" " + tag + " { ");
    type("value");
    text("; };");
  }
  const std::size_t begin = out_.size();
  out_.replace(found.begin, "auto& ");
  emit(declarator.name);
  text(found.is_extern ? " = ::cuemu::dynamic_shared<" : " = ::cuemu::shared<");
  if (aligned)
    text(tag);
  else
    type("");
  if (found.is_extern && !found.alignments.empty()) {  // the alignment of a type, or a number
    const std::size_t open = found.alignments.front();
    text(", ::cuemu::detail::alignment<");
    code(open + 1, syntax_.after(open) - 1, context);
    text(">()");
  }
  text(found.is_extern ? ">();" : aligned ? ", " + tag + ">().value;" : ", struct " + tag + ">();");
  const TokenWriter::Cut whole = out_.cut(begin);
  out_.paste(whole);
  context.shared.push_back(
      {std::string(syntax_.at(declarator.name)), "[[maybe_unused]] " + out_.flat(stream_, whole)});
}

namespace {

/// Returns true if [begin, end) declares `name`, or may do so.
bool declared_within(const Syntax& syntax, std::size_t begin, std::size_t end, std::string_view name) {
  bool type_alias = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (syntax.is(i, ";")) type_alias = false;
    if (syntax.word(i) == Word::typedef_ || syntax.word(i) == Word::using_) type_alias = true;
    if (!syntax.is(i, name)) continue;
    if (type_alias || i == begin) return true;
    const bool expression = syntax.is(i - 1, "return") || syntax.is(i - 1, "case") ||
                            syntax.is(i - 1, "else") || syntax.is(i - 1, "do") || syntax.is(i - 1, "sizeof");
    if (syntax.is_identifier(i - 1) && !expression) return true;
  }
  return false;
}

bool is_fundamental(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {"void", "bool",  "char",   "short",  "int",
                                                             "long", "float", "double", "signed", "unsigned"};
  return words.count(word) > 0;
}

}  // namespace

/// Returns the shared variables that a kernel's body declares: `{sizeof(T), alignof(T)}, …`.
/// cudaFuncGetAttributes() and the computation of occupancy use this list for a kernel that has not run yet.
/// Variables whose type is local to the body are omitted.
std::string Translator::declared_shared(std::size_t begin, std::size_t end) {
  std::string all;
  std::unordered_set<std::string_view> own;
  for (std::size_t i = begin; i < end; ++i) {
    if (syntax_.word(i) != Word::shared) continue;
    const VariableDeclaration found = read_variables(syntax_, i, end);
    if (found.is_extern || found.class_key != npos || found.begin < begin) continue;
    for (const auto& declarator : found.declarators) {
      std::vector<std::size_t> type = found.type;
      for (std::size_t t = declarator.begin; t < declarator.end; ++t) {
        if (t != declarator.name) type.push_back(t);
      }
      bool known = declarator.name != npos;
      std::string spelling;
      for (const std::size_t t : type) {
        const auto word = syntax_.at(t);
        // If nothing above declares a name, it is a user's error, which is reported where the name is used.
        known = known && own.count(word) == 0 &&
                (!syntax_.is_name(t) || is_fundamental(word) ||
                 (!declared_within(syntax_, begin, found.begin, word) && syntax_.mentions(0, begin, word)));
        spelling += syntax_.spaced(t);
      }
      if (declarator.name != npos) own.insert(syntax_.at(declarator.name));
      if (known)
        all += (all.empty() ? "{sizeof(" : ", {sizeof(") + spelling + "), alignof(" + spelling + ")}";
    }
  }
  return all;
}

}  // namespace emucc::detail
