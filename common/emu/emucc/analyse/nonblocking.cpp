#include "analyse/nonblocking.hpp"

#include "analyse/methods.hpp"
#include "analyse/plain_loop.hpp"

namespace emucc {
namespace {

bool is_atomic(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "atomicAdd", "atomicSub", "atomicMin", "atomicMax",  "atomicAnd", "atomicOr",
      "atomicXor", "atomicInc", "atomicDec", "atomicExch", "atomicCAS"};
  for (std::string_view scope : {"_block", "_system"}) {
    if (name.size() > scope.size() && name.substr(name.size() - scope.size()) == scope)
      name.remove_suffix(scope.size());
  }
  return words.count(name) > 0;
}

/// Questions to a thread_block of cooperative groups.
bool is_group_question(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "thread_rank", "size", "num_threads", "thread_index", "group_index", "group_dim", "dim_threads"};
  return words.count(name) > 0;
}

/// Makes a function object of cooperative groups or the standard library.
bool is_operator_object(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {"plus",   "less",    "greater", "bit_and",
                                                             "bit_or", "bit_xor", "minimum", "maximum"};
  return words.count(name) > 0;
}

bool is_fence(std::string_view name) {
  return name == "__threadfence" || name == "__threadfence_block" || name == "__threadfence_system";
}

constexpr int deepest_methods = 4;  ///< that call one another

std::string reason_of(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                      int depth);

class BlockingReader {
 public:
  BlockingReader(const Syntax& syntax, const KnownNames& names, const std::unordered_set<std::string>& groups,
                 const std::unordered_set<std::size_t>& allowed, bool function, int depth = 0)
      : syntax_(syntax),
        names_(names),
        groups_(groups),
        allowed_(allowed),
        function_(function),
        depth_(depth) {}

