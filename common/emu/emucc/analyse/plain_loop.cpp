#include "analyse/plain_loop.hpp"

#include <algorithm>
#include <cctype>

#include "parse/classes.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
/// Returns true if a loop over threads may contain the assembly statement. All of its instructions must
/// compute one register from others, and none may read the thread's index.
bool is_computing_assembly(const Syntax& syntax, std::size_t at) {
  static const std::unordered_set<std::string_view> opcodes = {
      "mov", "add",  "sub",  "mul",  "mad",   "fma",   "rsqrt", "sqrt", "rcp",  "ex2",  "lg2",     "sin",
      "cos", "tanh", "abs",  "neg",  "min",   "max",   "and",   "or",   "xor",  "not",  "shl",     "shr",
      "shf", "bfe",  "bfi",  "brev", "clz",   "popc",  "prmt",  "cvt",  "selp", "set",  "setp",    "div",
      "rem", "lop3", "slct", "dp4a", "mul24", "mad24", "bfind", "fns",  "sad",  "cnot", "copysign"};
  std::size_t open = at + 1;
  while (syntax.is_identifier(open)) ++open;  // volatile
  if (!syntax.is(open, "(")) return false;
  bool any = false;
  for (std::size_t i = open + 1; syntax.stream().tokens[i].kind == TokenKind::string; ++i) {
    std::string text(syntax.at(i));
    if (text.front() != '"') return false;
    for (std::size_t n = 1; n < text.size(); ++n)  // %%tid.x, %laneid
      if (text[n - 1] == '%' && std::isdigit(static_cast<unsigned char>(text[n])) == 0) return false;
    for (std::size_t n = text.find("\\n"); n != text.npos; n = text.find("\\n", n)) text.replace(n, 2, ";;");
    for (std::size_t n = text.find("\\t"); n != text.npos; n = text.find("\\t", n)) text.replace(n, 2, "  ");
    for (std::size_t from = 1; from < text.size() - 1;) {
      const std::size_t end = std::min(text.find_first_of(";{}", from), text.size() - 1);
      std::size_t begin = text.find_first_not_of(' ', from);
      if (begin < end && text[begin] == '@') begin = text.find_first_not_of(' ', text.find(' ', begin));
      if (begin < end && text.compare(begin, 4, ".reg") != 0) {
        const std::size_t stop = text.find_first_of(". ;", begin);
        if (opcodes.count(std::string_view(text).substr(begin, stop - begin)) == 0) return false;
        any = true;
      }
      from = end + 1;
    }
  }
  return any;
}

namespace {
/// True if a declaration, wherever it is, has the word `volatile` before the name.
bool is_declared_volatile(const Syntax& syntax, std::string_view name) {
  for (std::size_t i = 0; i < syntax.size(); ++i)
    for (bool inside = syntax.is(i, "volatile"); inside && ++i < syntax.size();) {
      if (syntax.is(i, name)) return true;
      inside = syntax.is_identifier(i) || syntax.is(i, "*") || syntax.is(i, "::");
    }
  return false;
}
}  // namespace

bool is_watched(const Syntax& syntax, const Expression& node) {
  if (node.kind == ExpressionKind::name && node.begin != node.at && !node.type.known())  // `a::x`
    return is_declared_volatile(syntax, syntax.at(node.at));
  if (node.kind != ExpressionKind::member) return node.kind == ExpressionKind::name && node.type.watched;
  const auto& classes = syntax.tree().classes().all();
  return std::any_of(classes.begin(), classes.end(), [&](const Class& each) {
    const DataMember* const member = each.member(syntax.at(node.at));
    return member != nullptr && member->type.watched;
  });
}

namespace {

class PlainLoopReader {
 public:
  PlainLoopReader(const Syntax& syntax, const std::unordered_set<std::string>& plain_functions)
      : syntax_(syntax), plain_functions_(plain_functions) {}

  bool read(const std::vector<Statement>& statements) const {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Statement& each) { return read(each); });
  }

 private:
  bool read(const Statement& statement) const {
    if (statement.kind == Statement::Kind::shared || !is_type(statement.type, statement.type_end))
      return false;
    if (statement.kind == Statement::Kind::alias && !is_type(statement.begin, statement.end)) return false;
    for (const auto* list : {&statement.names, &statement.counters})
      for (const LocalName& name : *list)
        if (!is_type(name.begin, name.name) || constructs(statement, name)) return false;
    for (const StatementPart& part : parts_of(syntax_, statement))
      if (!read(*part.expression)) return false;
    return read(statement.children);
  }

  bool constructs(const Statement& declaration, const LocalName& name) const {
    const ValueType type = syntax_.tree().scopes().specified(declaration.type, declaration.type_end);
    return name.direct && !name.pointer && type.base != ValueType::Base::arithmetic;
  }

  /// Returns true for a type that isn't defined here, and whose variables other threads can't see.
  bool is_type(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (syntax_.is(i, "volatile") || syntax_.is(i, "auto") || syntax_.word(i) == Word::class_key)
        return false;
    return true;
  }

  bool read(const Expression& node) const {
    const auto are_parts = [&] {
      return std::all_of(node.parts.begin(), node.parts.end(),
                         [&](const Expression* part) { return read(*part); });
    };
    switch (node.kind) {
      case ExpressionKind::literal:
      case ExpressionKind::this_:
      case ExpressionKind::query:
        return true;
      case ExpressionKind::name:
        return !is_watched(syntax_, node);
      case ExpressionKind::member:
        return !is_watched(syntax_, node) && are_parts();
      case ExpressionKind::parentheses:
      case ExpressionKind::index:
      case ExpressionKind::unary:
      case ExpressionKind::binary:
      case ExpressionKind::assignment:
      case ExpressionKind::conditional:
      case ExpressionKind::list:
        return are_parts();
      case ExpressionKind::call: {  // a callee without a name may be any function
        const Expression& callee = node.part(0);
        return callee.kind == ExpressionKind::name && is_plain(callee.at) && are_parts();
      }
      case ExpressionKind::cast:
        return is_type(node.type_begin, node.type_end) &&
               (!is_construction(syntax_, node) || is_plain(node.at)) && are_parts();
      case ExpressionKind::assembly:
        return is_computing_assembly(syntax_, node.at) && are_parts();
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::lambda:
      case ExpressionKind::launch:
      case ExpressionKind::unknown:
        return false;
    }
    return false;
  }

  bool is_plain(std::size_t callee) const {
    return is_independent_call(syntax_, callee) || syntax_.is(callee, "void") ||
           plain_functions_.count(std::string(syntax_.at(callee))) > 0;
  }

  const Syntax& syntax_;
  const std::unordered_set<std::string>& plain_functions_;
};

}  // namespace

bool is_plain_loop(const Syntax& syntax, std::size_t begin, std::size_t end,
                   const std::unordered_set<std::string>& plain_functions) {
  return PlainLoopReader(syntax, plain_functions).read(syntax.tree().body(begin, end).statements);
}

bool is_plain_function(const Syntax& syntax, std::size_t begin, std::size_t end,
                       const std::unordered_set<std::string>& plain_functions) {
  for (std::size_t i = begin; i < end; ++i) {
    const Word word = syntax.word(i);
    if (word >= Word::thread_idx && word <= Word::warp_size) return false;
  }
  return is_plain_loop(syntax, begin, end, plain_functions);
}

}  // namespace emucc
