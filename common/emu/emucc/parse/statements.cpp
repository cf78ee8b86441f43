#include "parse/statements.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace emucc {
namespace {

class StatementReader {
 public:
  StatementReader(const Syntax& syntax, Reading reading) : syntax_(syntax), reading_(reading) {}

  bool list(std::size_t at, std::size_t end, std::vector<Statement>& found) {
    while (at < end) {
      found.emplace_back();
      if (!known_or_unknown(at, end, found.back()) || found.back().end <= at) return false;
      at = found.back().end;
    }
    return true;
  }

  bool lone_declaration(std::size_t at, std::size_t end, Statement& found) const {
    if (syntax_.word(at) == Word::static_) ++at;
    bool shared = false;
    const std::size_t first = specifiers(at, end, shared);
    return first != npos && names_behind(at, first, std::min(semicolon(first, end), end), shared, found);
  }

 private:
  using Kind = Statement::Kind;

  bool is(std::size_t at, std::string_view spelling) const { return syntax_.is(at, spelling); }
  TokenKind kind(std::size_t at) const { return syntax_.stream().tokens[at].kind; }

  /// Returns the `;` at or after `at`, outside brackets; npos if there is none.
  std::size_t semicolon(std::size_t at, std::size_t end) const {
    while (at < end && !is(at, ";")) {
      if (kind(at) == TokenKind::verbatim || kind(at) == TokenKind::directive) return npos;
      if (is(at, ")") || is(at, "]") || is(at, "}")) return npos;
      at = syntax_.after(at);
    }
    return at < end ? at : npos;
  }

  bool known_or_unknown(std::size_t at, std::size_t end, Statement& found) {
    if (++depth_ > max_depth) return --depth_, reading_ == Reading::everything && unknown(at, end, found);
    const bool known = statement(at, end, found);
    --depth_;
    return known || (reading_ == Reading::everything && unknown(at, end, found));
  }

  /// Reads unknown text up to a `;`, or to the end of a block.
  bool unknown(std::size_t at, std::size_t end, Statement& found) const {
    found = Statement();
    found.kind = Kind::unknown;
    found.begin = found.head = at;
    for (found.end = at; found.end < end;) {
      const bool last = is(found.end, ";") || (is(found.end, "{") && syntax_.partner(found.end) != npos);
      found.end = syntax_.after(found.end);
      if (last) break;
    }
    found.end = std::min(found.end, end);
    return true;
  }

  bool statement(std::size_t at, std::size_t end, Statement& found) {
    found.begin = at;
    while (at < end && kind(at) == TokenKind::directive) {
      if (syntax_.at(at).substr(0, 7) != "#pragma") return false;
      ++at;
    }
    found.head = at;
    if (at >= end || kind(at) == TokenKind::verbatim) return false;
    if (is(at, "{")) return compound(at, end, found);
    if (is(at, "if")) return if_statement(at, end, found);
    if (is(at, "for")) return for_statement(at, end, found);
    if (is(at, "while") || is(at, "switch")) {
      found.kind = is(at, "while") ? Kind::while_ : Kind::switch_;
      return header(at + 1, end, found) && body(found.close + 1, end, found);
    }
    if (is(at, "do")) return do_statement(at, end, found);
    if (is(at, "case") || is(at, "default")) return false;  // switch_body reads the labels
    if (is(at, "return") || is(at, "break") || is(at, "continue"))
      return simple(is(at, "return")  ? Kind::return_
                    : is(at, "break") ? Kind::break_
                                      : Kind::continue_,
                    end, found);
    if (is(at, "using") || is(at, "typedef") || is(at, "static_assert") || is(at, "namespace"))
      return simple(Kind::alias, end, found);
    if (reading_ != Reading::splittable && syntax_.word(at) == Word::assembly)
      return simple(Kind::expression, end, found);
    for (auto word : {"goto", "try", "throw", "asm", "__asm__", "__asm", "co_return", "template", "enum",
                      "else", "class", "struct", "union", "extern", "static"})
      if (is(at, word) && !(is(at, "extern") && syntax_.word(at + 1) == Word::shared) &&
          !(is(at, "static") && reading_ == Reading::everything))
        return false;
    if (is(at + 1, ":")) return false;  // a label
    if (declaration(at, end, found)) return true;
    if (is_builtin(syntax_.at(at)) || is(at, "const") || syntax_.word(at) == Word::constexpr_)
      return false;  // another kind of declaration
    found.names.clear();
    if (!simple(Kind::expression, end, found)) return false;
    for (std::size_t i = found.head; i < found.end; ++i)
      if (syntax_.word(i) == Word::shared) return false;
    return true;
  }

  bool simple(Kind what, std::size_t end, Statement& found) const {
    const std::size_t last = semicolon(found.head, end);
    found.kind = what;
    found.end = last + 1;
    return last != npos;
  }

  bool compound(std::size_t at, std::size_t end, Statement& found) {
    found.kind = Kind::compound;
    found.open = at;
    found.close = syntax_.partner(at);
    if (found.close == npos || found.close >= end) return false;
    found.end = found.close + 1;
    return list(at + 1, found.close, found.children);
  }

