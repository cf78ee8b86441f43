// Finds the loops that qualify. A counter `v` begins at B, a sum of threadIdx and values that never change.
// Each of threadIdx.x, .y and .z occurs in B at most once, alone or times blockDim. So B is least for the
// first thread and greatest for the last one.
//
// In a simple loop, each iteration adds the same value to `v` for all threads. In another form, the counter
// begins at `t` or `t + U`, and each iteration sets `v = t + E`, where E follows from the distance `v - t`.
// Then the condition compares `v` with a uniform value, or with `t`. The question (`SameTurns::question`,
// cuemu/same_turns.hpp) checks in each iteration that no value wraps. As long as none wraps, every thread
// between two threads that continue also continues.
#include "split/same_turns.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "inline/made_tokens.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// Returns true for `int`, `unsigned long`, `std::size_t` and other integer types.
bool is_integer_type(const Syntax& syntax, std::size_t begin, std::size_t end, bool may_be_const) {
  static const std::set<std::string_view> words = {"int",      "unsigned", "signed", "long",
                                                   "std",      "::",       "size_t", "uint32_t",
                                                   "uint64_t", "int32_t",  "int64_t"};
  bool any = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (may_be_const && (syntax.is(i, "const") || syntax.is(i, "constexpr"))) continue;
    if (words.count(syntax.at(i)) == 0) return false;
    any = true;
  }
  return any;
}

bool is_integer_literal(std::string_view literal) {
  if (literal.empty() || std::isdigit(static_cast<unsigned char>(literal[0])) == 0) return false;
  const bool hexadecimal = literal.size() > 1 && (literal[1] == 'x' || literal[1] == 'X');
  return literal.find('.') == literal.npos && literal.find('\'') == literal.npos &&
         (hexadecimal || literal.find_first_of("eEfF") == literal.npos);
}

class TurnsFinder {
 public:
  TurnsFinder(TokenStream& stream, Syntax& syntax, const Declaration& kernel, const Fission& resumed,
              const KnownNames& names)
      : stream_(stream), syntax_(syntax), kernel_(kernel), resumed_(resumed), names_(names) {}

  SameTurns run() {
    SameTurns all;
    find(resumed_.statements);
    if (loops_.empty()) {
      all.refusal = "it has no loop around barriers whose counter differs between threads by where it begins";
      return all;
    }
    for (const Loop& loop : loops_) all.question += (all.question.empty() ? "" : " && ") + question(loop);
    all.found = copy();
    return all;
  }

 private:
  static constexpr double most_extent = 1024, most_spread = 1 << 30;
  /// The condition of `if (v < X)`, or an equivalent condition on a thread's counter.
  struct Guard {
    const Expression* condition;
    const Expression* limit;
    bool below;  ///< the condition is true below the limit
    std::string name;
  };
  struct Loop {
    const Statement* statement;
    std::size_t variable;             ///< the index of its counter among the plan's variables
    std::size_t from = Syntax::npos;  ///< the variable `t`, if any
    const Expression *begin, *condition, *step;
    std::string first;  ///< the name of the first thread's counter
    std::vector<Guard> guards = {};
  };
  /// The thread for which an expression is written.
  enum class Thread { own, first, last };
  /// The replacement of a loop's counter.
  struct Instead {
    std::size_t variable = Syntax::npos;
    std::string name;
  };

  void find(const std::vector<Statement>& list) {
    for (const Statement& statement : list) {
      if (resumed_.around_barriers.count(&statement) == 0) continue;
      if (statement.kind == Statement::Kind::for_) read(statement);
      find(statement.children);
    }
  }

