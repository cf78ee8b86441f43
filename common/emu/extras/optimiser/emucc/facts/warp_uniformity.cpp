#include "facts/warp_uniformity.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

constexpr long long warp_width = 32;
constexpr int max_depth = 16;  ///< nesting of variables computed from others

/// The known facts about a value.
struct Fact {
  enum class Spread {
    uniform,  ///< the same in all lanes of a warp
    lanes,    ///< a multiple of 32 plus the lane's number
    varying,
  };
  Spread spread = Spread::varying;
  bool warps = false;              ///< a multiple of 32, where rows of threads are whole warps
  std::optional<long long> value;  ///< the value, if it is known
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

class UniformityReader {
 public:
  UniformityReader(const Syntax& syntax, const Uniformity& facts, const KnownNames& names,
                   std::optional<long long> thread = {})
      : syntax_(syntax), facts_(facts), names_(names), thread_(thread) {}

  Fact read(std::size_t begin, std::size_t end) {
    return begin < end ? read(syntax_.tree().expression(begin, end)) : varying();
  }

 private:
  Fact read(const Expression& node) {
    switch (node.kind) {
      case ExpressionKind::literal:
        return literal(node);
      case ExpressionKind::name:
        return name(node);
      case ExpressionKind::parentheses:
        return read(node.part(0));
      case ExpressionKind::list:
        return node.parts.size() == 1 ? read(node.part(0)) : varying();
      case ExpressionKind::member:
        return member(node);
      case ExpressionKind::call:
        return call(node);
      case ExpressionKind::unary:
        return unary(node);
      case ExpressionKind::binary:
        return combine(read(node.part(0)), node.op, read(node.part(1)));
      case ExpressionKind::conditional:
        return choice(node);
      case ExpressionKind::cast:
        return cast(node);
      case ExpressionKind::query:
        return uniform();
      case ExpressionKind::this_:
      case ExpressionKind::index:
      case ExpressionKind::assignment:
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::lambda:
      case ExpressionKind::launch:
      case ExpressionKind::assembly:
      case ExpressionKind::unknown:
        return varying();
    }
    return varying();
  }

  bool are_uniform(const Expression& node, std::size_t first) {
    return std::all_of(node.parts.begin() + static_cast<std::ptrdiff_t>(first), node.parts.end(),
                       [&](const Expression* part) { return read(*part).spread == Spread::uniform; });
  }

  Fact choice(const Expression& node) {
    const Fact first = read(node.part(0)), yes = read(node.part(1)), no = read(node.part(2));
    const bool same =
        first.spread == Spread::uniform && yes.spread == Spread::uniform && no.spread == Spread::uniform;
    return same ? Fact{Spread::uniform, yes.warps && no.warps, {}} : varying();
  }

  static Fact combine(const Fact& a, std::string_view sign, const Fact& b) {
    if (sign == "," || sign == ".*" || sign == "->*") return varying();
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
    if (b.spread == Spread::lanes) {  // as in 32 > i
      return compared(sign == "<"    ? ">"
                      : sign == ">"  ? "<"
                      : sign == "<=" ? ">="
                      : sign == ">=" ? "<="
                                     : "",
                      a);
    }
    return varying();
  }

  static Fact compared(std::string_view sign, const Fact& bound) {
    if (bound.spread != Spread::uniform) return varying();
    if ((sign == "<" || sign == ">=") && bound.warps) return uniform();
    const bool last = bound.value && *bound.value % warp_width == warp_width - 1;
    return (sign == "<=" || sign == ">") && last ? uniform() : varying();
  }

