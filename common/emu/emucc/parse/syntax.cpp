#include "parse/syntax.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

const std::unordered_map<std::string_view, Word>& dictionary() {
  static const std::unordered_map<std::string_view, Word> words = {
      {"__global__", Word::global},
      {"__device__", Word::device},
      {"__host__", Word::host},
      {"__constant__", Word::constant},
      {"__managed__", Word::managed},
      {"__shared__", Word::shared},
      {"__grid_constant__", Word::grid_constant},
      {"__inline_hint__", Word::dropped},
      {"__nv_pure__", Word::dropped},
      {"__cudart_builtin__", Word::dropped},
      {"__device_builtin__", Word::dropped},
      {"__forceinline__", Word::forceinline},
      {"__noinline__", Word::noinline},
      {"__align__", Word::align},
      {"__builtin_align__", Word::align},
      {"__launch_bounds__", Word::launch_bounds},
      {"__maxnreg__", Word::dropped_with_arguments},
      {"__cluster_dims__", Word::cluster_dims},
      {"__block_size__", Word::dropped_with_arguments},
      {"threadIdx", Word::thread_idx},
      {"blockIdx", Word::block_idx},
      {"blockDim", Word::block_dim},
      {"gridDim", Word::grid_dim},
      {"warpSize", Word::warp_size},
      {"printf", Word::printf},
      {"clock", Word::clock},
      {"__assert_fail", Word::assert_fail},
      {"malloc", Word::malloc_},
      {"free", Word::free_},
      {"__func__", Word::function_name},
      {"__FUNCTION__", Word::function_name},
      {"__PRETTY_FUNCTION__", Word::pretty_function},
      {"asm", Word::assembly},
      {"__asm__", Word::assembly},
      {"__asm", Word::assembly},
      {"class", Word::class_key},
      {"struct", Word::class_key},
      {"union", Word::class_key},
      {"enum", Word::enumeration},
      {"namespace", Word::namespace_},
      {"template", Word::template_},
      {"operator", Word::operator_},
      {"extern", Word::extern_},
      {"static", Word::static_},
      {"inline", Word::inline_},
      {"__inline__", Word::inline_},
      {"__inline", Word::inline_},
      {"constexpr", Word::constexpr_},
      {"consteval", Word::constexpr_},
      {"typedef", Word::typedef_},
      {"using", Word::using_},
      {"friend", Word::friend_},
      {"requires", Word::requires_},
      {"public", Word::access},
      {"private", Word::access},
      {"protected", Word::access},
      // A parenthesis after one of these holds no function parameters.
      {"__attribute__", Word::argument_keyword},
      {"__attribute", Word::argument_keyword},
      {"alignas", Word::argument_keyword},
      {"_Alignas", Word::argument_keyword},
      {"decltype", Word::argument_keyword},
      {"__decltype", Word::argument_keyword},
      {"typeof", Word::argument_keyword},
      {"__typeof__", Word::argument_keyword},
      {"__typeof", Word::argument_keyword},
      {"noexcept", Word::argument_keyword},
      {"throw", Word::argument_keyword},
      {"explicit", Word::argument_keyword},
      {"__declspec", Word::argument_keyword},
      {"static_assert", Word::argument_keyword},
  };
  return words;
}

bool is_keyword(std::string_view word) {
  static const std::unordered_map<std::string_view, bool> keywords = [] {
    std::unordered_map<std::string_view, bool> all;
    for (std::string_view k :
         {"return",  "else",     "do",        "if",       "for",      "while", "switch", "case",
          "default", "goto",     "break",     "continue", "try",      "catch", "new",    "delete",
          "sizeof",  "alignof",  "co_return", "co_await", "co_yield", "and",   "or",     "not",
          "const",   "volatile", "typename",  "mutable",  "typeid"}) {
      all.emplace(k, true);
    }
    return all;
  }();
  return keywords.count(word) > 0;
}

}  // namespace

Syntax::Syntax(const TokenStream& stream) : stream_(stream), tree_(std::make_unique<SyntaxTree>(*this)) {
  extend();
}

Syntax::~Syntax() = default;

void Syntax::extend() {
  std::vector<std::size_t> open;
  const std::size_t known = partners_.size();
  partners_.resize(stream_.tokens.size(), npos);
  for (std::size_t i = known; i < size(); ++i) {
    if (stream_.tokens[i].kind != TokenKind::punctuator) continue;
    const char c = at(i)[0];
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    if (c != ')' && c != ']' && c != '}') continue;
    const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
    // An unmatched closing bracket is ignored. If other open brackets lie between a bracket and its partner,
    // they get no partner.
    auto found = open.size();
    while (found > 0 && at(open[found - 1])[0] != wanted) --found;
    if (found == 0) continue;
    partners_[i] = open[found - 1];
    partners_[open[found - 1]] = i;
    open.resize(found - 1);
  }
}