  /// Returns the variable that the name denotes.
  std::size_t owner(std::size_t at) const {
    for (std::size_t v = 0; v < resumed_.variables.size(); ++v) {
      const KernelVariable& variable = resumed_.variables[v];
      if (at < variable.begin || at >= variable.end || !syntax_.is(at, variable.name)) continue;
      const std::size_t declared = syntax_.tree().scopes().meaning(at).declared;
      if (variable.local != nullptr ? declared == variable.local->name || at == variable.local->name
                                    : declared == Syntax::npos || declared < kernel_.body)
        return v;
    }
    return Syntax::npos;
  }
  const Expression& initialiser(const KernelVariable& variable) const {
    return syntax_.tree().expression(variable.local->initialiser, variable.local->initialiser_end);
  }
  bool has_initialiser(const KernelVariable& variable) const {
    return variable.local != nullptr && variable.local->initialiser != Syntax::npos &&
           !variable.local->direct && !syntax_.is(variable.local->initialiser, "{") && !variable.pointer &&
           !variable.reference && !variable.array;
  }
  bool is_integer(const KernelVariable& variable) const {
    if (variable.pointer || variable.reference || variable.array) return false;
    if (variable.local == nullptr) return is_integer_type(syntax_, variable.type, variable.type_end, true);
    const Statement& declared = *variable.declared;
    return is_integer_type(syntax_, declared.type, declared.type_end, true);
  }
  bool is_name_of(const Expression& expression, std::size_t variable) const {
    const Expression& bare = inside_parentheses(expression);
    return bare.kind == ExpressionKind::name && bare.begin == bare.at && owner(bare.at) == variable;
  }
  /// Returns true for `threadIdx.x`, `blockDim.x` and similar variables.
  bool is_built_in(const Expression& node, bool thread) const {
    if (node.kind != ExpressionKind::member || node.op != "." || node.end != node.begin + 3) return false;
    const Word word = syntax_.word(node.begin);
    return thread ? word == Word::thread_idx : word >= Word::block_idx && word <= Word::grid_dim;
  }

  /// Returns true if the node is a whole number that is uniform, never changes, and can be computed when the
  /// kernel begins.
  /// @param distance a loop whose distance `v - t` may occur in the node, too
  bool is_invariant(const Expression& node, const Loop* distance = nullptr) const {
    switch (node.kind) {
      case ExpressionKind::literal:
        return node.end == node.begin + 1 && is_integer_literal(syntax_.at(node.begin));
      case ExpressionKind::parentheses:
        return is_invariant(node.part(0), distance);
      case ExpressionKind::member:
        return is_built_in(node, false);
      case ExpressionKind::name: {
        if (node.begin != node.at) return false;
        if (syntax_.word(node.at) == Word::warp_size) return true;
        const std::size_t v = owner(node.at);
        if (v == Syntax::npos) return names_.constants.count(std::string(syntax_.at(node.at))) > 0;
        const KernelVariable& variable = resumed_.variables[v];
        if (variable.kind != VariableKind::uniform || !variable.writes.empty() || variable.address_taken ||
            resumed_.votes.count(v) > 0 || !is_integer(variable))
          return false;
        return variable.local == nullptr ||
               (has_initialiser(variable) && is_invariant(initialiser(variable)));
      }
      case ExpressionKind::cast:
        return is_number_cast(node) && is_invariant(node.part(0), distance);
      case ExpressionKind::unary:
        return (node.op == "+" || node.op == "-" || node.op == "~") && is_invariant(node.part(0), distance);
      case ExpressionKind::binary: {
        if (distance != nullptr && node.op == "-" && distance->from != Syntax::npos &&
            is_name_of(node.part(0), distance->variable) && is_name_of(node.part(1), distance->from))
          return true;
        const bool divides = node.op == "/" || node.op == "%";  // moved code must not divide by zero
        if (divides && !is_positive_literal(node.part(1))) return false;
        static const std::set<std::string_view> operators = {"+", "-", "*", "/", "%", "&", "|", "^"};
        return operators.count(node.op) > 0 && is_invariant(node.part(0), distance) &&
               is_invariant(node.part(1), distance);
      }
      default:
        return false;
    }
  }
  /// Returns true for `static_cast<int>(x)`, `(int)x` or `int(x)`.
  bool is_number_cast(const Expression& node) const {
    return node.parts.size() == 1 && is_integer_type(syntax_, node.type_begin, node.type_end, false) &&
           (node.style != Expression::Style::named || syntax_.is(node.begin, "static_cast"));
  }
  bool is_positive_literal(const Expression& node) const {
    const Expression& bare = inside_parentheses(node);
    return bare.kind == ExpressionKind::literal && is_invariant(bare) &&
           syntax_.at(bare.begin).find_first_of("123456789") == 0;
  }

