#include "parse/variables.hpp"

namespace emucc {
namespace {

/// Finds the first token of the statement that contains CUDA's specifier at `word`.
std::size_t statement_begin(const Syntax& syntax, std::size_t word) {
  std::size_t begin = word;
  while (begin > 0) {
    const std::size_t before = begin - 1;
    const TokenKind kind = syntax.stream().tokens[before].kind;
    if (kind == TokenKind::directive || kind == TokenKind::verbatim) break;
    if (syntax.is(before, ";") || syntax.is(before, "{") || syntax.is(before, "}") || syntax.is(before, ":"))
      break;
    if (syntax.is(before, ")")) {  // the parenthesis of an attribute; otherwise that of `if (…)`
      const std::size_t open = syntax.partner(before);
      if (open == npos || open == 0) break;
      const Word w = syntax.word(open - 1);
      if (w != Word::align && w != Word::argument_keyword) break;
      begin = open - 1;
      continue;
    }
    begin = before;
  }
  return begin;
}

/// Reads one declarator at `at`. @return the token after the declarator: `,` or `;` or the first token of an
/// initialiser
std::size_t read_declarator(const Syntax& syntax, std::size_t at, std::size_t limit, Declarator& found) {
  found.begin = at;
  while (at < limit) {
    if (syntax.is(at, "[")) {
      at = syntax.after(at);
    } else if (syntax.is(at, "(") && found.name == npos) {  // (*p)
      const std::size_t close = syntax.after(at) - 1;
      for (std::size_t i = at; i < close; ++i) {
        if (syntax.is_name(i)) found.name = i;
      }
      at = close + 1;
    } else if (syntax.is_name(at) && found.name == npos && !syntax.is(at, "__restrict__") &&
               !syntax.is(at, "__restrict")) {
      found.name = at++;
    } else if (syntax.is(at, ",") || syntax.is(at, ";") || syntax.is(at, "=") || syntax.is(at, "{") ||
               syntax.is(at, "(")) {
      break;
    } else {
      ++at;
    }
  }
  found.end = at;
  return at;
}

/// Reads the specifiers before the first declarator. A name is part of the type if another token of the type,
/// or a declarator, follows.
std::size_t read_specifiers(const Syntax& syntax, std::size_t at, std::size_t limit,
                            VariableDeclaration& found) {
  bool named = false;  // a type name was found: the next name at this level is the variable
  while (at < limit) {
    const Word w = syntax.word(at);
    if (w == Word::extern_) {
      found.is_extern = true;
      ++at;
    } else if (w == Word::static_ || w == Word::inline_ || w == Word::constexpr_ ||
               (w >= Word::global && w <= Word::dropped)) {
      ++at;
    } else if (w == Word::align || syntax.is(at, "alignas")) {
      if (!syntax.is(at + 1, "(")) return at;
      found.alignments.push_back(at + 1);
      at = syntax.after(at + 1);
    } else if (syntax.is(at, "[") && syntax.is(at + 1, "[")) {
      at = syntax.after(at);
    } else if (w == Word::argument_keyword) {  // decltype(…) is a type; __attribute__((…)) is part of it
      const std::size_t end = syntax.after(at + 1);
      for (; at < end; ++at) found.type.push_back(at);
      named = true;
    } else if (w == Word::class_key && syntax.class_body(at) < limit) {
      found.class_key = at;
      found.class_body = syntax.class_body(at);
      for (std::size_t i = at + 1; i < found.class_body && !syntax.is(i, ":"); ++i) {
        if (syntax.is_name(i)) found.class_name = i;
      }
      at = syntax.after(found.class_body);
      named = true;
    } else if (w == Word::class_key || w == Word::enumeration || syntax.is(at, "typename") ||
               syntax.is(at, "const") || syntax.is(at, "volatile")) {
      found.type.push_back(at++);
    } else if (syntax.is(at, "template") && syntax.is(at + 1, "<")) {  // of a variable template
      const std::size_t close = syntax.template_close(at + 1);
      if (close == npos || close >= limit) return at;
      at = close + 1;
    } else if (syntax.is(at, "::") || syntax.is(at, "template")) {
      found.type.push_back(at++);
      named = false;
    } else if (syntax.is(at, "<") && named) {
      const std::size_t close = syntax.template_close(at);
      if (close == npos || close >= limit) return at;
      for (; at <= close; ++at) found.type.push_back(at);
    } else if (syntax.is_name(at)) {
      static constexpr std::string_view builtin[] = {"unsigned", "signed", "long",  "short", "int",
                                                     "char",     "double", "float", "bool",  "__int128"};
      bool is_builtin = false;
      for (auto word : builtin) is_builtin = is_builtin || syntax.is(at, word);
      const bool continues = syntax.is(at + 1, "::");
      if (named && !is_builtin && !continues && !syntax.is(at - 1, "::")) return at;
      found.type.push_back(at++);
      named = true;
    } else {
      return at;  // *, &, ( or invalid text
    }
  }
  return at;
}

}  // namespace

VariableDeclaration read_variables(const Syntax& syntax, std::size_t word, std::size_t limit) {
  VariableDeclaration found;
  found.begin = statement_begin(syntax, word);
  std::size_t at = read_specifiers(syntax, found.begin, limit, found);
  while (at < limit && !syntax.is(at, ";") && !syntax.is(at, "}")) {
    Declarator declarator;
    const std::size_t stop = read_declarator(syntax, at, limit, declarator);
    at = stop;
    if (at < limit && !syntax.is(at, ",") && !syntax.is(at, ";")) {
      declarator.initialiser = at;
      while (at < limit && !syntax.is(at, ",") && !syntax.is(at, ";"))
        at = syntax.is(at, "(") || syntax.is(at, "{") || syntax.is(at, "[") ? syntax.after(at) : at + 1;
    }
    found.declarators.push_back(declarator);
    if (at < limit && syntax.is(at, ",")) ++at;
  }
  found.end = at < limit && syntax.is(at, ";") ? at + 1 : at;
  return found;
}

}  // namespace emucc