Word Syntax::word(std::size_t index) const {
  if (!is_identifier(index)) return Word::none;
  const auto found = dictionary().find(at(index));
  return found == dictionary().end() ? Word::none : found->second;
}

bool Syntax::is_name(std::size_t index) const {
  if (!is_identifier(index) || is_keyword(at(index))) return false;
  const Word w = word(index);
  return w == Word::none || (w >= Word::thread_idx && w <= Word::free_);
}

bool Syntax::is_one_of(std::size_t index, std::initializer_list<std::string_view> spellings) const {
  return std::find(spellings.begin(), spellings.end(), at(index)) != spellings.end();
}

std::size_t Syntax::template_close(std::size_t index) const {
  int depth = 0;
  for (std::size_t i = index; i < size(); ++i) {
    if (is(i, "<")) {
      ++depth;
    } else if (is(i, ">")) {
      if (--depth == 0) return i;
    } else if (is_one_of(i, {"(", "[", "{"})) {
      if (partner(i) == npos) return npos;
      i = partner(i);
    } else if (is_one_of(i, {")", "]", "}", ";", "&&", "||"})) {
      if (at(i) != "&&") return npos;  // `&&` may be a reference in a type
    }
  }
  return npos;
}

std::size_t Syntax::call_open(std::size_t index) const {
  if (is(index + 1, "(")) return index + 1;
  const bool templated = is(index + 1, "<") && !is_launch_open(index + 1);
  const std::size_t close = templated ? template_close(index + 1) : npos;
  return close != npos && is(close + 1, "(") ? close + 1 : npos;
}

std::vector<std::pair<std::size_t, std::size_t>> Syntax::arguments(std::size_t open,
                                                                   std::size_t close) const {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t begin = at;
    while (at < close && !is(at, ",")) {
      const std::size_t angle = is(at, "<") ? template_close(at) : npos;
      at = angle != npos && angle < close && (is(angle + 1, "(") || is(open, "<")) ? angle + 1 : after(at);
    }
    all.emplace_back(begin, at++);
  }
  return all;
}

std::size_t Syntax::template_open(std::size_t index) const {
  int depth = 0;
  for (std::size_t i = index + 1; i-- > 0;) {
    if (is(i, ">")) {
      ++depth;
    } else if (is(i, "<")) {
      if (--depth == 0) return i;
    } else if (is_one_of(i, {")", "]", "}"})) {
      if (partner(i) == npos) return npos;
      i = partner(i);
    } else if (is_one_of(i, {"(", "[", "{", ";"})) {
      return npos;
    }
  }
  return npos;
}

bool Syntax::is_launch_open(std::size_t index) const {
  return is(index, "<") && is(index + 1, "<") && is(index + 2, "<") && index > 0 &&
         !is(index - 1, "operator") && (is_name(index - 1) || is_one_of(index - 1, {")", "]", ">"}));
}

bool Syntax::is_launch_close(std::size_t index) const {
  return is(index, ">") && is(index + 1, ">") && is(index + 2, ">") && is(index + 3, "(");
}

std::size_t Syntax::launch_close(std::size_t open) const {
  std::size_t best = npos;
  int angles = 0;  // template arguments that may be open
  for (std::size_t i = open + 3; i < size(); ++i) {
    if (is_one_of(i, {"(", "[", "{"})) {
      if (partner(i) == npos) return best;
      i = partner(i);
    } else if (is_one_of(i, {")", "]", "}", ";"})) {
      return best;
    } else if (is_launch_open(i)) {
      return best;
    } else if (is(i, "<") && is_name(i - 1)) {
      ++angles;
    } else if (is_launch_close(i)) {
      best = i;
      // In `<<<f<A<B<int>>>(x), 32>>>` the first `>>>` closes three templates, and the launch's own `>>>`
      // comes later.
      if (angles < 3) return best;
      angles -= 3;
      i += 2;
    } else if (is(i, ">") && angles > 0) {
      --angles;
    } else if (is(i, ",")) {
      continue;
    }
  }
  return best;
}