  bool header(std::size_t at, std::size_t end, Statement& found) const {
    if (!is(at, "(") || syntax_.partner(at) == npos || syntax_.partner(at) >= end) return false;
    found.open = at;
    found.close = syntax_.partner(at);
    return true;
  }

  bool body(std::size_t at, std::size_t end, Statement& found) {
    found.children.emplace_back();
    Statement& inner = found.children.back();
    if (found.kind == Kind::switch_) {
      inner.kind = Kind::compound;
      inner.begin = inner.head = inner.open = at;
      inner.close = syntax_.partner(at);
      if (!is(at, "{") || inner.close == npos) return false;
      inner.end = inner.close + 1;
      found.end = inner.end;
      return switch_body(at + 1, inner.close, inner);
    }
    if (!known_or_unknown(at, end, inner)) return false;
    found.end = inner.end;
    return true;
  }

  /// Reads the statements between the labels of a switch.
  bool switch_body(std::size_t at, std::size_t end, Statement& found) {
    while (at < end) {
      if (is(at, "case") || is(at, "default")) {
        while (at < end && !is(at, ":")) at = syntax_.after(at);
        ++at;
        continue;
      }
      found.children.emplace_back();
      if (!known_or_unknown(at, end, found.children.back())) return false;
      at = found.children.back().end;
    }
    return true;
  }

  bool if_statement(std::size_t at, std::size_t end, Statement& found) {
    found.kind = Kind::if_;
    const std::size_t open = is(at + 1, "constexpr") ? at + 2 : at + 1;
    if (!header(open, end, found) || semicolon(found.open + 1, found.close) != npos) return false;
    if (!body(found.close + 1, end, found)) return false;
    if (!is(found.end, "else") || found.end >= end) return true;
    return body(found.end + 1, end, found);
  }

  bool for_statement(std::size_t at, std::size_t end, Statement& found) {
    found.kind = Kind::for_;
    if (!header(at + 1, end, found)) return false;
    found.semicolon[0] = semicolon(found.open + 1, found.close);
    if (found.semicolon[0] == npos) return range_for(end, found);
    found.semicolon[1] = semicolon(found.semicolon[0] + 1, found.close);
    if (found.semicolon[1] == npos) return false;
    Statement first;
    if (declaration(found.open + 1, found.close, first)) {
      found.counters = std::move(first.names);
      found.type = first.type;
      found.type_end = first.type_end;
    }
    return body(found.close + 1, end, found);
  }

  bool range_for(std::size_t end, Statement& found) {
    found.kind = Kind::range_for;
    bool shared = false;
    found.type = found.open + 1;
    found.type_end = specifiers(found.type, found.close, shared);
    std::size_t colon = found.type;
    while (colon < found.close && !is(colon, ":")) colon = syntax_.after(colon);
    LocalName name;
    if (found.type_end == npos || !declarator(found.type_end, colon, name) || name.end != colon ||
        colon + 1 >= found.close)
      return false;
    name.initialiser = colon + 1;
    name.initialiser_end = found.close;
    found.counters.push_back(name);
    return body(found.close + 1, end, found);
  }

  bool do_statement(std::size_t at, std::size_t end, Statement& found) {
    found.kind = Kind::do_;
    if (!body(at + 1, end, found) || !is(found.end, "while") || !header(found.end + 1, end, found))
      return false;
    found.end = found.close + 2;
    return is(found.close + 1, ";");
  }

  // ---- declarations

  static bool is_builtin(std::string_view word) {
    static const std::unordered_set<std::string_view> words = {"unsigned", "signed", "long",  "short",
                                                               "int",      "char",   "float", "double",
                                                               "bool",     "auto",   "void",  "__int128"};
    return words.count(word) > 0;
  }

  /// Returns the position after the specifiers at `at`; npos if the text has no type.
  std::size_t specifiers(std::size_t at, std::size_t end, bool& shared) const {
    bool typed = false;
    while (at < end) {
      const Word word = syntax_.word(at);
      if (is(at, "const") || is(at, "volatile") || is(at, "typename") || is(at, "register") ||
          word == Word::constexpr_ || word == Word::extern_ ||
          (word == Word::static_ && reading_ == Reading::everything)) {
        ++at;
      } else if (word == Word::shared) {
        shared = true;
        ++at;
      } else if (word == Word::align || is(at, "alignas")) {
        at = syntax_.after(at + 1);
      } else if (is(at, "decltype") && !typed) {
        at = syntax_.after(at + 1);
        typed = true;
      } else if (is_builtin(syntax_.at(at))) {
        ++at;
        typed = true;
      } else if ((syntax_.is_name(at) || is(at, "::")) && !typed) {
        at = qualified(at, end);
        if (at == npos) return npos;
        typed = true;
      } else {
        break;
      }
    }
    return typed ? at : npos;
  }