  static Fact fold(const Fact& a, std::string_view sign, const Fact& b) {
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

  /// Computes operators for which signedness makes no difference: `&&`, `||`, and other operators on operands that
  /// aren't negative.
  static Fact folded_more(long long a, std::string_view sign, long long b, const Fact& otherwise) {
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

  Fact unary(const Expression& node) {
    const Fact inner = read(node.part(0));
    if (node.op == "+") return inner;
    const bool same = inner.spread == Spread::uniform;
    if (node.op == "-" && inner.value) return constant(-*inner.value);
    if (node.op == "-" && same) return {Spread::uniform, inner.warps, {}};
    return same && (node.op == "!" || node.op == "~") ? uniform() : varying();
  }

  /// Returns the facts after a cast. A cast to an integer keeps them.
  Fact cast(const Expression& node) {
    bool integer = node.parts.size() == 1;
    for (std::size_t i = node.type_begin; i < node.type_end; ++i)
      integer = integer && is_integer_type(syntax_.at(i));
    const bool reinterprets = syntax_.is(node.at, "reinterpret_cast");
    if (integer && !reinterprets) return read(node.part(0));
    return are_uniform(node, 0) ? uniform() : varying();
  }

  static bool is_integer_type(std::string_view word) {
    return word == "int" || word == "unsigned" || word == "long" || word == "const" || word == "size_t" ||
           word == "signed" || word == "uint32_t" || word == "int32_t";
  }

  Fact literal(const Expression& node) const {
    if (syntax_.is(node.at, "true")) return constant(1);
    if (syntax_.is(node.at, "false")) return constant(0);
    if (syntax_.stream().tokens[node.at].kind != TokenKind::number) return varying();
    const std::string spelling(syntax_.at(node.at));
    char* rest = nullptr;
    const long long value = std::strtoll(spelling.c_str(), &rest, 0);
    const bool integer = rest != spelling.c_str() &&
                         std::string_view(rest).find_first_not_of("uUlL") == std::string_view::npos;
    return integer ? constant(value) : uniform();
  }

  Fact lanes() const { return thread_ ? constant(*thread_) : Fact{Spread::lanes, false, {}}; }

  Fact member(const Expression& node) {
    const Expression& object = inside_parentheses(node.part(0));
    if (node.op != ".") return varying();
    const Word word = object.kind == ExpressionKind::name ? syntax_.word(object.at) : Word::none;
    const bool x = syntax_.is(node.at, "x");
    if (word == Word::thread_idx) return x ? lanes() : varying();
    if (word >= Word::block_idx && word <= Word::grid_dim)
      return {Spread::uniform, word == Word::block_dim && x, {}};
    return read(object).spread == Spread::uniform ? uniform() : varying();  // an element of a uniform object
  }

  /// Returns the facts about a call. Functions of uniform values are uniform, since the caller has checked
  /// that all functions in the expression are pure.
  Fact call(const Expression& node) {
    if (node.part(0).kind != ExpressionKind::name) return varying();
    if (syntax_.is(node.part(0).at, "cuemu_thread_rank")) return lanes();
    return are_uniform(node, 1) ? uniform() : varying();
  }

  Fact name(const Expression& node) {
    const Word word = syntax_.word(node.at);
    if (word == Word::warp_size) return constant(warp_width);
    if (word >= Word::thread_idx && word <= Word::grid_dim) return varying();
    const std::size_t v = facts_.owner(node.at);
    if (v == npos) {
      const bool qualified = node.begin != node.at;
      const auto known = names_.constants.find(std::string(syntax_.at(node.at)));
      return known != names_.constants.end() && !qualified ? constant(known->second) : uniform();
    }
    const KernelVariable& variable = facts_.variables()[v];
    const bool uniform_kind = variable.kind == VariableKind::uniform || variable.kind == VariableKind::shared;
    const bool known = variable.local != nullptr && variable.writes.empty() &&
                       variable.local->initialiser != npos && depth_ < max_depth &&
                       (uniform_kind || variable.computable);
    if (known && variable.kind != VariableKind::shared) {
      ++depth_;
      const Fact fact = read(variable.local->initialiser, variable.local->initialiser_end);
      --depth_;
      if (fact.spread != Spread::varying || !uniform_kind) return fact;
    }
    return uniform_kind ? uniform() : varying();
  }

  const Syntax& syntax_;
  const Uniformity& facts_;
  const KnownNames& names_;
  int depth_ = 0;                          ///< nesting of variables whose initialisers are being read
  const std::optional<long long> thread_;  ///< the thread whose values are computed
};

}  // namespace

bool is_warp_uniform(const Syntax& syntax, const Uniformity& facts, const KnownNames& names,
                     std::size_t begin, std::size_t end) {
  return facts.is_computable(begin, end) &&
         UniformityReader(syntax, facts, names).read(begin, end).spread == Spread::uniform;
}

std::optional<long long> value_of_thread(const Syntax& syntax, const Uniformity& facts,
                                         const KnownNames& names, std::size_t begin, std::size_t end,
                                         unsigned thread) {
  if (!facts.is_computable(begin, end)) return std::nullopt;
  return UniformityReader(syntax, facts, names, thread).read(begin, end).value;
}

std::optional<long long> constant_value(const Syntax& syntax, const KnownNames& names, std::size_t begin,
                                        std::size_t end) {
  const Uniformity nothing(syntax, 0, 0, names);
  return UniformityReader(syntax, nothing, names).read(begin, end).value;
}

}  // namespace emucc