  /// Names that the function gives to lambdas.
  void note_lambdas(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i + 3 < end; ++i)
      if (syntax_.is(i, "auto") && syntax_.is(i + 2, "=") && syntax_.lambda_body(i + 3) != npos)
        lambdas_.emplace(syntax_.at(i + 1));
  }

  BlockingAnalysis read(const Statement& statement) {
    found_.nonblocking = tree(statement) && tokens(statement.begin, statement.end);
    return std::move(found_);
  }

 private:
  using Kind = Statement::Kind;

  bool refuse(std::string reason) {
    found_.reason = std::move(reason);
    return false;
  }

  /// Loops that may wait for an atomic's answer, and statements that need a place of their own.
  bool tree(const Statement& statement) {
    if (statement.kind == Kind::shared) return refuse("a __shared__ variable is declared inside of a branch");
    const bool endless = statement.kind == Kind::for_ && statement.semicolon[1] == statement.semicolon[0] + 1;
    const bool waits = statement.kind == Kind::while_ || statement.kind == Kind::do_ || endless;
    const std::size_t end = waits ? statement.end : statement.close;
    if (waits || statement.kind == Kind::for_) {
      for (std::size_t i = waits ? statement.begin : statement.open; i < end; ++i)
        if (is_atomic(syntax_.at(i)) && !is_discarded(i))
          return refuse("a loop may wait for an atomic to change");
    }
    for (const Statement& inner : statement.children)
      if (!tree(inner)) return false;
    return true;
  }

  /// Is the call a statement of its own, whose result nobody sees?
  bool is_discarded(std::size_t name) const {
    const std::size_t open = name + 1;
    if (!syntax_.is(open, "(") || !syntax_.is(syntax_.after(open), ";")) return false;
    for (std::string_view before : {";", "{", "}", ")", "else", "do"})
      if (syntax_.is(name - 1, before)) return true;
    return false;
  }

  bool tokens(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const TokenKind kind = syntax_.stream().tokens[i].kind;
      if (kind == TokenKind::verbatim) return refuse("a header is included inside of it");
      if (syntax_.is_launch_open(i)) return refuse("it launches a kernel");
      if (!function_ && syntax_.lambda_body(i) != npos) return refuse("it has a lambda");
      if (syntax_.is(i, "(") && !call(i, begin)) return false;
      if (kind == TokenKind::identifier && !word(i)) return false;
    }
    return true;
  }

  bool word(std::size_t i) {
    const Word word = syntax_.word(i);
    for (std::string_view bad : {"volatile", "goto", "new", "delete", "static", "this", "co_await"})
      if (syntax_.is(i, bad)) return refuse("it uses '" + std::string(bad) + "'");
    if (word == Word::assembly && function_ && is_computing_assembly(syntax_, i)) return true;
    return word != Word::assembly && word != Word::class_key
               ? true
               : refuse("it has assembly, or a class of its own");
  }

  /// Is the call whose `(` stands at `open` one that never waits?
  bool call(std::size_t open, std::size_t begin) {
    if (open == begin) return true;
    std::size_t callee = open - 1;
    if (function_ && (syntax_.word(callee) == Word::assembly || syntax_.word(callee - 1) == Word::assembly))
      return true;  // word() looks at it
    if (function_ && syntax_.is(callee, "]") && syntax_.lambda_body(syntax_.partner(callee)) != npos)
      return true;  // the parameters of a lambda

    if (syntax_.is(callee, ">")) {
      const std::size_t angle = syntax_.template_open(callee);
      if (angle == npos || angle <= begin) return true;  // a comparison
      callee = angle - 1;
    } else if (syntax_.is(callee, "]") || syntax_.is(callee, "}")) {
      return refuse("it calls something that is not named");
    }
    if (!syntax_.is_identifier(callee) || allowed_.count(callee) > 0) return true;
    const std::string name(syntax_.at(callee));
    if (syntax_.is(callee - 1, ".") || syntax_.is(callee - 1, "->")) {
      const bool question =
          callee >= 2 && groups_.count(std::string(syntax_.at(callee - 2))) > 0 && is_group_question(name);
      found_.asks_index = found_.asks_index || question;
      return question || method(callee) || refuse("it calls the member function '" + name + "'");
    }
    const Word word = syntax_.word(callee);
    if (word == Word::printf || word == Word::assert_fail || names_.nonblocking_functions.count(name) > 0) {
      found_.asks_index = true;
      return true;
    }
    if (syntax_.is(callee - 1, "::") && syntax_.is(callee + 1, "<") && is_operator_object(name)) return true;
    if (is_harmless_call(name) || is_atomic(name) || is_fence(name) || name == "void") return true;
    return lambdas_.count(name) > 0 || names_.plain_functions.count(name) > 0 ||
           refuse("it calls '" + name + "'");
  }

  /// Is it one of the user's that never waits? All of its name in the class must be so.
  bool method(std::size_t name) {
    const std::vector<Method> all = called_methods(syntax_, name);
    if (all.empty() || depth_ == deepest_methods) return false;
    for (const Method& each : all) {
      if (each.body == npos) return false;
      const std::size_t begin = each.body + 1, end = syntax_.partner(each.body);
      if (!reason_of(syntax_, begin, end, names_, depth_ + 1).empty()) return false;
      found_.asks_index =
          found_.asks_index || !is_plain_function(syntax_, begin, end, names_.plain_functions);
    }
    return true;
  }

  const Syntax& syntax_;
  const KnownNames& names_;
  const std::unordered_set<std::string>& groups_;
  const std::unordered_set<std::size_t>& allowed_;
  const bool function_;  ///< it is part of a function, not of a kernel: it is never split
  const int depth_;      ///< of methods that have been followed
  std::unordered_set<std::string> lambdas_;
  BlockingAnalysis found_;
};

/// @param depth how many methods led here
std::string reason_of(const Syntax& syntax, std::size_t begin, std::size_t end, const KnownNames& names,
                      int depth) {
  std::vector<Statement> statements;
  if (!read_statements(syntax, begin, end, statements, true))
    return "it has statements of a kind that is not read";
  const std::unordered_set<std::string> groups;
  const std::unordered_set<std::size_t> allowed;
  for (const Statement& statement : statements) {
    BlockingReader reader(syntax, names, groups, allowed, true, depth);
    reader.note_lambdas(begin, end);
    if (const BlockingAnalysis found = reader.read(statement); !found.nonblocking) return found.reason;
  }
  return {};
}

}  // namespace

BlockingAnalysis analyse_blocking(const Syntax& syntax, const Statement& statement, const KnownNames& names,
                                  const std::unordered_set<std::string>& groups,
                                  const std::unordered_set<std::size_t>& allowed) {
  return BlockingReader(syntax, names, groups, allowed, false).read(statement);
}

std::string unsteady_reason(const Syntax& syntax, std::size_t begin, std::size_t end,
                            const KnownNames& names) {
  return reason_of(syntax, begin, end, names, 0);
}

}  // namespace emucc
