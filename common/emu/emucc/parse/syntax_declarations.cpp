// Finds the end of a declaration, and reads the declaration's head.
#include "parse/syntax.hpp"

namespace emucc {

void Syntax::note(Declaration& found, Word word, std::string_view spelling, std::size_t index) {
  Words& words = found.words;
  switch (word) {
    case Word::global:
      words.global = true;
      break;
    case Word::device:
      words.device = true;
      break;
    case Word::host:
      words.host = true;
      break;
    case Word::constant:
      words.constant = true;
      break;
    case Word::managed:
      words.managed = true;
      break;
    case Word::shared:
      words.shared = true;
      break;
    case Word::extern_:
      words.extern_ = true;
      break;
    case Word::static_:
      words.static_ = true;
      break;
    case Word::inline_:
    case Word::forceinline:
      words.inline_ = true;
      break;
    case Word::constexpr_:
      words.constexpr_ = true;
      words.consteval_ = words.consteval_ || spelling == "consteval";
      break;
    case Word::launch_bounds:
      found.launch_bounds = index;
      break;
    case Word::cluster_dims:
      found.cluster_dims = index;
      break;
    default:
      words.const_ = words.const_ || spelling == "const";
      break;
  }
}

Declaration Syntax::declaration(std::size_t begin, std::size_t limit) const {
  Declaration found;
  found.begin = begin;
  read_head(found, limit);
  return found;
}

/// True if the parentheses are a pointer's declarator, as in `float (*p)(float)` and `int (*q)[4]`. They then
/// contain no parameters.
bool Syntax::pointer_declarator(std::size_t open) const {
  if (!is(open + 1, "*") && !is(open + 1, "&")) return false;
  for (std::size_t i = open + 1, close = partner(open); i < close; ++i)
    if (is(i, "(")) return false;  // the function returns such a pointer
  return true;
}

void Syntax::read_head(Declaration& found, std::size_t limit) const {
  using Kind = Declaration::Kind;
  bool initialiser = false, constructor_list = false, is_class = false, is_enum = false, other = false;
  std::size_t i = found.begin;
  while (i < limit) {
    const Word w = word(i);
    note(found, initialiser ? Word::none : w, initialiser ? "" : at(i), i);
    if (w == Word::typedef_ || w == Word::using_) other = true;
    if (w == Word::class_key && found.parameters == npos && !initialiser) is_class = true;
    if (w == Word::enumeration) is_enum = true;
    if (w == Word::template_ && is(i + 1, "<")) {
      found.words.template_ = true;
      const std::size_t close = template_close(i + 1);
      if (close != npos) i = close;
    } else if (w == Word::requires_ && found.parameters == npos) {
      // A constraint precedes the declaration. Its parentheses and braces have no other meaning.
      while (is(i + 1, "requires")) ++i;
      if (is(i + 1, "(")) i = after(i + 1) - 1;
      if (is(i + 1, "{")) i = after(i + 1) - 1;
    } else if (w == Word::operator_) {
      found.name = i++;
      if (is(i, "(")) i = after(i);
      while (i < limit && !is(i, "(") && !is(i, ";")) ++i;
      continue;
    } else if (is(i, "(")) {
      const Word before = i > found.begin ? word(i - 1) : Word::none;
      const bool attribute = before == Word::argument_keyword || before == Word::align ||
                             before == Word::launch_bounds || before == Word::cluster_dims ||
                             before == Word::dropped_with_arguments || before == Word::assembly;
      const bool named = i > found.begin && (is_name(i - 1) || is(i - 1, ">") || found.name != npos);
      if (!attribute && !initialiser && found.parameters == npos && named && !pointer_declarator(i)) {
        found.parameters = i;
        if (found.name == npos) {
          std::size_t name = i - 1;
          if (is(name, ">") && template_open(name) != npos) name = template_open(name) - 1;
          found.name = name;
        }
      }
      i = after(i) - 1;
    } else if (is(i, "[")) {
      i = after(i) - 1;
    } else if (is(i, "<") && !initialiser && i > found.begin && is_name(i - 1)) {
      const std::size_t close = template_close(i);
      if (close != npos) i = close;
    } else if (is(i, ":") && found.parameters != npos && !initialiser) {
      constructor_list = true;
    } else if (is(i, "=")) {
      initialiser = true;
    } else if (is(i, "{")) {
      const bool member_initialiser = constructor_list && (is_name(i - 1) || is(i - 1, ">"));
      if (found.parameters != npos && !initialiser && !member_initialiser) {
        found.body = i;
        found.kind = Kind::function;
        found.end = std::min(after(i), limit);
        return;
      }
      if (is_class && found.body == npos && !initialiser) found.body = i;
      i = after(i) - 1;
    } else if (is(i, ";")) {
      break;
    } else if (is(i, "}")) {
      found.end = i;
      return;
    }
    ++i;
  }
  found.end = std::min(i + 1, limit);
  if (is_class && found.body != npos)
    found.kind = Kind::class_;
  else if (other || is_enum)
    found.kind = Kind::other;
  else if (found.parameters != npos)
    found.kind = Kind::prototype;
  else
    found.kind = Kind::variable;
}

}  // namespace emucc
