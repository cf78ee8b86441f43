#include "analyse/warp_uniformity.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace emucc {
namespace {

constexpr long long warp_width = 32;
constexpr int max_depth = 16;  ///< of variables that are computed from others

/// What is known of a value.
struct Fact {
  enum class Spread {
    uniform,  ///< the same in all lanes of a warp
    lanes,    ///< a multiple of 32 plus the lane's number
    varying,
  };
  Spread spread = Spread::varying;
  bool warps = false;              ///< a multiple of 32, where rows of threads are whole warps
  std::optional<long long> value;  ///< known here
};
using Spread = Fact::Spread;

Fact uniform() {
  return {Spread::uniform, false, {}};
}
Fact constant(long long value) {
  return {Spread::uniform, value % warp_width == 0, value};
}
Fact varying() {
  return {};
}

/// Binary operators by how tightly they bind, the loosest first.
int binding(std::string_view op) {
  static constexpr std::string_view levels[] = {"||",    "&&",        "|",     "^",   "&",
                                                "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};
  for (int level = 0; level < static_cast<int>(std::size(levels)); ++level) {
    std::string_view rest = levels[level];
    while (!rest.empty()) {
      const std::size_t space = rest.find(' ');
      if (rest.substr(0, space) == op) return level;
      rest = space == rest.npos ? std::string_view() : rest.substr(space + 1);
    }
  }
  return -1;
}

class UniformityReader {
 public:
  UniformityReader(const Syntax& syntax, const Uniformity& facts, const KnownNames& names, std::size_t begin,
                   std::size_t end, int depth, std::optional<long long> thread = {})
      : syntax_(syntax),
        facts_(facts),
        names_(names),
        at_(begin),
        end_(end),
        depth_(depth),
        thread_(thread) {}

  Fact read() {
    const Fact all = choice();
    return at_ == end_ ? all : varying();
  }

 private:
  bool is(std::string_view spelling) const { return at_ < end_ && syntax_.is(at_, spelling); }

  /// a ? b : c
  Fact choice() {
    const Fact first = binary(0);
    if (!is("?")) return first;
    ++at_;
    const Fact yes = choice();
    if (!is(":")) return varying();
    ++at_;
    const Fact no = choice();
    const bool same =
        first.spread == Spread::uniform && yes.spread == Spread::uniform && no.spread == Spread::uniform;
    return same ? Fact{Spread::uniform, yes.warps && no.warps, {}} : varying();
  }

  /// The lexer keeps `<` and `>` apart.
  std::string op(std::size_t& length) const {
    length = 1;
    if (at_ >= end_) return "";
    const bool twice = (is("<") || is(">")) && at_ + 1 < end_ && syntax_.at(at_) == syntax_.at(at_ + 1) &&
                       !syntax_.stream().tokens[at_ + 1].space_before;
    if (twice) length = 2;
    return std::string(syntax_.at(at_)) + (twice ? std::string(syntax_.at(at_)) : std::string());
  }

  Fact binary(int least) {
    Fact left = unary();
    for (;;) {
      std::size_t length = 1;
      const std::string sign = op(length);
      const int level = sign.empty() ? -1 : binding(sign);
      if (level < least) return left;
      at_ += length;
      left = combine(left, sign, binary(level + 1));
    }
  }

  static Fact combine(const Fact& a, const std::string& sign, const Fact& b) {
    if (a.spread == Spread::uniform && b.spread == Spread::uniform) return fold(a, sign, b);
    if (sign == "+" || sign == "-") {
      if (a.spread == Spread::lanes && b.warps) return a;
      if (b.spread == Spread::lanes && a.warps && sign == "+") return b;
    }
    if (sign == "*") return {Spread::varying, a.warps || b.warps, {}};
    if (a.spread == Spread::lanes && b.value) {
      if ((sign == "/" && *b.value == warp_width) || (sign == ">>" && *b.value == 5)) return uniform();
    }
    if (a.spread == Spread::lanes) return compared(sign, b);
    if (b.spread == Spread::lanes) {  // 32 > i
      return compared(sign == "<"    ? ">"
                      : sign == ">"  ? "<"
                      : sign == "<=" ? ">="
                      : sign == ">=" ? "<="
                                     : "",
                      a);
    }
    return varying();
  }

  static Fact compared(const std::string& sign, const Fact& bound) {
    if (bound.spread != Spread::uniform) return varying();
    if ((sign == "<" || sign == ">=") && bound.warps) return uniform();
    const bool last = bound.value && *bound.value % warp_width == warp_width - 1;
    return (sign == "<=" || sign == ">") && last ? uniform() : varying();
  }

  static Fact fold(const Fact& a, const std::string& sign, const Fact& b) {
    Fact all = uniform();
    all.warps = sign == "*" ? a.warps || b.warps : (sign == "+" || sign == "-") && a.warps && b.warps;
    if (!a.value || !b.value) return all;
    const long long limit = 1LL << 31;
    if (std::llabs(*a.value) >= limit || std::llabs(*b.value) >= limit) return all;
    if (sign == "+") return constant(*a.value + *b.value);
    if (sign == "-") return constant(*a.value - *b.value);
    if (sign == "*") return constant(*a.value * *b.value);
    if (sign == "/" && *b.value > 0 && *a.value >= 0) return constant(*a.value / *b.value);
    if (sign == "<<" && *a.value >= 0 && *b.value >= 0 && *b.value < 31)
      return constant(*a.value << *b.value);
    return folded_more(*a.value, sign, *b.value, all);
  }

  /// Where signs make no difference.
  static Fact folded_more(long long a, const std::string& sign, long long b, const Fact& otherwise) {
    if (sign == "&&") return constant(a != 0 && b != 0 ? 1 : 0);
    if (sign == "||") return constant(a != 0 || b != 0 ? 1 : 0);
    if (a < 0 || b < 0) return otherwise;
    if (sign == "%" && b > 0) return constant(a % b);
    if (sign == ">>" && b < 31) return constant(a >> b);
    if (sign == "&") return constant(a & b);
    if (sign == "|") return constant(a | b);
    if (sign == "^") return constant(a ^ b);
    if (sign == "==") return constant(a == b ? 1 : 0);
    if (sign == "!=") return constant(a != b ? 1 : 0);
    if (sign == "<") return constant(a < b ? 1 : 0);
    if (sign == ">") return constant(a > b ? 1 : 0);
    if (sign == "<=") return constant(a <= b ? 1 : 0);
    if (sign == ">=") return constant(a >= b ? 1 : 0);
    return otherwise;
  }

  Fact unary() {
    if (is("+")) return ++at_, unary();
    if (is("-")) {
      ++at_;
      const Fact inner = unary();
      if (inner.value) return constant(-*inner.value);
      return inner.spread == Spread::uniform ? Fact{Spread::uniform, inner.warps, {}} : varying();
    }
    if (is("!") || is("~")) {
      ++at_;
      return unary().spread == Spread::uniform ? uniform() : varying();
    }
    if (is("(") && is_integer_cast()) {
      at_ = syntax_.after(at_);
      return unary();
    }
    return primary();
  }

  /// `(int)`: a cast that keeps what is known.
  bool is_integer_cast() const {
    const std::size_t close = syntax_.partner(at_);
    if (close == npos || close == at_ + 1) return false;
    for (std::size_t i = at_ + 1; i < close; ++i)
      if (!is_integer_type(syntax_.at(i))) return false;
    return true;
  }
  static bool is_integer_type(std::string_view word) {
    return word == "int" || word == "unsigned" || word == "long" || word == "const" || word == "size_t" ||
           word == "signed" || word == "uint32_t" || word == "int32_t";
  }

  Fact primary() {
    if (at_ >= end_) return varying();
    if (is("(")) {
      const std::size_t close = syntax_.partner(at_);
      if (close == npos || close >= end_) return varying();
      const Fact inner = UniformityReader(syntax_, facts_, names_, at_ + 1, close, depth_, thread_).read();
      at_ = close + 1;
      return inner;
    }
    const TokenKind kind = syntax_.stream().tokens[at_].kind;
    if (kind == TokenKind::number) return number();
    if (kind != TokenKind::identifier) return varying();
    if (is("true") || is("false")) return constant(syntax_.is(at_++, "true") ? 1 : 0);
    const Word word = syntax_.word(at_);
    if (word >= Word::thread_idx && word <= Word::warp_size) return built_in(word);
    if (syntax_.is(at_ + 1, "(") || syntax_.is(at_ + 1, "<")) {
      const Fact called = call();
      if (called.spread != Spread::varying) return called;
    }
    return name();
  }

  Fact number() {
    const std::string spelling(syntax_.at(at_++));
    char* rest = nullptr;
    const long long value = std::strtoll(spelling.c_str(), &rest, 0);
    const bool integer = rest != spelling.c_str() &&
                         std::string_view(rest).find_first_not_of("uUlL") == std::string_view::npos;
    return integer ? constant(value) : uniform();
  }

  Fact lanes() const { return thread_ ? constant(*thread_) : Fact{Spread::lanes, false, {}}; }

  Fact built_in(Word word) {
    if (word == Word::warp_size) return ++at_, constant(warp_width);
    if (!syntax_.is(at_ + 1, ".") || at_ + 2 >= end_) return varying();
    const bool x = syntax_.is(at_ + 2, "x");
    at_ += 3;
    if (word == Word::thread_idx) return x ? lanes() : varying();
    return {Spread::uniform, word == Word::block_dim && x, {}};
  }

  /// `static_cast<int>(x)` keeps what is known, and functions of uniform values are uniform: the caller knows
  /// that all in the expression are pure.
  Fact call() {
    std::size_t open = at_ + 1;
    if (is("cuemu_thread_rank")) {
      at_ = syntax_.after(open);
      return lanes();
    }
    bool cast = false;
    if (syntax_.is(open, "<")) {
      const std::size_t angle = syntax_.template_close(open);
      if (angle == npos || angle >= end_ || !syntax_.is(angle + 1, "(")) return varying();
      cast = is("static_cast");
      for (std::size_t i = open + 1; i < angle; ++i) cast = cast && is_integer_type(syntax_.at(i));
      open = angle + 1;
    }
    const std::size_t close = syntax_.partner(open);
    if (close == npos || close >= end_) return varying();
    cast = cast || is_integer_type(syntax_.at(at_));
    Fact all = uniform();
    for (std::size_t at = open + 1; at < close;) {
      std::size_t stop = at;
      while (stop < close && !syntax_.is(stop, ",")) stop = syntax_.after(stop);
      const Fact one = UniformityReader(syntax_, facts_, names_, at, stop, depth_, thread_).read();
      if (cast) all = one;
      if (one.spread != Spread::uniform && !cast) all = varying();
      at = stop + 1;
    }
    at_ = close + 1;
    return all;
  }

  Fact name() {
    const std::size_t at = at_++;
    const std::size_t v = facts_.owner(at);
    while (is(".") && at_ + 1 < end_) at_ += 2;  // a member of what is uniform is uniform
    const bool member = at_ != at + 1;
    if (v == npos) {
      if (member || !syntax_.is_name(at)) return uniform();
      const auto known = names_.constants.find(std::string(syntax_.at(at)));
      return known != names_.constants.end() ? constant(known->second) : uniform();
    }
    const KernelVariable& variable = facts_.variables()[v];
    const bool uniform_kind =
        variable.kind == KernelVariable::Kind::uniform || variable.kind == KernelVariable::Kind::shared;
    const bool known = !member && variable.local != nullptr && variable.writes.empty() &&
                       variable.local->initialiser != npos && depth_ < max_depth &&
                       (uniform_kind || variable.computable);
    if (known && variable.kind != KernelVariable::Kind::shared) {
      const Fact fact = UniformityReader(syntax_, facts_, names_, variable.local->initialiser,
                                         variable.local->initialiser_end, depth_ + 1, thread_)
                            .read();
      if (fact.spread != Spread::varying || !uniform_kind) return fact;
    }
    return uniform_kind ? uniform() : varying();
  }

  const Syntax& syntax_;
  const Uniformity& facts_;
  const KnownNames& names_;
  std::size_t at_;
  const std::size_t end_;
  const int depth_;
  const std::optional<long long> thread_;  ///< the one whose values are asked for
};

}  // namespace

bool is_warp_uniform(const Syntax& syntax, const Uniformity& facts, const KnownNames& names,
                     std::size_t begin, std::size_t end) {
  return facts.is_computable(begin, end) &&
         UniformityReader(syntax, facts, names, begin, end, 0).read().spread == Spread::uniform;
}

std::optional<long long> value_of_thread(const Syntax& syntax, const Uniformity& facts,
                                         const KnownNames& names, std::size_t begin, std::size_t end,
                                         unsigned thread) {
  if (!facts.is_computable(begin, end)) return std::nullopt;
  return UniformityReader(syntax, facts, names, begin, end, 0, thread).read().value;
}

std::optional<long long> constant_value(const Syntax& syntax, const KnownNames& names, std::size_t begin,
                                        std::size_t end) {
  const Uniformity nothing(syntax, 0, 0, names);
  return UniformityReader(syntax, nothing, names, begin, end, 0).read().value;
}

}  // namespace emucc