  /// Returns the position after a qualified name such as `a::b<c>::d`.
  std::size_t qualified(std::size_t at, std::size_t end) const {
    if (is(at, "::")) ++at;
    for (;;) {
      if (!syntax_.is_name(at)) return npos;
      ++at;
      if (at < end && is(at, "<")) {
        const std::size_t close = syntax_.template_close(at);
        if (close == npos || close >= end) return npos;
        at = close + 1;
      }
      if (!is(at, "::")) return at;
      ++at;
      if (is(at, "template")) ++at;
    }
  }

  /// Reads `int a = 1, *b …`. Returns false if the text isn't a declaration.
  bool declaration(std::size_t at, std::size_t end, Statement& found) const {
    bool shared = false;
    const std::size_t first = specifiers(at, end, shared);
    if (first == npos) return false;
    const std::size_t last = semicolon(first, end);
    return last != npos && names_behind(at, first, last, shared, found);
  }

  /// Reads the names in [first, last), after the specifiers [at, first).
  bool names_behind(std::size_t at, std::size_t first, std::size_t last, bool shared,
                    Statement& found) const {
    found.kind = shared ? Kind::shared : Kind::declaration;
    found.type = at;
    found.type_end = first;
    found.end = last + 1;
    if (shared) return shared_names(first, last, found);
    for (at = first; at < last;) {
      LocalName name;
      if (!declarator(at, last, name)) return false;
      at = name.initialiser == npos ? name.end : name.initialiser_end;
      found.names.push_back(name);
      if (at < last && !is(at, ",")) return false;
      ++at;
    }
    return !found.names.empty();
  }

  bool declarator(std::size_t at, std::size_t last, LocalName& name) const {
    name.begin = at;
    for (;; ++at) {
      if (is(at, "*"))
        name.pointer = true;
      else if (is(at, "&") || is(at, "&&"))
        name.reference = true;
      else if (!is(at, "const") && !is(at, "__restrict__") && !is(at, "__restrict") && !is(at, "volatile"))
        break;
    }
    if (at >= last || !syntax_.is_name(at)) return false;
    name.name = at++;
    while (at < last && is(at, "[")) {
      name.array = true;
      at = syntax_.after(at);
    }
    name.end = at;
    if (at >= last || is(at, ",")) return true;
    if (is(at, "=")) {
      name.initialiser = at + 1;
      while (at < last && !is(at, ",")) {
        const std::size_t close = is(at, "<") && syntax_.is_name(at - 1) ? call_template(at, last) : npos;
        at = close != npos ? close + 1 : syntax_.after(at);
      }
    } else if (is(at, "(") || is(at, "{")) {
      name.direct = is(at, "(");
      name.initialiser = at;
      at = syntax_.after(at);
    } else {
      return false;
    }
    name.initialiser_end = at;
    return true;
  }

  /// Returns the `>` of `f<a, b>(`. The commas between it and the `<` at `open` don't separate declarators.
  std::size_t call_template(std::size_t open, std::size_t last) const {
    const std::size_t close = syntax_.template_close(open);
    return close != npos && close < last && (is(close + 1, "(") || is(close + 1, "::") || is(close + 1, "{"))
               ? close
               : npos;
  }

  bool shared_names(std::size_t at, std::size_t last, Statement& found) const {
    while (at < last) {
      LocalName name;
      if (!declarator(at, last, name) || name.initialiser != npos) return false;
      found.names.push_back(name);
      at = name.end + 1;
    }
    return !found.names.empty();
  }

  const Syntax& syntax_;
  const Reading reading_;
  static constexpr int max_depth = 256;  ///< of nested statements
  int depth_ = 0;
};

}  // namespace

bool read_statements(const Syntax& syntax, std::size_t begin, std::size_t end, std::vector<Statement>& found,
                     Reading reading) {
  return StatementReader(syntax, reading).list(begin, end, found);
}

bool read_declaration(const Syntax& syntax, std::size_t at, std::size_t end, Statement& found) {
  return StatementReader(syntax, Reading::everything).lone_declaration(at, end, found);
}

std::size_t dimensions_of(const Syntax& syntax, const LocalName& array) {
  std::size_t count = 0;
  for (std::size_t i = array.name; i < array.end; i = syntax.after(i))
    if (syntax.is(i, "[")) ++count;
  return count;
}

std::size_t listed_elements(const Syntax& syntax, const LocalName& array) {
  if (array.initialiser == Syntax::npos || !syntax.is(array.initialiser, "{")) return 0;
  const std::size_t close = syntax.partner(array.initialiser);
  if (close == Syntax::npos || close == array.initialiser + 1) return 0;
  std::size_t count = 1;
  for (std::size_t i = array.initialiser + 1; i < close; i = syntax.after(i)) {
    const bool designates =
        (syntax.is(i, ".") || syntax.is(i, "[")) && (syntax.is(i - 1, "{") || syntax.is(i - 1, ","));
    if (designates || syntax.is(i, "...") || syntax.is(i, "<")) return 0;
    if (syntax.is(i, ",") && i + 1 < close) ++count;
  }
  return count;
}

}  // namespace emucc
