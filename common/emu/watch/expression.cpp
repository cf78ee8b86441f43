#include "expression.hpp"

#include <cctype>

namespace cuemu {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

namespace {

constexpr std::size_t none = std::string::npos;

/// Returns whether a keyword begins at `begin`: some compilers give the location of a whole statement.
bool is_keyword(const std::string& text, std::size_t begin) {
  for (const std::string word : {"if", "else", "for", "while", "do", "switch", "return"})
    if (text.compare(begin, word.size(), word) == 0 &&
        (begin + word.size() >= text.size() || !is_word(text[begin + word.size()])))
      return true;
  return false;
}

/// Steps over parts of an expression in one line. Positions count from 0.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  bool is_arrow(std::size_t position) const { return at(position) == '-' && at(position + 1) == '>'; }

  /// Returns the position of the bracket that matches the bracket at `position`, or none.
  std::size_t opening(std::size_t position) const {
    int depth = 0;
    for (std::size_t i = position + 1; i-- > 0;) {
      if (at(i) == ']' || at(i) == ')') ++depth;
      if ((at(i) == '[' || at(i) == '(') && --depth == 0) return i;
    }
    return none;
  }
  std::size_t closing(std::size_t position) const {
    int depth = 0;
    for (std::size_t i = position; i < text_.size(); ++i) {
      if (at(i) == '[' || at(i) == '(') ++depth;
      if ((at(i) == ']' || at(i) == ')') && --depth == 0) return i;
    }
    return none;
  }
  std::size_t blanks_before(std::size_t position) const {
    while (position > 0 && at(position - 1) == ' ') --position;
    return position;
  }

  /// Returns the beginning of the postfix expression that ends before `end`: `p->rows[i].x`, `*(out + i)`; `end` if
  /// there is none.
  std::size_t begin_of(std::size_t end) const {
    std::size_t begin = blanks_before(end);
    const std::size_t none_found = begin;
    if (begin > 0 && at(begin - 1) == ')' && ends_condition(begin - 1)) return none_found;
    for (;;) {
      const char last = begin > 0 ? at(begin - 1) : '\0';
      if (last == ']' || last == ')') {
        const std::size_t open = opening(begin - 1);
        if (open == none) return none_found;
        begin = last == ')' ? before_template(open) : open;
        if (last == ')' && (begin == 0 || !is_word(at(begin - 1)))) return with_stars(begin);
        continue;
      }
      while (begin > 0 && is_word(at(begin - 1))) --begin;
      if (begin > 0 && at(begin - 1) == '.') {
        --begin;
      } else if (begin > 1 && is_arrow(begin - 2)) {
        begin -= 2;
      } else {
        return begin == none_found ? begin : with_stars(begin);
      }
    }
  }
  /// Returns the end of the postfix expression that has a part at `position`.
  std::size_t end_of(std::size_t position) const {
    while (is_word(at(position))) ++position;
    for (;;) {
      if (at(position) == '[' || at(position) == '(') {
        const std::size_t close = closing(position);
        if (close == none) return position;
        position = close + 1;
      } else if (at(position) == '.' && is_word(at(position + 1))) {
        for (++position; is_word(at(position));) ++position;
      } else if (is_arrow(position)) {
        for (position += 2; is_word(at(position));) ++position;
      } else {
        return position;
      }
    }
  }

 private:
  /// Returns the beginning of the `<…>` before a call's parenthesis; the parenthesis itself if there is no `<…>`.
  std::size_t before_template(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i > 0 && at(open - 1) == '>'; --i) {
      depth += at(i - 1) == '>' ? 1 : at(i - 1) == '<' ? -1 : 0;
      if (depth == 0) return i - 1;
    }
    return open;
  }
  /// Returns whether the parenthesis ends the head of an `if (…)`, `for (…)` or `while (…)`.
  bool ends_condition(std::size_t close) const {
    const std::size_t open = opening(close);
    std::size_t begin = open == none ? 0 : blanks_before(open);
    while (begin > 0 && is_word(at(begin - 1))) --begin;
    return open != none && is_keyword(text_, begin);
  }
  /// Returns the expression's beginning, including `*` and `&`, which belong to the expression if they can't be binary
  /// operators.
  std::size_t with_stars(std::size_t begin) const {
    std::size_t result = begin;
    while (result > 0 && at(result - 1) == '*') --result;
    const std::size_t before = blanks_before(result);
    const char last = before > 0 ? at(before - 1) : ';';
    if (last == ')' && ends_condition(before - 1)) return result;
    return is_word(last) || last == ']' || last == ')' ? begin : result;
  }

  const std::string& text_;
};

Span span(std::size_t begin, std::size_t end) {
  return begin < end ? Span{static_cast<int>(begin) + 1, static_cast<int>(end) + 1} : Span{};
}

/// Returns the first word of the line for which `fits` is true, with the postfix parts that follow it.
template <class Fits>
Span find_word(const std::string& text, const Fits& fits) {
  const Scanner scanner(text);
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_word(text[begin])) continue;
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (fits(text.substr(begin, end - begin), end)) return span(begin, scanner.end_of(begin));
    begin = end;
  }
  return {};
}

