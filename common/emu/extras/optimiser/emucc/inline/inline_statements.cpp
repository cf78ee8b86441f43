// Writes the statements of the copy: those of the kernel, and the bodies of functions, where the code after a
// `return` becomes the other branch of an `if`.
#include "inline/inline_detail.hpp"

namespace emucc::detail {

// ---- statements

void CallInliner::list(const std::vector<Statement>& statements, Frame& frame) {
  for (const Statement& statement : statements) this->statement(statement, frame);
}

void CallInliner::statement(const Statement& statement, Frame& frame) {
  if (refused()) return;
  if (statement.kind == Kind::shared) return shared(statement, frame);
  if (statement.kind == Kind::declaration && frame.constants.count(spelled(statement.names[0].name)) > 0)
    return constant(statement, frame);
  if (statement.kind == Kind::declaration && group(statement, frame)) return;
  if (!is_rewritten(statement, frame)) {
    copy(statement.begin, statement.end, frame, out_);
    if (statement.kind == Kind::declaration) declare(statement, statement.names, frame);
    return;
  }
  switch (statement.kind) {
    case Kind::compound:
      copy(statement.begin, statement.open + 1, frame, out_);
      list(statement.children, frame);
      return copy(statement.close, statement.end, frame, out_);
    case Kind::if_:
      return if_statement(statement, frame);
    case Kind::for_:
    case Kind::while_:
      if (has_call(statement.open, statement.close)) return loop(statement, frame);
      copy(statement.begin, statement.close + 1, frame, out_);
      declare(statement, statement.counters, frame);
      return branch(statement.children[0], frame);
    case Kind::do_:
      if (has_call(statement.open, statement.close)) return loop(statement, frame);
      copy(statement.begin, statement.head + 1, frame, out_);
      branch(statement.children[0], frame);
      return copy(statement.children[0].end, statement.end, frame, out_);
    case Kind::expression:
      return expression_statement(statement, frame);
    case Kind::declaration: {
      if (statement.names.size() > 1)
        return refuse("a declaration of several names calls what must be inlined", statement.head);
      Tokens all;
      expression(statement.begin, statement.end, frame, all);
      out_.insert(out_.end(), all.begin(), all.end());
      return declare(statement, statement.names, frame);
    }
    default:
      refuse("a call that must be inlined is in a switch or a 'return'", statement.head);
  }
}

void CallInliner::branch(const Statement& statement, Frame& frame) {
  out_.push_back(sign(statement.head, "{"));
  this->statement(statement, frame);
  out_.push_back(sign(statement.end - 1, "}"));
}

void CallInliner::if_statement(const Statement& statement, Frame& frame) {
  const bool hoists = has_call(statement.open, statement.close);
  if (hoists && is(statement.head + 1, "constexpr"))
    return refuse("a constant condition calls what must be inlined", statement.head);
  if (hoists) out_.push_back(sign(statement.head, "{"));
  Tokens header;
  copy(statement.begin, statement.open + 1, frame, header);
  condition(statement.open + 1, statement.close, frame, header);
  out_.insert(out_.end(), header.begin(), header.end());
  copy_token(statement.close, frame, out_);
  branch(statement.children[0], frame);
  if (statement.children.size() > 1) {
    copy_token(statement.children[0].end, frame, out_);  // else
    branch(statement.children[1], frame);
  }
  if (hoists) out_.push_back(sign(statement.end - 1, "}"));
}

namespace {
/// Returns true if the loop's body has a `continue` of this loop.
bool continues(const Statement& statement) {
  if (statement.kind == Statement::Kind::continue_) return true;
  if (statement.kind == Statement::Kind::for_ || statement.kind == Statement::Kind::while_ ||
      statement.kind == Statement::Kind::do_ || statement.kind == Statement::Kind::range_for)
    return false;
  for (const Statement& inner : statement.children)
    if (continues(inner)) return true;
  return false;
}
}  // namespace

void CallInliner::loop(const Statement& statement, Frame& frame) {
  const bool is_for = statement.kind == Kind::for_, is_do = statement.kind == Kind::do_;
  const std::size_t begin = is_for ? statement.semicolon[0] + 1 : statement.open + 1;
  const std::size_t end = is_for ? statement.semicolon[1] : statement.close;
  if (is_for && (has_call(statement.open, begin) || has_call(end, statement.close)))
    return refuse("a loop's header calls what must be inlined, other than in its condition", statement.head);
  if (is_do && continues(statement.children[0]))
    return refuse("'continue' leads to a condition that calls what must be inlined", statement.head);
  if (is_for)
    copy(statement.begin, begin, frame, out_), copy(end, statement.close + 1, frame, out_);
  else
    copy(statement.begin, statement.head, frame, out_), put(statement.head, "for ( ; ; )", out_);
  if (is_for) declare(statement, statement.counters, frame);
  out_.push_back(sign(statement.head, "{"));
  if (is_do) branch(statement.children[0], frame);
  Tokens ends;
  condition(begin, end, frame, ends);
  put(begin, "if ( ! (", out_);
  out_.insert(out_.end(), ends.begin(), ends.end());
  put(begin, ") ) break ;", out_);
  // The body is copied statement by statement, so that the splitter recognises uniform statements in it.
  if (const Statement& body = statement.children[0]; !is_do && body.kind == Kind::compound)
    list(body.children, frame);
  else if (!is_do)
    branch(body, frame);
  out_.push_back(sign(statement.end - 1, "}"));
}

std::vector<std::size_t> CallInliner::signs(std::size_t begin, std::size_t end, std::string_view sign) const {
  std::vector<std::size_t> found;
  for (std::size_t i = begin; i < end; i = syntax_.after(i)) {
    if (is(i, "?") || is(i, ",") || syntax_.assignment_length(i) > 0) return {};
    if (is(i, sign)) found.push_back(i);
  }
  return found;
}

void CallInliner::condition(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to) {
  if (!has_call(begin, end)) return copy(begin, end, frame, to);
  const std::size_t inner = is(begin, "!") ? begin + 1 : begin;
  if (is(inner, "(") && syntax_.partner(inner) + 1 == end) {
    copy(begin, inner + 1, frame, to);
    condition(inner + 1, end - 1, frame, to);
    return copy_token(end - 1, frame, to);
  }
  std::vector<std::size_t> all = signs(begin, end, "||");
  const bool any = !all.empty();
  if (!any) all = signs(begin, end, "&&");
  while (all.size() > 1 && !has_call(all[0], all[1])) all.erase(all.begin());
  if (all.empty()) return expression(begin, end, frame, to);
  const std::string holds = "cuemu_" + std::to_string(++count_) + "_holds";
  const auto operand = [&](std::size_t from, std::size_t until, const std::string& before) {
    Tokens tokens;
    condition(from, until, frame, tokens);
    put(from, before + holds + " = static_cast < bool > (", out_);
    out_.insert(out_.end(), tokens.begin(), tokens.end());
    put(from, ") ;", out_);
  };
  operand(begin, all[0], "bool ");
  for (std::size_t k = 0; k < all.size(); ++k) {
    put(all[k], std::string("if ( ") + (any ? "! " : "") + holds + " ) {", out_);
    operand(all[k] + 1, k + 1 < all.size() ? all[k + 1] : end, "");
    put(all[k], "}", out_);
  }
  to.push_back(word(begin, holds));
}

void CallInliner::expression_statement(const Statement& statement, const Frame& frame) {
  out_.push_back(sign(statement.head, "{"));
  Tokens all;
  expression(statement.begin, statement.end, frame, all);
  const bool alone = !all.empty() && stream_.spelling(all[0]) == ";";
  if (!alone) out_.insert(out_.end(), all.begin(), all.end());
  out_.push_back(sign(statement.end - 1, "}"));
}

void CallInliner::shared(const Statement& statement, const Frame& frame) {
  if (frame.function == nullptr) {
    copy(statement.begin, statement.end, frame, out_);
    return declare(statement, statement.names, frame);
  }
  for (const LocalName& name : statement.names)
    if (!shared_.insert(text(frame.replaced.at(spelled(name.name)))).second)
      return declare(statement, statement.names, frame);
  copy(statement.begin, statement.end, frame, hoisted_);
  declare(statement, statement.names, frame);
}

void CallInliner::constant(const Statement& statement, const Frame& frame) {
  bool fixed = false;
  for (std::size_t i = statement.type; i < statement.type_end; ++i)
    fixed = fixed || is(i, "const") || is(i, "constexpr");
  if (!fixed || statement.names.size() != 1)
    return refuse("a __shared__ array's bounds depend on variables", statement.head);
  const std::string name = text(frame.replaced.at(spelled(statement.names[0].name)));
  if (shared_.insert(name).second) copy(statement.begin, statement.end, frame, hoisted_);
  declare(statement, statement.names, frame);
}

// ---- the body of a function

void CallInliner::body(std::size_t name, const std::vector<Statement>& body, Frame& frame,
                       const std::string& number, Tokens& to) {
  std::size_t count = 0;
  for (const Statement& statement : body) count += returns(statement);
  const std::vector<std::size_t> type = result_type(frame.function->found);
  const bool nothing = type.size() == 1 && is(type[0], "void");
  const bool last = count == 1 && body.back().kind == Kind::return_;
  if (last || count == 0) {
    for (const Statement& statement : body)
      if (!last || &statement != &body.back()) this->statement(statement, frame);
    if (last && !nothing) value(body.back(), type, frame, to);
    if (!last && !nothing && !refused()) refuse("'" + spelled(name) + "' returns nothing", name);
    return;
  }
  if (!nothing) {
    if (type.size() == 1 && is(type[0], "auto"))
      return refuse("what '" + spelled(name) + "' returns is not spelled out", name);
    frame.result = "cuemu_" + number + "_result";
    for (const std::size_t i : type) copy_token(i, frame, out_);
    out_.push_back(word(name, frame.result));
    out_.push_back(sign(name, ";"));
  }
  tail(body, 0, frame);
  if (!nothing) to.push_back(word(name, frame.result));
}

std::size_t CallInliner::returns(const Statement& statement) const {
  std::size_t count = 0;
  for_each_statement(statement, [&](const Statement& each) { count += each.kind == Kind::return_ ? 1 : 0; });
  return count;
}

void CallInliner::value(const Statement& statement, const std::vector<std::size_t>& type, const Frame& frame,
                        Tokens& to) {
  const bool list = is(statement.head + 1, "{"), deduced = type.size() == 1 && is(type[0], "auto");
  if (list && deduced) return refuse("what a function returns is not spelled out", statement.head);
  Tokens all;
  expression(statement.head + 1, statement.end - 1, frame, all);
  if (!list && !deduced) {
    to.push_back(word(statement.head, "static_cast"));
    to.push_back(sign(statement.head, "<"));
  }
  if (!deduced)
    for (const std::size_t i : type) copy_token(i, frame, to);
  if (!list && !deduced) to.push_back(sign(statement.head, ">"));
  if (!list) to.push_back(sign(statement.head, "("));
  to.insert(to.end(), all.begin(), all.end());
  if (!list) to.push_back(sign(statement.head, ")"));
}

bool CallInliner::always_returns(const Statement& statement) const {
  if (statement.kind == Kind::return_) return true;
  if (statement.kind == Kind::compound)
    return !statement.children.empty() && always_returns(statement.children.back());
  return statement.kind == Kind::if_ && statement.children.size() == 2 &&
         always_returns(statement.children[0]) && always_returns(statement.children[1]);
}

void CallInliner::tail(const std::vector<Statement>& statements, std::size_t at, Frame& frame) {
  for (; at < statements.size() && !refused(); ++at) {
    const Statement& one = statements[at];
    if (returns(one) == 0) {
      statement(one, frame);
    } else if (one.kind == Kind::return_) {
      return give(one, frame);
    } else if (one.kind == Kind::compound && at + 1 == statements.size()) {
      out_.push_back(sign(one.head, "{"));
      tail(one.children, 0, frame);
      out_.push_back(sign(one.end - 1, "}"));
    } else if (one.kind == Kind::if_ && !has_call(one.open, one.close)) {
      return tail_if(statements, at, frame);
    } else {
      return refuse("a function that must be inlined returns from a loop", one.head);
    }
  }
}

void CallInliner::tail_if(const std::vector<Statement>& statements, std::size_t at, Frame& frame) {
  const Statement& one = statements[at];
  const bool more = at + 1 < statements.size();
  copy(one.begin, one.close + 1, frame, out_);
  for (std::size_t side = 0; side < 2 && !refused(); ++side) {
    const Statement* const inner = side < one.children.size() ? &one.children[side] : nullptr;
    if (side == 1) out_.push_back(word(one.head, "else"));
    out_.push_back(sign(one.head, "{"));
    const bool ends = inner != nullptr && always_returns(*inner);
    if (inner != nullptr && !ends && returns(*inner) > 0 && more)
      return refuse("a function that must be inlined returns from some of its branches", one.head);
    if (inner != nullptr) {
      if (inner->kind == Kind::compound)
        tail(inner->children, 0, frame);
      else
        tail({*inner}, 0, frame);
    }
    if (!ends) tail(statements, at + 1, frame);
    out_.push_back(sign(one.end - 1, "}"));
  }
}

void CallInliner::give(const Statement& statement, const Frame& frame) {
  if (statement.end == statement.head + 2) return;
  Tokens all;
  expression(statement.head + 1, statement.end - 1, frame, all);
  if (frame.result.empty()) return refuse("a function without a result returns one", statement.head);
  out_.push_back(word(statement.head, frame.result));
  out_.push_back(sign(statement.head, "="));
  out_.insert(out_.end(), all.begin(), all.end());
  out_.push_back(sign(statement.head, ";"));
}

}  // namespace emucc::detail
