// `__shared__` variables become references into the shared memory of the block.
#include <algorithm>

#include "translator_detail.hpp"

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

/// A type that the declaration defines gets its definition before the variables. @return how to name it;
/// empty: spelled by tokens
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

/// `auto& s = ::cuemu::shared<TYPE, TAG>();` with a tag that no other variable has. Where an alignment is
/// asked for, the variable is the member of a structure that has it.
void Translator::shared_declarator(const VariableDeclaration& found, const Declarator& declarator,
                                   const std::string& type_name, Context& context) {
  if (declarator.name == npos) return;
  if (declarator.initialiser != npos) {
    error(declarator.initialiser,
          "a __shared__ variable can't be initialised where it is declared: let one thread assign it, then "
          "__syncthreads()");
    return;
  }
  auto type = [&](const char* name) {
    if (!type_name.empty()) text(type_name + " ");
    for (const std::size_t i : found.type) emit(i);
    for (std::size_t i = declarator.begin; i < declarator.end; ++i) {
      if (i != declarator.name)
        i = code_token(i, declarator.end, context) - 1;
      else
        text(name);
    }
  };
  const bool aligned = !found.alignments.empty() && !found.is_extern;
  const std::string tag = unique("shared");
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
  text(found.is_extern ? ">();" : aligned ? ", " + tag + ">().value;" : ", struct " + tag + ">();");
  const Pieces::Cut whole = out_.cut(begin);
  out_.paste(whole);
  context.shared.push_back(
      {std::string(syntax_.at(declarator.name)), "[[maybe_unused]] " + out_.flat(stream_, whole)});
}

}  // namespace emucc::detail