  /// Returns true if a counter can begin at the node, whose value must be least for the first thread.
  /// @param spread set to the greatest possible difference between two threads' values; 0 if uniform
  bool is_position(const Expression& node, double& spread) const {
    spread = 0;
    if (is_invariant(node)) return true;
    double left = 0, right = 0;
    switch (node.kind) {
      case ExpressionKind::parentheses:
        return is_position(node.part(0), spread);
      case ExpressionKind::cast:
        return is_number_cast(node) && is_position(node.part(0), spread);
      case ExpressionKind::member:
        spread = most_extent;
        return is_built_in(node, true);
      case ExpressionKind::name: {
        const std::size_t v = node.begin == node.at ? owner(node.at) : Syntax::npos;
        if (v == Syntax::npos) return false;
        const KernelVariable& variable = resumed_.variables[v];
        return variable.kind == VariableKind::index && variable.writes.empty() && !variable.address_taken &&
               is_integer(variable) && has_initialiser(variable) &&
               is_position(initialiser(variable), spread);
      }
      case ExpressionKind::binary:
        if ((node.op != "+" && node.op != "*") || !is_position(node.part(0), left) ||
            !is_position(node.part(1), right))
          return false;
        spread = node.op == "+" ? left + right : (left + right) * most_extent;
        return node.op == "+" || is_extent(node.part(left > 0 ? 1 : 0));
      default:
        return false;
    }
  }
  /// Returns true for `blockDim.x`, `blockDim.y` and so on, or a small number.
  bool is_extent(const Expression& node) const {
    const Expression& bare = inside_parentheses(node);
    if (is_built_in(bare, false)) return syntax_.word(bare.begin) == Word::block_dim;
    return is_positive_literal(bare) && syntax_.at(bare.begin).size() < 4;
  }

  /// Returns true if a statement inside it may end the loop.
  static bool leaves(const Statement& statement) {
    return statement.kind == Statement::Kind::break_ || statement.kind == Statement::Kind::return_ ||
           std::any_of(statement.children.begin(), statement.children.end(), leaves);
  }

  void read(const Statement& statement) {
    if (statement.counters.size() != 1) return;
    Loop loop{&statement, resumed_.variable(statement.counters[0]), Syntax::npos, nullptr, nullptr, nullptr,
              ""};
    if (loop.variable == Syntax::npos) return;
    if (leaves(statement)) return;  // the loop may run fewer iterations than its header shows
    const KernelVariable& variable = resumed_.variables[loop.variable];
    const std::size_t behind = statement.semicolon[1] + 1;
    if (variable.kind != VariableKind::kept || variable.address_taken || !has_initialiser(variable) ||
        !is_integer_type(syntax_, statement.type, statement.type_end, false) ||
        statement.semicolon[0] + 1 >= statement.semicolon[1] || behind >= statement.close ||
        std::any_of(variable.writes.begin(), variable.writes.end(),
                    [&](std::size_t write) { return write < behind || write >= statement.close; }))
      return;
    loop.begin = &initialiser(variable);
    loop.condition = &syntax_.tree().expression(statement.semicolon[0] + 1, statement.semicolon[1]);
    loop.step = &syntax_.tree().expression(behind, statement.close);
    double spread = 0;
    if (!is_position(*loop.begin, spread) || spread == 0 || spread > most_spread) return;
    find_from(loop);
    if (!is_step(loop) || !is_condition(loop)) return;
    loop.first = "cuemu_first_" + std::to_string(loops_.size() + 1);
    if (loop.from != Syntax::npos && !is_hidden(loop.from, statement.children[0]))
      find_guards(statement.children[0], loop);
    loops_.push_back(loop);
  }