/// Returns the first token of the postfix expression whose last token is `last`; last + 1 if there is no such
/// expression.
std::size_t Syntax::postfix_begin(std::size_t last) const {
  std::size_t i = last;
  if (is_one_of(i, {")", "]"})) {
    const std::size_t open = partner(i);
    if (open == npos) return last + 1;
    // A call or an index belongs to the preceding expression. A plain parenthesis begins the expression.
    const bool statement_head =
        open > 0 && is(open - 1, ")") && partner(open - 1) != npos && partner(open - 1) > 0 &&
        is_one_of(partner(open - 1) - 1, {"if", "for", "while", "switch", "constexpr"});
    if (open > 0 && !statement_head &&
        (is_name(open - 1) || is_one_of(open - 1, {")", "]"}) ||
         (is(open - 1, ">") && template_open(open - 1) != npos))) {
      return postfix_begin(open - 1);
    }
    return open;
  }
  if (is(i, ">")) {
    const std::size_t open = template_open(i);
    if (open == npos || open == 0 || !is_name(open - 1)) return last + 1;
    i = open - 1;
  }
  if (!is_identifier(i)) return last + 1;
  // At this point `i` is at the name; the name's qualifiers precede it.
  std::size_t begin = i;
  if (begin > 0 && is(begin - 1, "template")) --begin;
  if (begin > 0 && is(begin - 1, "::")) {
    --begin;
    if (begin > 0 && (is_name(begin - 1) || (is(begin - 1, ">") && template_open(begin - 1) != npos))) {
      const std::size_t qualifier = postfix_begin(begin - 1);
      begin = std::min(qualifier, begin);
    }
  } else if (begin > 0 && is_one_of(begin - 1, {".", "->"})) {
    if (begin < 2) return begin - 1;
    begin = std::min(postfix_begin(begin - 2), begin - 1);
  }
  if (begin > 0 && is(begin - 1, "typename")) --begin;
  return begin;
}

std::size_t Syntax::callee_begin(std::size_t open) const {
  return open == 0 ? open : std::min(postfix_begin(open - 1), open);
}

std::size_t Syntax::lambda_body(std::size_t index) const {
  if (!is(index, "[") || is(index + 1, "[") || partner(index) == npos) return npos;
  if (index > 0) {
    const std::size_t before = index - 1;
    if (is_name(before) || is_one_of(before, {")", "]", "delete", "operator", "auto", "this"})) return npos;
    if (is_one_of(before, {"&", "&&"}) && before > 0 && is(before - 1, "auto"))
      return npos;  // structured binding
    const TokenKind kind = stream_.tokens[before].kind;
    if (kind == TokenKind::string || kind == TokenKind::number) return npos;
  }
  std::size_t i = partner(index) + 1;
  if (is(i, "<")) {
    const std::size_t close = template_close(i);
    if (close == npos) return npos;
    i = close + 1;
  }
  // Attributes, parameters, specifiers and a return type precede the body.
  for (; i < size(); ++i) {
    if (is(i, "{")) return i;
    if (is_one_of(i, {"(", "["})) {
      if (partner(i) == npos) return npos;
      i = partner(i);
    } else if (is_one_of(i, {";", ",", ")", "]", "}", "=", "?"})) {
      return npos;
    }
  }
  return npos;
}

std::size_t Syntax::class_body(std::size_t index) const {
  bool bases = false;
  for (std::size_t i = index + 1; i < size(); ++i) {
    if (is(i, "{")) return i;
    if (is(i, "(") || is(i, "[")) {
      const bool attribute =
          is(i, "[") || word(i - 1) == Word::align || word(i - 1) == Word::argument_keyword;
      if (!attribute || partner(i) == npos) return npos;
      i = partner(i);
    } else if (is(i, "<")) {
      const std::size_t close = template_close(i);
      if (close == npos) return npos;
      i = close;
    } else if (is(i, ":")) {
      bases = true;
    } else if (is_one_of(i, {";", ")", "]", "}", "=", ">", "*", "&"}) || (is(i, ",") && !bases)) {
      return npos;
    }
  }
  return npos;
}

std::size_t Syntax::assignment_length(std::size_t index) const {
  static const std::unordered_set<std::string_view> operators = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
  if (operators.count(at(index)) > 0) return 1;
  const bool shifts = (is(index, "<") && is(index + 1, "<=")) || (is(index, ">") && is(index + 1, ">="));
  return shifts ? 2 : 0;
}

bool Syntax::mentions(std::size_t begin, std::size_t end, std::string_view name) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (is_identifier(i) && is(i, name) && !(i > 0 && is_one_of(i - 1, {".", "->"}))) return true;
  }
  return false;
}

}  // namespace emucc
