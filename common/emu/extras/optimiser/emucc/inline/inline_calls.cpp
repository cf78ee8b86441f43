// Decides which calls are inlined, inlines each call, and inserts the copy.
#include "inline/inline_calls.hpp"

#include <algorithm>

#include "analyse/memory_calls.hpp"
#include "analyse/plain_loop.hpp"
#include "inline/inline_detail.hpp"
#include "parse/functions.hpp"

namespace emucc {
namespace detail {

InlinedKernel CallInliner::run() {
  InlinedKernel result;
  const std::size_t begin = kernel_.body + 1, end = kernel_.end - 1;
  for (std::size_t i = begin; i < end && !result.needed; ++i)
    result.needed = is_inlined(i) || is(i, "tiled_partition");
  std::vector<Statement> statements;
  if (!result.needed || !read_statements(syntax_, begin, end, statements)) {
    result.refusal = "it has statements of a kind that are not split";
    return result;
  }
  Frame frame;
  frame.begin = kernel_.begin;
  frame.end = kernel_.end;
  for (const Parameter& parameter : read_parameters(syntax_, kernel_.parameters))
    if (parameter.name != npos) {
      kernel_names_.emplace(syntax_.at(parameter.name));
      declare_parameter(parameter, frame, std::string(syntax_.at(parameter.name)));
    }
  for (const Statement& statement : statements)
    for_each_statement(statement, [&](const Statement& each) { list_names(each, kernel_names_); });
  list(statements, frame);
  result.refusal = refusal_;
  if (refusal_.empty()) result.found = append();
  return result;
}

// ---- choice of calls

bool CallInliner::is_inlined(std::size_t at) const {
  if (!syntax_.is_name(at) || is_member(at)) return false;
  const std::string name = spelled(at);
  if (is_vote(at)) return true;
  if (is_independent_call(syntax_, at)) return false;
  return functions_.count(name) > 0 && names_.nonblocking_functions.count(name) == 0 &&
         names_.plain_functions.count(name) == 0 && names_.warp_functions.count(name) == 0 &&
         syntax_.call_open(at) != npos;
}

bool CallInliner::has_call(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end; ++i)
    if (is_inlined(i)) return true;
  return false;
}

bool CallInliner::is_rewritten(const Statement& statement, const Frame& frame) const {
  if (has_call(statement.begin, statement.end) || (frame.function != nullptr && has_shared(statement)))
    return true;
  for (std::size_t i = statement.begin; i < statement.end; ++i)
    if (is(i, "tiled_partition") || is(i, "this_thread_block")) return true;
  return false;
}

bool CallInliner::has_shared(const Statement& statement) const {
  bool any = false;
  for_each_statement(statement, [&](const Statement& each) { any = any || each.kind == Kind::shared; });
  return any;
}

// ---- expressions

void CallInliner::expression(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to) {
  for (std::size_t i = begin; i < end && !refused();) {
    const std::size_t name = inlined_at(i);
    if (name == npos) {
      i = copy_next(i, end, frame, to);
      continue;
    }
    const std::size_t close = syntax_.partner(syntax_.call_open(name));
    if (close == npos || close >= end) return refuse("a call has no end", i);
    if (!may_come_first(begin, end, i, close))
      return refuse("the call of '" + spelled(name) + "' may be skipped, or others may come before it", i);
    call(i, name, frame, to);
    i = close + 1;
  }
}

std::size_t CallInliner::inlined_at(std::size_t at) const {
  if (is_member(at)) return npos;
  if (is(at, "::")) ++at;
  while (syntax_.is_name(at) && is(at + 1, "::")) at += 2;
  return is_inlined(at) ? at : npos;
}

// Returns true if the called function's body may run before the rest of the expression. If the call is an
// argument of another function, that function is called after it in any case. The target of an assignment of
// the result is evaluated after the call, too.
bool CallInliner::may_come_first(std::size_t begin, std::size_t end, std::size_t name,
                                 std::size_t close) const {
  std::size_t assigned = begin;  // the position after the last assignment before the call
  for (std::size_t i = begin; i < name; ++i)
    if (syntax_.assignment_length(i) > 0) assigned = i + syntax_.assignment_length(i);
  for (std::size_t i = begin; i < end; ++i) {
    if (i >= name && i <= close) continue;
    for (std::string_view bad : {"?", "&&", "||", "and", "or", "++", "--"})
      if (is(i, bad)) return false;
    if (is_inlined(i)) return false;  // a second inlined call
    if (i < assigned) continue;
    if (is(i, "->") || is(i, "[")) return false;
    if (is(i, "*") && (i == begin || is(i - 1, "(") || is(i - 1, "=") || is(i - 1, ","))) return false;
    const bool around = i < name && is(i, "(") && syntax_.partner(i) > close;
    if (is(i, "(") && !around && i > begin && syntax_.is_name(i - 1) &&
        (!is_independent_call(syntax_, i - 1) || is_memory_function(syntax_.at(i - 1))) &&
        names_.plain_functions.count(spelled(i - 1)) == 0)
      return false;
  }
  return true;
}

// ---- calls

std::vector<std::string> CallInliner::scopes_of_call(std::size_t begin, std::size_t name,
                                                     const Frame& caller) const {
  const std::string& scope = scope_of(caller);
  std::vector<std::string> scopes;
  if (begin != name) {
    if (const auto named = namespaces_.named(begin, name, scope)) scopes.push_back(*named);
  } else {
    // A name in an inner namespace hides the outer ones. Opened namespaces are searched together with the
    // outermost one.
    const auto found = namespaces_.declaring(scope, spelled(name));
    if (found) scopes.push_back(*found);
    for (const auto& opened :
         {namespaces_.opened(scope, name), namespaces_.opened_within(caller.begin, caller.end, scope)})
      for (const std::string& each : opened)
        if (namespaces_.declares(each, spelled(name))) scopes.push_back(each);
  }
  for (std::string& each : scopes)
    if (const auto brought = namespaces_.brought(each, spelled(name))) each = *brought;
  return scopes;
}

const DeviceFunction* CallInliner::definition(std::size_t begin, std::size_t name, std::size_t count,
                                              const Frame& caller) const {
  const std::vector<std::string> scopes = scopes_of_call(begin, name, caller);
  const DeviceFunction* found = nullptr;
  for (const DeviceFunction& each : functions_.at(spelled(name))) {
    if (std::find(scopes.begin(), scopes.end(), each.scope) == scopes.end() || each.from > name) continue;
    const auto needed = std::count_if(each.parameters.begin(), each.parameters.end(),
                                      [](const Parameter& one) { return one.default_begin == npos; });
    if (count > each.parameters.size() || count < static_cast<std::size_t>(needed)) continue;
    if (found != nullptr) return nullptr;  // the function is overloaded
    found = &each;
  }
  return found;
}

bool CallInliner::is_vote(std::size_t at) const {
  return (is(at, "__syncthreads_or") || is(at, "__syncthreads_and") || is(at, "__syncthreads_count")) &&
         is(at + 1, "(") && !may_be_own(syntax_, at);
}

void CallInliner::vote(std::size_t name, std::size_t open, std::size_t close, const Frame& caller,
                       Tokens& to) {
  const auto given = syntax_.arguments(open, close);
  if (given.size() != 1)
    return refuse("'" + spelled(name) + "' is called with other than one argument", name);
  if (++calls_ > most_calls) return refuse("its functions are too long for one body", name);
  Tokens argument;
  expression(given[0].first, given[0].second, caller, argument);
  const std::string number = std::to_string(++count_), votes = "cuemu_" + number + "_votes";
  const bool all = is(name, "__syncthreads_and");
  // The variable is declared for the whole kernel, so that deferred phases use the same variable.
  put(name, "int " + votes + " = 0 ;", hoisted_);
  put(name, "cuemu_vote ( " + votes + (all ? " , ! static_cast < int > (" : " , static_cast < int > ("),
      out_);
  out_.insert(out_.end(), argument.begin(), argument.end());
  put(name,
      ") ) ; __syncthreads ( ) ; const int cuemu_" + number + "_voted = cuemu_votes ( " + votes + " ) ;",
      out_);
  const std::string voted = "cuemu_" + number + "_voted";
  put(name,
      is(name, "__syncthreads_count") ? voted
                                      : "static_cast < int > ( " + voted + (all ? " == 0 )" : " != 0 )"),
      to);
}

void CallInliner::call(std::size_t begin, std::size_t name, const Frame& caller, Tokens& to) {
  const std::size_t open = syntax_.call_open(name), close = syntax_.partner(open);
  if (is_vote(name)) return vote(name, open, close, caller, to);
  const auto given = syntax_.arguments(open, close);
  const DeviceFunction* const function = definition(begin, name, given.size(), caller);
  const std::string called = "'" + spelled(name) + "'";
  if (function == nullptr)
    return refuse(called + " can't be identified by its name and the number of its arguments", name);
  if (std::find(active_.begin(), active_.end(), function) != active_.end())
    return refuse(called + " calls itself", name);
  if (++calls_ > most_calls || out_.size() > most_tokens)
    return refuse("its functions are too long for one body", name);
  std::vector<Statement> body;
  if (!read_statements(syntax_, function->found.body + 1, function->found.end - 1, body))
    return refuse(called + " has statements of a kind that are not split", name);

  Frame frame;
  frame.function = function;
  frame.begin = function->found.begin;
  frame.end = function->found.end;
  check_function(name, *function);
  if (refused()) return;
  const std::string number = std::to_string(++count_);
  bind_template(name, given, caller, frame);
  if (!refused()) root_names(name, body, frame);
  if (!refused()) rename(body, frame, number);
  if (!refused()) bind(name, given, caller, frame, number);
  if (refused()) return;
  active_.push_back(function);
  this->body(name, body, frame, number, to);
  active_.pop_back();
}

void CallInliner::check_function(std::size_t name, const DeviceFunction& function) {
  for (const std::size_t i : result_type(function.found))
    for (std::string_view bad : {"&", "&&", "decltype", "operator", "friend", "consteval", "requires", "("})
      if (is(i, bad)) return refuse("'" + spelled(name) + "' returns what can't be kept", name);
  for (std::size_t i = function.found.body; i < function.found.end; ++i)
    if (syntax_.word(i) == Word::function_name || syntax_.word(i) == Word::pretty_function)
      return refuse("'" + spelled(name) + "' asks for its own name, perhaps in an assert", name);
  if (syntax_.partner(function.found.parameters) + 1 != function.found.body)
    return refuse("'" + spelled(name) + "' has something between its parameters and its body", name);
}

std::vector<std::size_t> CallInliner::result_type(const Declaration& found) const {
  std::size_t at = found.begin;
  while (is(at, "template") && is(at + 1, "<") && syntax_.template_close(at + 1) != npos)
    at = syntax_.template_close(at + 1) + 1;
  std::vector<std::size_t> type;
  bool pointer = false;
  for (std::size_t i = at; i < found.name; ++i) pointer = pointer || is(i, "*");
  for (; at < found.name; ++at) {
    const Word word = syntax_.word(at);
    if (is(at, "[") || word == Word::argument_keyword || word == Word::dropped_with_arguments) {
      at = syntax_.after(is(at, "[") ? at : at + 1) - 1;
      continue;
    }
    const bool attribute = word == Word::device || word == Word::host || word == Word::forceinline ||
                           word == Word::noinline || word == Word::dropped || word == Word::static_ ||
                           word == Word::inline_ || word == Word::constexpr_ ||
                           (is(at, "const") && !pointer) || stream_.tokens[at].kind == TokenKind::directive;
    if (!attribute) type.push_back(at);
  }
  return type;
}

// ---- the end

Declaration CallInliner::append() {
  Tokens all(stream_.tokens.begin() + static_cast<std::ptrdiff_t>(kernel_.begin),
             stream_.tokens.begin() + static_cast<std::ptrdiff_t>(kernel_.body + 1));
  all.insert(all.end(), hoisted_.begin(), hoisted_.end());
  all.insert(all.end(), out_.begin(), out_.end());
  all.push_back(stream_.tokens[kernel_.end - 1]);
  return append_copy(stream_, syntax_, kernel_, all);
}

}  // namespace detail

InlinedKernel inline_calls(TokenStream& stream, Syntax& syntax, const Declaration& kernel,
                           const std::string& scope, const DeviceFunctions& functions,
                           const Namespaces& namespaces, const KnownNames& names) {
  return detail::CallInliner(stream, syntax, kernel, scope, functions, namespaces, names).run();
}

std::string inlined_text(const TokenStream& stream, const Declaration& copy) {
  std::string text;
  for (std::size_t i = copy.begin; i < copy.end; ++i) {
    const Token& token = stream.tokens[i];
    const bool new_line = i == copy.begin || token.line != stream.tokens[i - 1].line;
    if (i != copy.begin && new_line)
      text += '\n';
    else if (!new_line && (token.space_before || token.kind == TokenKind::directive))
      text += ' ';
    text += stream.spelling(i);
  }
  return text + "\n";
}

}  // namespace emucc