  /// Returns true if the variable's name means another variable somewhere in the statement.
  bool is_hidden(std::size_t variable, const Statement& statement) const {
    for (std::size_t i = statement.begin; i < statement.end; ++i)
      if (syntax_.is(i, resumed_.variables[variable].name) && owner(i) != variable) return true;
    return false;
  }

  void find_guards(const Statement& statement, Loop& loop) {
    if (statement.kind == Statement::Kind::if_ && !syntax_.is(statement.head + 1, "constexpr")) {
      const Expression& whole = syntax_.tree().expression(statement.open + 1, statement.close);
      const Expression& compares = inside_parentheses(whole);
      const bool binary = compares.kind == ExpressionKind::binary;
      for (const std::size_t side : {0, 1}) {
        const std::string_view below = side == 0 ? "<" : ">", above = side == 0 ? ">=" : "<=";
        if (!binary || (compares.op != below && compares.op != above) ||
            !is_name_of(compares.part(side), loop.variable) || !is_invariant(compares.part(1 - side), &loop))
          continue;
        const std::string name = "cuemu_limit_" + std::to_string(++limits_);
        loop.guards.push_back({&whole, &compares.part(1 - side), compares.op == below, name});
        break;
      }
    }
    for (const Statement& inner : statement.children) find_guards(inner, loop);
  }

  /// Finds the `t` of a counter that begins at `t`, or at `t + U`.
  void find_from(Loop& loop) const {
    const Expression& begin = inside_parentheses(*loop.begin);
    const bool sum = begin.kind == ExpressionKind::binary && begin.op == "+";
    for (const std::size_t side : {0, 1}) {
      const Expression& name = inside_parentheses(sum ? begin.part(side) : begin);
      if (name.kind != ExpressionKind::name || owner(name.at) == Syntax::npos) continue;
      const bool index = resumed_.variables[owner(name.at)].kind == VariableKind::index;
      if (index && (!sum || is_invariant(begin.part(1 - side)))) loop.from = owner(name.at);
    }
  }

  bool is_step(const Loop& loop) const {
    const Expression& step = *loop.step;
    if (step.kind == ExpressionKind::unary)
      return (step.op == "++" || step.op == "--") && is_name_of(step.part(0), loop.variable);
    if (step.kind != ExpressionKind::assignment || !is_name_of(step.part(0), loop.variable)) return false;
    if (step.op == "+=" || step.op == "-=") return is_invariant(step.part(1));
    const Expression& sum = inside_parentheses(step.part(1));
    if (step.op != "=" || loop.from == Syntax::npos || sum.kind != ExpressionKind::binary || sum.op != "+")
      return false;
    return (is_name_of(sum.part(0), loop.from) && is_invariant(sum.part(1), &loop)) ||
           (is_name_of(sum.part(1), loop.from) && is_invariant(sum.part(0), &loop));
  }

  bool is_condition(const Loop& loop) const {
    const Expression& compares = inside_parentheses(*loop.condition);
    static const std::set<std::string_view> operators = {"<", "<=", ">", ">="};
    if (compares.kind != ExpressionKind::binary || operators.count(compares.op) == 0) return false;
    for (const std::size_t side : {0, 1}) {
      const Expression& other = compares.part(1 - side);
      if (is_name_of(compares.part(side), loop.variable) &&
          (is_invariant(other) || (loop.from != Syntax::npos && is_name_of(other, loop.from))))
        return true;
    }
    return false;
  }

  // ---- output