/// Returns the only expression that fits; empty if several different expressions fit.
template <class Fits>
Span find_only(const std::string& text, const Fits& fits) {
  Span only;
  bool one = true;
  const auto spelling = [&](const Span& part) {
    return text.substr(static_cast<std::size_t>(part.begin) - 1,
                       static_cast<std::size_t>(part.end - part.begin));
  };
  find_word(text, [&](const std::string& word, std::size_t end) {
    if (!fits(word, end)) return false;
    const std::size_t begin = end - word.size();
    const Span part = span(begin, Scanner(text).end_of(begin));
    if (!only.known()) only = part;
    one = one && spelling(part) == spelling(only);
    return false;
  });
  return one ? only : Span{};
}

/// emucc puts the code of a macro after the line's end (emucc/lex/align.hpp), so the position within the line is
/// unknown.
bool is_of_macro(const std::string& text, int column) {
  return column > 0 && static_cast<std::size_t>(column) > text.size();
}

Span at_column(const std::string& text, std::size_t at) {
  const Scanner scanner(text);
  const char c = scanner.at(at);
  if (c == ']') return span(scanner.begin_of(at + 1), scanner.end_of(at + 1));
  if (c == '(') {
    const std::size_t begin = scanner.begin_of(at);
    return begin < at ? span(begin, scanner.end_of(at)) : Span{};
  }
  if (is_word(c)) {
    std::size_t begin = at;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    if (is_keyword(text, begin)) return {};
    const bool member = begin > 0 && (text[begin - 1] == '.' || (begin > 1 && scanner.is_arrow(begin - 2)));
    return span(member ? scanner.begin_of(begin) : begin, scanner.end_of(at));
  }
  if (c == '*' && scanner.at(at + 1) != '=') {
    const std::size_t end = scanner.end_of(at + 1);
    if (end > at + 1) return span(at, end);
  }
  if (std::string("=+-*/%&|^<>").find(c) == none) return {};
  // For an assignment or `++`, the accessed expression precedes or follows the operator.
  const std::size_t before = scanner.begin_of(at);
  const std::size_t before_end = scanner.blanks_before(at);
  if (before < before_end) return span(before, before_end);
  std::size_t behind = at;
  while (behind < text.size() && (text[behind] == '+' || text[behind] == '-')) ++behind;
  std::size_t operand = behind;  // in `++*p`: `*p`
  while (operand < text.size() && text[operand] == '*') ++operand;
  return behind > at ? span(behind, scanner.end_of(operand)) : Span{};
}

/// Returns whether a plain `=` follows the part.
bool is_assigned(const std::string& text, const Span& part) {
  const std::size_t sign = text.find_first_not_of(' ', static_cast<std::size_t>(part.end) - 1);
  return sign != none && text[sign] == '=' && (sign + 1 >= text.size() || text[sign + 1] != '=');
}

/// Returns the operand that an assignment reads: the element of `array`, or else the only element of any array.
Span read_behind(const std::string& text, const Span& assigned, const std::string& array) {
  const auto begin = static_cast<std::size_t>(assigned.end);
  const std::string rest = text.substr(begin, text.find(';', begin) - begin);
  Span only;
  int count = 0;
  const Span named = find_word(rest, [&](const std::string& word, std::size_t end) {
    if (end >= rest.size() || rest[end] != '[') return false;
    ++count;
    only = span(end - word.size(), Scanner(rest).end_of(end));
    return word == array;
  });
  const Span found = named.known() ? named : count == 1 ? only : Span{};
  const int shift = assigned.end;
  return found.known() ? Span{found.begin + shift, found.end + shift} : Span{};
}

}  // namespace

Span call_at(const std::string& text, int column, const std::string& function) {
  const auto is_call = [&](const std::string& word, std::size_t end) {
    const std::size_t open = text.find_first_not_of(' ', end);
    return word.rfind(function, 0) == 0 && open != none && text[open] == '(';
  };
  if (is_of_macro(text, column)) return find_only(text, is_call);
  const Span found = find_word(text, [&](const std::string& word, std::size_t end) {
    return is_call(word, end) && column <= static_cast<int>(text.find('(', end)) + 1;
  });
  return found.known() ? found : find_word(text, is_call);
}

Span accessed_part(const std::string& text, int column, const std::string& array, const std::string& function,
                   bool reads) {
  if (!function.empty()) {
    const Span call = call_at(text, column, function);
    if (call.known()) return call;
  }
  const std::size_t first = text.find_first_not_of(" \t");
  const auto at = static_cast<std::size_t>(column > 0 ? column - 1 : 0);
  if (column > 0 && at < text.size() && at >= first) {
    const Span found = at_column(text, at);
    if (found.known() && reads && is_assigned(text, found)) return read_behind(text, found, array);
    if (found.known()) return found;
  }
  if (array.empty()) return {};
  const auto is_array = [&](const std::string& word, std::size_t) { return word == array; };
  const auto is_element = [&](const std::string& word, std::size_t end) {
    return word == array && end < text.size() && text[end] == '[';
  };
  if (is_of_macro(text, column)) {
    // A macro may access any element of the array that it receives as an argument.
    const Span only = find_only(text, is_array);
    return only.known() && text[static_cast<std::size_t>(only.begin) - 1 + array.size()] == '[' ? only
                                                                                                : Span{};
  }
  const Span element = find_word(text, is_element);
  return element.known() ? element : find_word(text, is_array);
}

}  // namespace cuemu