  void put(std::size_t like, const std::string& words, Tokens& to) {
    put_words(stream_, stream_.tokens[like], words, to);
  }
  /// Writes the tokens for one thread. Constants that the kernel's body declares are computed again where they occur.
  void put_for(Thread thread, std::size_t begin, std::size_t end, const Instead& instead, Tokens& to) {
    for (std::size_t i = begin; i < end; ++i) {
      const bool member = i > begin && syntax_.is(i - 1, ".");
      const std::size_t v = member ? Syntax::npos : owner(i);
      if (!member && syntax_.word(i) == Word::thread_idx) {
        const std::string extent = "( blockDim . " + std::string(syntax_.at(i + 2)) + " - 1u )";
        put(i, thread == Thread::first ? "0u" : extent, to);
        i += 2;
      } else if (v != Syntax::npos && v == instead.variable) {
        put(i, instead.name, to);
      } else if (v != Syntax::npos && resumed_.variables[v].local != nullptr) {
        const KernelVariable& variable = resumed_.variables[v];
        put(i, "static_cast <", to);
        put_type(variable, i, to);
        put(i, "> (", to);
        put_for(thread, variable.local->initialiser, variable.local->initialiser_end, instead, to);
        put(i, ")", to);
      } else {
        to.push_back(stream_.tokens[i]);
        to.back().space_before = to.back().space_before || i == begin;
      }
    }
  }
  void put_type(const KernelVariable& variable, std::size_t like, Tokens& to) {
    for (std::size_t i = variable.declared->type; i < variable.declared->type_end; ++i)
      if (!syntax_.is(i, "const") && !syntax_.is(i, "constexpr")) put(like, std::string(syntax_.at(i)), to);
  }
  std::string spelled(const Tokens& tokens) const {
    std::string all;
    for (const Token& token : tokens) {
      if (token.space_before) all += ' ';
      all += stream_.spelling(token);
    }
    return all;
  }

  std::string question(const Loop& loop) {
    const auto part = [&](Thread thread, const Expression& expression) {
      Tokens tokens;
      put_for(thread, expression.begin, expression.end, {loop.variable, "cuemu_at"}, tokens);
      return spelled(tokens);
    };
    Tokens type;
    put_type(resumed_.variables[loop.variable], loop.statement->head, type);
    const auto turns = [&](Thread thread) {
      return "::cuemu::turns_of<" + spelled(type) + ">(" + part(thread, *loop.begin) +
             ", [&](const auto cuemu_at) { return " + part(thread, *loop.condition) +
             "; }, [&](auto& cuemu_at) {" + part(thread, *loop.step) + "; })";
    };
    const std::string asked =
        "::cuemu::same_turns(" + turns(Thread::first) + ", " + turns(Thread::last) + ")";
    if (loop.from == Syntax::npos) return asked;
    const auto from = [&](Thread thread) { return part(thread, initialiser(resumed_.variables[loop.from])); };
    return "::cuemu::in_order(" + from(Thread::first) + ", " + from(Thread::last) + ") && " + asked;
  }

  /// Returns true if the body names the counter outside the guards.
  bool is_mentioned(const Loop& loop) const {
    const Statement& body = loop.statement->children[0];
    for (std::size_t i = body.begin; i < body.end; ++i) {
      const auto around = [&](const Guard& guard) {
        return i >= guard.condition->begin && i < guard.condition->end;
      };
      if (owner(i) == loop.variable && std::none_of(loop.guards.begin(), loop.guards.end(), around))
        return true;
    }
    return false;
  }

  /// Writes `for (int cuemu_first_1 = …; …; …) { const int i = cuemu_first_1 + (… - …); `.
  void put_header(const Loop& loop, Tokens& to) {
    const Statement& statement = *loop.statement;
    const std::size_t like = statement.head;
    const KernelVariable& variable = resumed_.variables[loop.variable];
    const Instead instead{loop.variable, loop.first};
    const auto cast = [&](Thread thread) {
      put(like, "static_cast <", to), put_type(variable, like, to), put(like, "> (", to);
      if (thread == Thread::own)
        to.insert(to.end(), stream_.tokens.begin() + static_cast<std::ptrdiff_t>(loop.begin->begin),
                  stream_.tokens.begin() + static_cast<std::ptrdiff_t>(loop.begin->end));
      else
        put_for(thread, loop.begin->begin, loop.begin->end, instead, to);
      put(like, ")", to);
    };
    to.push_back(stream_.tokens[statement.head]);
    to.push_back(stream_.tokens[statement.open]);
    put_type(variable, like, to), put(like, loop.first + " =", to), cast(Thread::first), put(like, ";", to);
    put_for(Thread::first, loop.condition->begin, loop.condition->end, instead, to), put(like, ";", to);
    put_for(Thread::first, loop.step->begin, loop.step->end, instead, to);
    to.push_back(stream_.tokens[statement.close]);
    put(like, "{", to);
    if (is_mentioned(loop)) {
      put(like, "const", to), put_type(variable, like, to);
      put(like, variable.name + " = static_cast <", to), put_type(variable, like, to);
      put(like, "> ( " + loop.first + " + (", to), cast(Thread::own), put(like, "-", to);
      cast(Thread::first), put(like, ") ) ;", to);
    }
    for (const Guard& guard : loop.guards) put_limit(loop, guard, to);
  }

  /// Writes `v < X` as `t < X - (v - t)`. Compilers then see at which thread of a row the condition changes, which
  /// they can't see in a sum that might wrap. The values are those of in_order() (cuemu/same_turns.hpp).
  void put_limit(const Loop& loop, const Guard& guard, Tokens& to) {
    const std::size_t like = loop.statement->head;
    const KernelVariable& from = resumed_.variables[loop.from];
    const Instead instead{loop.variable, loop.first};
    const auto limit = [&] { put_for(Thread::first, guard.limit->begin, guard.limit->end, instead, to); };
    const auto distance = [&] {
      put(like, "( static_cast < long long > ( " + loop.first + " ) - static_cast < long long > (", to);
      put_for(Thread::first, from.local->initialiser, from.local->initialiser_end, instead, to);
      put(like, ") )", to);
    };
    put(like, "const", to), put_type(from, like, to), put(like, guard.name + " = static_cast <", to);
    put_type(from, like, to), put(like, "> ( (", to), limit();
    put(like, ") > 536870912 ? 2147483647 : static_cast < long long > (", to), limit();
    put(like, ") <=", to), distance(), put(like, "? 0 : static_cast < long long > (", to), limit();
    put(like, ") -", to), distance(), put(like, ") ;", to);
  }

  Declaration copy() {
    std::map<std::size_t, const Loop*> begins;
    std::map<std::size_t, std::size_t> ends;  // the loops' ends, with the number of loops that end there
    std::map<std::size_t, std::pair<const Loop*, const Guard*>> guards;
    for (const Loop& loop : loops_) {
      begins[loop.statement->head] = &loop;
      ++ends[loop.statement->end];
      for (const Guard& guard : loop.guards) guards[guard.condition->begin] = {&loop, &guard};
    }
    Tokens all;
    for (std::size_t i = kernel_.begin; i < kernel_.end; ++i) {
      for (std::size_t n = ends.count(i) > 0 ? ends[i] : 0; n > 0; --n) put(i, "}", all);
      if (const auto loop = begins.find(i); loop != begins.end()) {
        put_header(*loop->second, all);
        i = loop->second->statement->close;
      } else if (const auto guard = guards.find(i); guard != guards.end()) {
        const auto& [around, of] = guard->second;
        put(i, of->below ? "(" : "! (", all);
        put(i, resumed_.variables[around->from].name + " < " + of->name + " )", all);
        i = of->condition->end - 1;
      } else {
        all.push_back(stream_.tokens[i]);
      }
    }
    return append_copy(stream_, syntax_, kernel_, all);
  }

  TokenStream& stream_;
  Syntax& syntax_;
  const Declaration kernel_;
  const Fission& resumed_;
  const KnownNames& names_;
  std::vector<Loop> loops_;
  std::size_t limits_ = 0;
};

}  // namespace

SameTurns find_same_turns(TokenStream& stream, Syntax& syntax, const Declaration& kernel,
                          const Fission& resumed, const KnownNames& names) {
  return TurnsFinder(stream, syntax, kernel, resumed, names).run();
}

}  // namespace emucc
