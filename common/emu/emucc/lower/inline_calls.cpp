#include "lower/inline_calls.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <unordered_set>

#include "analyse/plain_loop.hpp"
#include "analyse/warp_calls.hpp"
#include "analyse/warp_uniformity.hpp"
#include "parse/parameters.hpp"

namespace emucc {
namespace {

/// Calls `see(statement)` for it and all statements inside.
template <class See>
void for_each_statement(const Statement& statement, const See& see) {
  see(statement);
  for (const Statement& inner : statement.children) for_each_statement(inner, see);
}

class CallInliner {
 public:
  CallInliner(TokenStream& stream, Syntax& syntax, const Declaration& kernel, const std::string& scope,
              const DeviceFunctions& functions, const KnownNames& names)
      : stream_(stream),
        syntax_(syntax),
        kernel_(kernel),
        scope_(scope),
        functions_(functions),
        names_(names) {}

  InlinedKernel run() {
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

 private:
  using Kind = Statement::Kind;
  using Tokens = std::vector<Token>;
  static constexpr std::size_t most_tokens = 40000;  ///< of a copy
  static constexpr std::size_t most_calls = 200;     ///< inlined into one kernel

  /// A variable of the copy, by its name there.
  struct Variable {
    std::string
        element;         ///< how its type is spelled without `const` and what follows; empty: it doesn't show
    int dimensions = 0;  ///< `*`, and bounds of an array
    bool is_array = false;  ///< it has bounds of its own, so its address never changes
    bool changes = false;   ///< or something else might
  };
  /// A group of cooperative groups: the block, or adjacent lanes of a warp.
  struct Group {
    unsigned size = 0;    ///< 0: the block
    unsigned parent = 0;  ///< the size of what it is a part of; 0: the block
  };
  /// A function that is being copied.
  struct Frame {
    const DeviceFunction* function = nullptr;  ///< null: the kernel
    std::size_t begin = 0, end = 0;            ///< its tokens
    std::unordered_map<std::string, Tokens> replaced;
    std::string result;  ///< the variable that takes what it returns; empty: nothing does
    std::unordered_set<std::string> constants;  ///< its own, which bounds of __shared__ arrays mention
    std::unordered_map<std::string, Group> groups;
  };

  void refuse(const std::string& reason, std::size_t at) {
    if (refusal_.empty()) refusal_ = reason + " (line " + std::to_string(stream_.tokens[at].line) + ")";
  }
  bool refused() const { return !refusal_.empty(); }
  std::string spelled(std::size_t at) const { return std::string(syntax_.at(at)); }
  bool is(std::size_t at, std::string_view spelling) const { return syntax_.is(at, spelling); }

  // ---- which calls

  bool is_member(std::size_t at) const { return is(at - 1, ".") || is(at - 1, "->"); }

  /// The `(` of a call of the function that is named at `at`, or npos.
  std::size_t call_open(std::size_t at) const {
    if (is(at + 1, "(")) return at + 1;
    const std::size_t close = is(at + 1, "<") ? syntax_.template_close(at + 1) : npos;
    return close != npos && is(close + 1, "(") ? close + 1 : npos;
  }

  bool is_inlined(std::size_t at) const {
    if (!syntax_.is_name(at) || is_member(at)) return false;
    const std::string name = spelled(at);
    return functions_.count(name) > 0 && names_.nonblocking_functions.count(name) == 0 &&
           names_.plain_functions.count(name) == 0 && names_.warp_functions.count(name) == 0 &&
           call_open(at) != npos;
  }
  bool has_call(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (is_inlined(i)) return true;
    return false;
  }
  /// Must the statement be looked into, or is it copied as it stands?
  bool is_rewritten(const Statement& statement, const Frame& frame) const {
    if (has_call(statement.begin, statement.end) || (frame.function != nullptr && has_shared(statement)))
      return true;
    for (std::size_t i = statement.begin; i < statement.end; ++i)
      if (is(i, "tiled_partition") || is(i, "this_thread_block")) return true;
    return false;
  }
  bool has_shared(const Statement& statement) const {
    bool any = false;
    for_each_statement(statement, [&](const Statement& each) { any = any || each.kind == Kind::shared; });
    return any;
  }

  std::vector<std::pair<std::size_t, std::size_t>> arguments(std::size_t open, std::size_t close) const {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t at = open + 1; at < close;) {
      const std::size_t begin = at;
      while (at < close && !is(at, ",")) {
        const std::size_t angle = is(at, "<") ? syntax_.template_close(at) : npos;
        at = angle != npos && angle < close && (is(angle + 1, "(") || is(open, "<")) ? angle + 1
                                                                                     : syntax_.after(at);
      }
      all.emplace_back(begin, at++);
    }
    return all;
  }

  // ---- names

  void list_names(const Statement& statement, std::unordered_set<std::string>& names) const {
    for (const LocalName& name : statement.names) names.insert(spelled(name.name));
    for (const LocalName& name : statement.counters) names.insert(spelled(name.name));
    if (statement.kind == Kind::alias && is(statement.head, "using") && is(statement.head + 2, "="))
      names.insert(spelled(statement.head + 1));
    if (statement.kind == Kind::alias && is(statement.head, "typedef"))
      names.insert(spelled(statement.end - 2));
  }

  /// May something in [begin, end) change the variable of that name, or take its address?
  bool is_changed(std::size_t begin, std::size_t end, const std::string& name) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!is(i, name) || is_member(i)) continue;
      std::size_t behind = i + 1;  // and of a member: from.first += 4
      while (is(behind, ".")) {
        behind += 2;
        while (is(behind, "[")) behind = syntax_.after(behind);
      }
      if (behind > i + 1 && is(behind, "(")) return true;
      if (syntax_.assignment_length(behind) > 0 && (behind > i + 1 || !is_declared_type_before(i)))
        return true;
      if (is(behind, "++") || is(behind, "--") || is(i - 1, "++") || is(i - 1, "--")) return true;
      if (is(i - 1, "&") && !is(i + 1, "[")) return true;
      if (is(i - 1, "(") && (is(i - 2, "sizeof") || is(i - 2, "decltype"))) return true;
      const bool argument = (is(i - 1, "(") || is(i - 1, ",")) && (is(i + 1, ")") || is(i + 1, ","));
      if (argument && may_be_bound(begin, i)) return true;
    }
    return false;
  }
  /// `int n = 3`: that is no change.
  bool is_declared_type_before(std::size_t name) const {
    return syntax_.is_identifier(name - 1) ? !is(name - 1, "return") && !is(name - 1, "else")
                                           : is(name - 1, "*") || is(name - 1, ">");
  }
  /// Is the argument at `at` one of a function of the user's that takes references?
  bool may_be_bound(std::size_t begin, std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at; i-- > begin;) {
      if (is(i, ";") || is(i, "{") || is(i, "}")) return false;
      if (is(i, ")")) ++depth;
      if (!is(i, "(") || depth-- > 0) continue;
      std::size_t callee = i - 1;
      if (is(callee, ">") && syntax_.template_open(callee) != npos)
        callee = syntax_.template_open(callee) - 1;
      const auto known = names_.reference_parameters.find(spelled(callee));
      return known != names_.reference_parameters.end() && known->second != 0;
    }
    return false;
  }

  void declare_parameter(const Parameter& parameter, const Frame& frame, const std::string& name) {
    Variable variable;
    if (!parameter.reference && !parameter.parenthesised && !parameter.pack)
      variable.element = element_type(parameter.begin, parameter.name, frame);
    variable.dimensions = parameter.pointers + (parameter.array ? 1 : 0);
    variable.changes = is_changed(frame.begin, frame.end, spelled(parameter.name));
    note(name, std::move(variable));
  }
  void declare(const Statement& statement, const std::vector<LocalName>& names, const Frame& frame) {
    for (const LocalName& name : names) {
      Variable variable;
      if (!name.reference) variable.element = element_type(statement.type, statement.type_end, frame);
      for (std::size_t i = name.begin; i < name.name; ++i) variable.dimensions += is(i, "*") ? 1 : 0;
      for (std::size_t i = name.name + 1; i < name.end; i = syntax_.after(i))
        if (is(i, "[")) ++variable.dimensions, variable.is_array = true;
      variable.changes = is_changed(frame.begin, frame.end, spelled(name.name));
      const auto renamed = frame.replaced.find(spelled(name.name));
      note(renamed == frame.replaced.end() ? spelled(name.name) : text(renamed->second), std::move(variable));
    }
  }
  void note(const std::string& name, Variable variable) {
    const auto [known, is_new] = variables_.emplace(name, variable);
    if (is_new) return;
    if (known->second.element != variable.element || known->second.dimensions != variable.dimensions)
      known->second.element.clear();  // two variables of one name
    known->second.changes = true;
  }

  /// Without what says nothing about how values look; empty where the type doesn't show.
  std::string element_type(std::size_t begin, std::size_t end, const Frame& frame) const {
    std::string type;
    for (std::size_t i = begin; i < end; ++i) {
      if (is(i, "auto") || is(i, "decltype")) return {};
      const Word word = syntax_.word(i);
      if (is(i, "const") || is(i, "*") || is(i, "&") || is(i, "__restrict__") || is(i, "__restrict") ||
          is(i, "volatile") || word == Word::shared || word == Word::extern_ || word == Word::constexpr_ ||
          is(i, "register") || is(i, "typename") || word == Word::dropped)
        continue;
      if (word == Word::align) {
        i = syntax_.after(i + 1) - 1;
        continue;
      }
      const auto renamed = frame.replaced.find(spelled(i));
      type += renamed != frame.replaced.end() ? text(renamed->second) : spelled(i);
      type += ' ';
    }
    return type;
  }

  // ---- tokens

  std::string text(const Tokens& tokens) const {
    std::string all;
    for (const Token& token : tokens) {
      if (!all.empty()) all += ' ';
      all += stream_.spelling(token);
    }
    return all;
  }
  /// A token of the copy where `like` stands.
  Token made(const Token& like, const std::string& spelling, TokenKind kind) {
    Token token = stream_.respelled(like, spelling);
    token.kind = kind;
    token.column = 0;
    token.space_before = true;
    token.line_start = false;
    return token;
  }
  Token sign(std::size_t like, const std::string& spelling) {
    return made(place_of(like), spelling, TokenKind::punctuator);
  }
  Token word(std::size_t like, const std::string& spelling) {
    return made(place_of(like), spelling, TokenKind::identifier);
  }
  /// The token with a place that silences warnings if it is no token of the kernel's: they have been given where
  /// the function stands.
  Token place_of(std::size_t at) {
    Token token = stream_.tokens[at];
    if (at >= kernel_.begin && at < kernel_.end) return token;
    const auto [known, is_new] =
        quiet_.emplace(token.place, static_cast<std::uint32_t>(stream_.places.size()));
    if (is_new) {
      Place place = stream_.places[token.place];
      if (place.flags.empty()) place.flags = " 3";
      stream_.places.push_back(std::move(place));
    }
    token.place = known->second;
    return token;
  }

  void copy_token(std::size_t at, const Frame& frame, Tokens& to) {
    const Token token = place_of(at);
    if (syntax_.is_identifier(at) && !is_member(at) && !is(at - 1, "::")) {
      const auto found = frame.replaced.find(spelled(at));
      if (found != frame.replaced.end()) {
        for (std::size_t i = 0; i < found->second.size(); ++i) {
          Token each = found->second[i];
          each.line = token.line;
          each.column = 0;
          each.place = token.place;
          each.space_before = i == 0 ? token.space_before : each.space_before;
          to.push_back(each);
        }
        return;
      }
    }
    to.push_back(token);
  }
  void copy(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to) {
    for (std::size_t i = begin; i < end;) i = copy_next(i, end, frame, to);
  }
  /// Copies what stands at `at`: a token, or what is said to a group. @return the index behind it
  std::size_t copy_next(std::size_t at, std::size_t end, const Frame& frame, Tokens& to) {
    if (!frame.groups.empty() && syntax_.is_identifier(at) && !is_member(at))
      if (const std::size_t behind = group_use(at, frame, to); behind != npos) return behind;
    copy_token(at, frame, to);
    return std::min(at + 1, end);
  }

  // ---- statements

  void list(const std::vector<Statement>& statements, Frame& frame) {
    for (const Statement& statement : statements) this->statement(statement, frame);
  }

  void statement(const Statement& statement, Frame& frame) {
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
        if (has_call(statement.open, statement.close))
          return refuse("a loop's header calls what must be inlined", statement.head);
        copy(statement.begin, statement.close + 1, frame, out_);
        declare(statement, statement.counters, frame);
        return branch(statement.children[0], frame);
      case Kind::do_:
        if (has_call(statement.open, statement.close))
          return refuse("a loop's header calls what must be inlined", statement.head);
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
        refuse("a call that must be inlined stands in a switch or a 'return'", statement.head);
    }
  }

  void branch(const Statement& statement, Frame& frame) {
    out_.push_back(sign(statement.head, "{"));
    this->statement(statement, frame);
    out_.push_back(sign(statement.end - 1, "}"));
  }

  void if_statement(const Statement& statement, Frame& frame) {
    const bool hoists = has_call(statement.open, statement.close);
    if (hoists && is(statement.head + 1, "constexpr"))
      return refuse("a constant condition calls what must be inlined", statement.head);
    if (hoists) out_.push_back(sign(statement.head, "{"));
    Tokens header;
    copy(statement.begin, statement.open + 1, frame, header);
    expression(statement.open + 1, statement.close, frame, header);
    out_.insert(out_.end(), header.begin(), header.end());
    copy_token(statement.close, frame, out_);
    branch(statement.children[0], frame);
    if (statement.children.size() > 1) {
      copy_token(statement.children[0].end, frame, out_);  // else
      branch(statement.children[1], frame);
    }
    if (hoists) out_.push_back(sign(statement.end - 1, "}"));
  }

  void expression_statement(const Statement& statement, const Frame& frame) {
    out_.push_back(sign(statement.head, "{"));
    Tokens all;
    expression(statement.begin, statement.end, frame, all);
    const bool alone = !all.empty() && stream_.spelling(all[0]) == ";";
    if (!alone) out_.insert(out_.end(), all.begin(), all.end());
    out_.push_back(sign(statement.end - 1, "}"));
  }

  /// Once for all calls of the function, since they all have the same variable.
  void shared(const Statement& statement, const Frame& frame) {
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

  /// What the bounds of such variables are computed from.
  void constant(const Statement& statement, const Frame& frame) {
    bool fixed = false;
    for (std::size_t i = statement.type; i < statement.type_end; ++i)
      fixed = fixed || is(i, "const") || is(i, "constexpr");
    if (!fixed || statement.names.size() != 1)
      return refuse("a __shared__ array's bounds depend on variables", statement.head);
    const std::string name = text(frame.replaced.at(spelled(statement.names[0].name)));
    if (shared_.insert(name).second) copy(statement.begin, statement.end, frame, hoisted_);
    declare(statement, statement.names, frame);
  }

  // ---- cooperative groups

  /// Notes the group that a declaration declares. @return whether nothing else is left of it
  bool group(const Statement& statement, Frame& frame) {
    if (statement.names.size() != 1 || statement.names[0].initialiser == npos) return false;
    const LocalName& name = statement.names[0];
    Group found;
    if (!group_of(name.initialiser, name.initialiser_end, frame, found)) return false;
    frame.groups[spelled(name.name)] = found;
    return found.size != 0;
  }

  /// `cg::this_thread_block()`, `cg::tiled_partition<32>(block)`, or the name of a group.
  bool group_of(std::size_t begin, std::size_t end, const Frame& frame, Group& found) const {
    while (begin + 2 < end && is(begin + 1, "::")) begin += 2;
    if (begin + 1 == end) {
      const auto known = frame.groups.find(spelled(begin));
      if (known == frame.groups.end()) return false;
      found = known->second;
      return true;
    }
    if (is(begin, "this_thread_block") && begin + 3 == end) return true;
    const std::size_t close = is(begin + 1, "<") ? syntax_.template_close(begin + 1) : npos;
    if (!is(begin, "tiled_partition") || close == npos || !is(close + 1, "(") ||
        syntax_.partner(close + 1) + 1 != end)
      return false;
    Group parent;
    if (!group_of(close + 2, end - 1, frame, parent)) return false;
    const auto size = constant_of(begin + 2, close, frame);
    if (!size || *size < 1 || *size > 32 || (*size & (*size - 1)) != 0) return false;
    found = {static_cast<unsigned>(*size), parent.size};
    return true;
  }

  std::optional<long long> constant_of(std::size_t begin, std::size_t end, const Frame& frame) const {
    if (begin + 1 == end) {
      const auto replaced = frame.replaced.find(spelled(begin));
      if (replaced != frame.replaced.end()) {  // ( 32 )
        if (replaced->second.size() != 3 || replaced->second[1].kind != TokenKind::number)
          return std::nullopt;
        return std::strtoll(std::string(stream_.spelling(replaced->second[1])).c_str(), nullptr, 0);
      }
    }
    return constant_value(syntax_, names_, begin, end);
  }

  /// Something that is said to a group at `at`, in words that fission knows. @return the index behind it; npos:
  /// there is nothing of the kind
  std::size_t group_use(std::size_t at, const Frame& frame, Tokens& to) {
    std::size_t name = at;
    while (is(name + 1, "::")) name += 2;  // cg::sync(tile)
    const std::size_t close = is(name + 1, "(") ? syntax_.partner(name + 1) : npos;
    const bool meets = is(name, "sync") || is(name, "synchronize");
    if (close != npos && (meets || is(name, "reduce"))) {
      const auto all = arguments(name + 1, close);
      Group group;
      if (!all.empty() && group_of(all[0].first, all[0].second, frame, group)) {
        if (meets) put(at, group.size == 0 ? "__syncthreads ( )" : "__syncwarp ( )", to);
        if (meets) return close + 1;
        if (group.size == 0) return npos;
        put(at, "cuemu_tile_reduce ( " + std::to_string(group.size) + "u ,", to);
        expression(all[0].second + 1, close, frame, to);
        put(at, ")", to);
        return close + 1;
      }
    }
    const auto known = frame.groups.find(spelled(at));
    if (known == frame.groups.end() || is(at - 1, "::")) return npos;
    if (is(at + 1, ".") && is(at + 3, "(")) return question(at, known->second, frame, to);
    if (known->second.size != 0)
      refuse("the group '" + spelled(at) + "' is used in a way that is not split", at);
    return npos;
  }

  /// `tile.shfl_down(v, d)`
  std::size_t question(std::size_t at, const Group& group, const Frame& frame, Tokens& to) {
    const std::string_view what = syntax_.at(at + 2);
    const std::size_t open = at + 3, close = syntax_.partner(open);
    const std::string rank = "cuemu_thread_rank ( threadIdx , blockDim )";
    const std::string size = std::to_string(group.size) + "u";
    const auto all = arguments(open, close);
    if (close == npos) return npos;
    if (group.size == 0) {
      const std::string count = "( blockDim . x * blockDim . y * blockDim . z )";
      const std::string words = what == "sync"                                 ? "__syncthreads ( )"
                                : what == "thread_rank"                        ? rank
                                : what == "size" || what == "num_threads"      ? count
                                : what == "thread_index"                       ? "threadIdx"
                                : what == "group_index"                        ? "blockIdx"
                                : what == "group_dim" || what == "dim_threads" ? "blockDim"
                                                                               : "";
      if (words.empty() || !all.empty()) return npos;
      put(at, words, to);
      return close + 1;
    }
    const std::string parent = group.parent == 0 ? rank : rank + " % " + std::to_string(group.parent) + "u";
    const std::string parents =
        group.parent == 0 ? "( blockDim . x * blockDim . y * blockDim . z + " + size + " - 1u ) / " + size
                          : std::to_string(group.parent / group.size) + "u";
    const bool whole = group.size == 32;
    const std::string mask =
        whole ? "0xffffffffu" : "cuemu_tile_mask ( threadIdx , blockDim , " + size + " )";
    const std::string lowest = "( " + rank + " % 32u / " + size + " * " + size + " )";
    const std::string words = what == "sync"                            ? "__syncwarp ( )"
                              : what == "thread_rank"                   ? "( " + rank + " % " + size + " )"
                              : what == "meta_group_rank"               ? "( " + parent + " / " + size + " )"
                              : what == "meta_group_size"               ? "( " + parents + " )"
                              : what == "size" || what == "num_threads" ? size
                                                                        : "";
    if (!words.empty() && all.empty()) {
      put(at, words, to);
      return close + 1;
    }
    const bool shuffle = what == "shfl" || what == "shfl_up" || what == "shfl_down" || what == "shfl_xor";
    const bool vote = what == "any" || what == "all", ranks = what == "ballot" || what == "match_any";
    if (all.size() != (shuffle ? 2U : 1U) || (!shuffle && !vote && !ranks)) {
      refuse("'" + spelled(at + 2) + "' is asked of a group in a way that is not split", at);
      return npos;
    }
    if (ranks) put(at, "(", to);
    put(at, "__" + std::string(what) + "_sync ( " + (shuffle ? "0xffffffffu" : mask) + " ,", to);
    expression(open + 1, close, frame, to);
    if (shuffle) put(at, ", " + size, to);
    put(at, ")", to);
    if (ranks) put(at, whole ? ")" : ">> " + lowest + " )", to);
    return close + 1;
  }

  /// Words with blanks between them.
  void put(std::size_t like, const std::string& words, Tokens& to) {
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t blank = std::min(words.find(' ', at), words.size());
      const std::string one = words.substr(at, blank - at);
      const bool number = std::isdigit(static_cast<unsigned char>(one[0])) != 0;
      const bool name = std::isalpha(static_cast<unsigned char>(one[0])) != 0 || one[0] == '_';
      if (one == ">>") {  // the lexer keeps them apart
        to.push_back(sign(like, ">"));
        to.push_back(sign(like, ">"));
        to.back().space_before = false;
      } else {
        to.push_back(made(place_of(like), one,
                          number ? TokenKind::number
                          : name ? TokenKind::identifier
                                 : TokenKind::punctuator));
      }
      at = blank + 1;
    }
  }

  // ---- expressions

  /// Copies [begin, end) to `to`. The bodies of functions that it calls come to the output before that.
  void expression(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to) {
    for (std::size_t i = begin; i < end && !refused();) {
      if (!is_inlined(i)) {
        i = copy_next(i, end, frame, to);
        continue;
      }
      const std::size_t open = call_open(i), close = syntax_.partner(open);
      if (close == npos || close >= end) return refuse("a call has no end", i);
      if (is(i - 1, "::")) return refuse("'" + spelled(i) + "' is called with its namespace", i);
      if (!may_come_first(begin, end, i, close))
        return refuse("the call of '" + spelled(i) + "' may be left out, or others may come before it", i);
      call(i, open, close, frame, to);
      i = close + 1;
    }
  }

  /// Is the expression's value the same when the call is made before anything else in it? What stands around the
  /// call as a function's argument comes later anyhow, as does what the result is assigned to.
  bool may_come_first(std::size_t begin, std::size_t end, std::size_t name, std::size_t close) const {
    std::size_t assigned = begin;  // behind the last assignment before the call
    for (std::size_t i = begin; i < name; ++i)
      if (syntax_.assignment_length(i) > 0) assigned = i + syntax_.assignment_length(i);
    for (std::size_t i = begin; i < end; ++i) {
      if (i >= name && i <= close) continue;
      for (std::string_view bad : {"?", "&&", "||", "and", "or", "++", "--"})
        if (is(i, bad)) return false;
      if (is_inlined(i)) return false;  // a second one
      if (i < assigned) continue;
      if (is(i, "->") || is(i, "[")) return false;
      if (is(i, "*") && (i == begin || is(i - 1, "(") || is(i - 1, "=") || is(i - 1, ","))) return false;
      const bool around = i < name && is(i, "(") && syntax_.partner(i) > close;
      if (is(i, "(") && !around && i > begin && syntax_.is_name(i - 1) &&
          !is_harmless_call(syntax_.at(i - 1)) && names_.plain_functions.count(spelled(i - 1)) == 0)
        return false;
    }
    return true;
  }

  // ---- calls

  const DeviceFunction* definition(std::size_t name, std::size_t count) const {
    const DeviceFunction* found = nullptr;
    for (const DeviceFunction& each : functions_.at(spelled(name))) {
      const std::vector<Parameter> parameters = read_parameters(syntax_, each.found.parameters);
      const auto needed = std::count_if(parameters.begin(), parameters.end(),
                                        [](const Parameter& one) { return one.default_begin == npos; });
      if (count > parameters.size() || count < static_cast<std::size_t>(needed)) continue;
      if (found != nullptr) return nullptr;  // overloaded
      found = &each;
    }
    return found;
  }

  /// Writes the body of the function that is called, and to `to` what the call gives.
  void call(std::size_t name, std::size_t open, std::size_t close, const Frame& caller, Tokens& to) {
    const auto given = arguments(open, close);
    const DeviceFunction* const function = definition(name, given.size());
    const std::string called = "'" + spelled(name) + "'";
    if (function == nullptr)
      return refuse("which " + called + " is called can't be told from the number of its arguments", name);
    if (std::find(active_.begin(), active_.end(), function) != active_.end())
      return refuse(called + " calls itself", name);
    if (function->scope != scope_) return refuse(called + " stands in another namespace", name);
    if (++calls_ > most_calls || out_.size() > most_tokens)
      return refuse("its functions are too much to stand in one body", name);
    std::vector<Statement> body;
    const std::size_t begin = function->found.body + 1, end = function->found.end - 1;
    if (!read_statements(syntax_, begin, end, body))
      return refuse(called + " has statements of a kind that are not split", name);

    Frame frame;
    frame.function = function;
    frame.begin = function->found.begin;
    frame.end = function->found.end;
    if (!result_and_return(name, *function, body, frame)) return;
    const std::string number = std::to_string(++count_);
    bind_template(name, given, caller, frame);
    if (!refused()) check_names(name, body, frame);
    if (!refused()) rename(body, frame, number);
    if (!refused()) bind(name, given, caller, frame, number);
    if (refused()) return;
    active_.push_back(function);
    this->body(name, body, frame, number, to);
    active_.pop_back();
  }

  /// Of the function the tokens that spell what it returns, without attributes.
  std::vector<std::size_t> result_type(const Declaration& found) const {
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

  bool result_and_return(std::size_t name, const DeviceFunction& function, const std::vector<Statement>&,
                         const Frame&) {
    for (const std::size_t i : result_type(function.found))
      for (std::string_view bad : {"&", "&&", "decltype", "operator", "friend", "consteval", "requires", "("})
        if (is(i, bad)) {
          refuse("'" + spelled(name) + "' returns what can't be kept", name);
          return false;
        }
    for (std::size_t i = function.found.body; i < function.found.end; ++i)
      if (syntax_.word(i) == Word::function_name || syntax_.word(i) == Word::pretty_function) {
        refuse("'" + spelled(name) + "' asks for its own name, perhaps in an assert", name);
        return false;
      }
    if (syntax_.partner(function.found.parameters) + 1 != function.found.body) {
      refuse("'" + spelled(name) + "' has something between its parameters and its body", name);
      return false;
    }
    return true;
  }

  // ---- template arguments

  void bind_template(std::size_t name, const std::vector<std::pair<std::size_t, std::size_t>>& given,
                     const Frame& caller, Frame& frame) {
    const Declaration& found = frame.function->found;
    if (!is(found.begin, "template")) {
      if (is(name + 1, "<")) refuse("'" + spelled(name) + "' is no template", name);
      return;
    }
    if (!is(found.begin + 1, "<") || is(found.begin + 2, ">"))
      return refuse("'" + spelled(name) + "' is a specialisation", name);
    const std::vector<Parameter> wanted = read_parameters(syntax_, found.begin + 1);
    std::vector<std::pair<std::size_t, std::size_t>> explicit_ones;
    if (is(name + 1, "<")) explicit_ones = arguments(name + 1, syntax_.template_close(name + 1));
    for (std::size_t i = 0; i < wanted.size() && !refused(); ++i) {
      if (wanted[i].name == npos) continue;
      const bool type = is(wanted[i].begin, "class") || is(wanted[i].begin, "typename");
      if (wanted[i].pack || is(wanted[i].begin, "template"))
        return refuse("'" + spelled(name) + "' has template parameters of a kind that is not inlined", name);
      Tokens argument;
      Group group;
      if (i < explicit_ones.size())
        copy(explicit_ones[i].first, explicit_ones[i].second, caller, argument);
      else if (group_argument(spelled(wanted[i].name), given, caller, frame, group))
        put(name, type ? type_of_group(group) : std::to_string(group.size), argument);
      else if (type)
        argument = deduced(name, spelled(wanted[i].name), given, caller, frame);
      if (argument.empty() && wanted[i].default_begin != npos)
        copy(wanted[i].default_begin, wanted[i].default_end, frame, argument);
      if (argument.empty())
        return refuse(
            "what '" + spelled(wanted[i].name) + "' is in the call of '" + spelled(name) + "' does not show",
            name);
      if (!type) {
        argument.insert(argument.begin(), sign(name, "("));
        argument.push_back(sign(name, ")"));
      }
      frame.replaced[spelled(wanted[i].name)] = std::move(argument);
    }
  }

  /// The group that is given for a parameter whose type mentions the template's parameter.
  bool group_argument(const std::string& parameter,
                      const std::vector<std::pair<std::size_t, std::size_t>>& given, const Frame& caller,
                      const Frame& frame, Group& group) const {
    const std::vector<Parameter> all = read_parameters(syntax_, frame.function->found.parameters);
    for (std::size_t i = 0; i < given.size() && i < all.size(); ++i)
      for (std::size_t k = all[i].begin; k < all[i].end; ++k)
        if (is(k, parameter) && group_of(given[i].first, given[i].second, caller, group)) return true;
    return false;
  }
  static std::string type_of_group(const Group& group) {
    if (group.size == 0) return "cooperative_groups :: thread_block";
    return "cooperative_groups :: thread_block_tile < " + std::to_string(group.size) + " >";
  }

  /// The type that a call's argument has, if it is the name of a variable or an element of one: how it is spelled,
  /// and how many `*` stand behind that.
  bool type_of(std::size_t begin, std::size_t end, const Frame& frame, std::string& element,
               int& pointers) const {
    if (begin + 1 == end && stream_.tokens[begin].kind == TokenKind::number) {
      const std::string_view number = syntax_.at(begin);
      const bool real = number.find('.') != number.npos;
      const char last = number.back();
      pointers = 0;
      if (real) element = last == 'f' || last == 'F' ? "float " : "double ";
      if (!real) element = last == 'u' || last == 'U' ? "unsigned " : "int ";
      return real ? last != 'l' && last != 'L'
                  : number.find_first_of("lL") == number.npos && number.size() < 9;
    }
    if (!syntax_.is_name(begin)) return false;
    const auto renamed = frame.replaced.find(spelled(begin));
    const auto known =
        variables_.find(renamed == frame.replaced.end() ? spelled(begin) : text(renamed->second));
    if (known == variables_.end() || known->second.element.empty()) return false;
    element = known->second.element;
    pointers = known->second.dimensions;
    std::size_t at = begin + 1;
    for (; at < end && is(at, "["); at = syntax_.after(at)) --pointers;
    if (is(at, ".") && pointers == 0 && at + 2 == end && element.size() == 7 && element.back() == ' ') {
      const std::string vector = element.substr(0, 5);  // float4 and its like
      if (vector == "float" && std::string("xyzw").find(spelled(at + 1)) != std::string::npos) {
        element = "float ";
        return true;
      }
    }
    return at == end && pointers >= 0;
  }

  Tokens deduced(std::size_t name, const std::string& parameter,
                 const std::vector<std::pair<std::size_t, std::size_t>>& given, const Frame& caller,
                 const Frame& frame) {
    const std::vector<Parameter> all = read_parameters(syntax_, frame.function->found.parameters);
    for (std::size_t i = 0; i < given.size() && i < all.size(); ++i) {
      // const T* p, T v, const T& v
      std::size_t names = 0, others = 0;
      for (std::size_t k = all[i].begin; k < all[i].end; ++k) {
        if (is(k, parameter)) ++names;
        if (is(k, "<") || is(k, "::")) ++others;
      }
      if (names != 1 || others > 0 || all[i].parenthesised) continue;
      std::string element;
      int pointers = 0;
      if (!type_of(given[i].first, given[i].second, caller, element, pointers)) continue;
      pointers -= all[i].pointers + (all[i].array ? 1 : 0);
      if (pointers < 0 || pointers > 1) continue;
      Tokens tokens;
      for (std::size_t at = 0; at < element.size();) {
        const std::size_t blank = element.find(' ', at);
        const std::string one = element.substr(at, blank - at);
        const bool identifier = std::isalpha(static_cast<unsigned char>(one[0])) != 0 || one[0] == '_';
        tokens.push_back(identifier ? word(name, one) : sign(name, one));
        at = blank + 1;
      }
      for (int k = 0; k < pointers; ++k) tokens.push_back(sign(name, "*"));
      return tokens;
    }
    return {};
  }

  // ---- names and parameters

  /// Names that the function takes from outside must mean the same where its body comes to stand.
  void check_names(std::size_t name, const std::vector<Statement>& body, const Frame& frame) {
    std::unordered_set<std::string> own;
    for (const Statement& statement : body)
      for_each_statement(statement, [&](const Statement& each) { list_names(each, own); });
    for (const Parameter& parameter : read_parameters(syntax_, frame.function->found.parameters))
      if (parameter.name != npos) own.insert(spelled(parameter.name));
    for (const auto& [replaced, tokens] : frame.replaced) own.insert(replaced);
    for (std::size_t i = frame.begin; i < frame.end; ++i) {
      if (!syntax_.is_name(i) || is_member(i) || is(i - 1, "::") || own.count(spelled(i)) > 0) continue;
      if (kernel_names_.count(spelled(i)) > 0 && !syntax_.is_built_in_variable(i))
        return refuse("'" + spelled(i) + "' is something else in '" + spelled(name) + "'", name);
    }
  }

  void rename(const std::vector<Statement>& body, Frame& frame, const std::string& number) {
    std::string key;  // of a template each instance has variables of its own
    for (const auto& [replaced, tokens] : frame.replaced) key += replaced + "=" + text(tokens) + ";";
    const std::string function = spelled(frame.function->found.name);
    const std::string instance = instance_of(*frame.function, key);
    std::unordered_set<std::string> names, shared;
    for (const Statement& statement : body)
      for_each_statement(statement, [&](const Statement& each) {
        if (each.kind == Kind::shared)
          for (const LocalName& one : each.names) shared.insert(spelled(one.name));
        list_names(each, names);
      });
    for (const Statement& statement : body)
      for_each_statement(statement, [&](const Statement& each) {
        for (std::size_t i = each.begin; each.kind == Kind::shared && i < each.end; ++i)
          if (names.count(spelled(i)) > 0 && shared.insert(spelled(i)).second)
            frame.constants.insert(spelled(i));
      });
    for (const std::string& one : names) {
      const std::string anew =
          shared.count(one) > 0 ? one + "_in_" + function + instance : "cuemu_" + number + "_" + one;
      frame.replaced[one] = {word(frame.function->found.name, anew)};
    }
  }

  std::string instance_of(const DeviceFunction& function, const std::string& key) {
    auto& known = instances_[&function];
    const auto found = std::find(known.begin(), known.end(), key);
    const auto index = found - known.begin();
    if (found == known.end()) known.push_back(key);
    return known.size() == 1 && index == 0 ? "" : "_" + std::to_string(index + 1);
  }

  void bind(std::size_t name, const std::vector<std::pair<std::size_t, std::size_t>>& given,
            const Frame& caller, Frame& frame, const std::string& number) {
    const std::vector<Parameter> all = read_parameters(syntax_, frame.function->found.parameters);
    std::size_t calls = 0;
    for (const auto& [begin, end] : given) calls += has_call(begin, end) ? 1 : 0;
    if (calls > 0 && given.size() > 1)
      for (const auto& [begin, end] : given)
        for (std::size_t i = begin; i < end && !has_call(begin, end); ++i)
          if (calls > 1 || is(i, "[") || is(i, "(") || is(i, "->") || is(i, "++") || is(i, "--"))
            return refuse("arguments of '" + spelled(name) + "' may be computed in another order", name);
    std::unordered_map<std::string, Tokens> bound;
    for (std::size_t i = 0; i < all.size() && !refused(); ++i) {
      Tokens argument;
      Group group;
      if (i < given.size() && all[i].name != npos &&
          group_of(given[i].first, given[i].second, caller, group)) {
        frame.groups[spelled(all[i].name)] = group;
        if (group.size == 0)  // its name may be used otherwise
          bound[spelled(all[i].name)] = block_group(given[i].first, given[i].second, caller, number);
        continue;
      }
      if (i < given.size())
        expression(given[i].first, given[i].second, caller, argument);
      else
        copy(all[i].default_begin, all[i].default_end, frame, argument);
      if (all[i].name == npos) {
        if (argument.size() > 1)
          return refuse("'" + spelled(name) + "' has a parameter without a name", name);
        continue;
      }
      bound[spelled(all[i].name)] = parameter(name, all[i], argument, frame, number);
    }
    for (auto& [parameter, tokens] : bound)
      if (!frame.replaced.emplace(parameter, std::move(tokens)).second)
        refuse("two names of '" + spelled(name) + "' are the same", name);
  }

  /// The name of a variable for the block as a group.
  Tokens block_group(std::size_t begin, std::size_t end, const Frame& caller, const std::string& number) {
    Tokens name;
    if (begin + 1 == end) {
      copy_token(begin, caller, name);
      return name;
    }
    const std::string anew = "cuemu_" + number + "_block";
    put(begin, "const auto " + anew + " = cooperative_groups :: this_thread_block ( ) ;", out_);
    return {word(begin, anew)};
  }

  /// What stands for a parameter: the argument itself where nobody can tell, or a variable that begins with it.
  Tokens parameter(std::size_t name, const Parameter& parameter, const Tokens& argument, const Frame& frame,
                   const std::string& number) {
    const std::string own = spelled(parameter.name);
    const bool changes = is_changed(frame.begin, frame.end, own);
    if (argument.size() == 1 && argument[0].kind == TokenKind::identifier) {
      const auto known = variables_.find(std::string(stream_.spelling(argument[0])));
      if (known != variables_.end() && serves(parameter, known->second, changes, frame)) return argument;
    }
    if (parameter.parenthesised || parameter.rvalue) {
      refuse("the parameter '" + own + "' of '" + spelled(name) + "' is of a kind that is not inlined", name);
      return {};
    }
    for (std::size_t i = parameter.name + 1; i < parameter.end; i = syntax_.after(i))
      if (is(i, "[") && i != parameter.name + 1) {
        refuse("the parameter '" + own + "' of '" + spelled(name) + "' has several dimensions", name);
        return {};
      }
    const std::string anew = "cuemu_" + number + "_" + own;
    Variable variable;
    if (!parameter.reference) variable.element = element_type(parameter.begin, parameter.name, frame);
    variable.dimensions = parameter.pointers + (parameter.array ? 1 : 0);
    variable.changes = changes;
    for (std::size_t i = parameter.begin; i < parameter.name; ++i) {
      if (is(i, "[")) {  // [[maybe_unused]]
        i = syntax_.after(i) - 1;
        continue;
      }
      if (!is(i, "__restrict__") && !is(i, "__restrict")) copy_token(i, frame, out_);
    }
    if (parameter.array) out_.push_back(sign(parameter.name, "*"));
    out_.push_back(word(parameter.name, anew));
    out_.push_back(sign(parameter.name, "="));
    out_.insert(out_.end(), argument.begin(), argument.end());
    out_.push_back(sign(parameter.name, ";"));
    note(anew, std::move(variable));
    return {word(parameter.name, anew)};
  }

  /// Can the variable itself stand for the parameter that it is given for?
  bool serves(const Parameter& parameter, const Variable& variable, bool changes, const Frame& frame) const {
    if (parameter.pack || parameter.rvalue) return false;
    if (parameter.parenthesised) return parameter.reference && variable.is_array;  // T (&s)[4]
    const std::string element = element_type(parameter.begin, parameter.name, frame);
    if (variable.element.empty() || element != variable.element) return false;
    const int dimensions = parameter.pointers + (parameter.array ? 1 : 0);
    if (parameter.reference) {
      bool constant = false;
      for (std::size_t i = parameter.begin; i < parameter.name; ++i) constant = constant || is(i, "const");
      return dimensions == variable.dimensions && !variable.is_array &&
             (constant || variable.dimensions == 0);
    }
    if (changes || dimensions != variable.dimensions) return false;
    return variable.is_array || !variable.changes;
  }

  // ---- the body

  std::size_t returns(const Statement& statement) const {
    std::size_t count = 0;
    for_each_statement(statement,
                       [&](const Statement& each) { count += each.kind == Kind::return_ ? 1 : 0; });
    return count;
  }

  void body(std::size_t name, const std::vector<Statement>& body, Frame& frame, const std::string& number,
            Tokens& to) {
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

  /// `static_cast<T>(e)` of `return e;`
  void value(const Statement& statement, const std::vector<std::size_t>& type, const Frame& frame,
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

  bool always_returns(const Statement& statement) const {
    if (statement.kind == Kind::return_) return true;
    if (statement.kind == Kind::compound)
      return !statement.children.empty() && always_returns(statement.children.back());
    return statement.kind == Kind::if_ && statement.children.size() == 2 &&
           always_returns(statement.children[0]) && always_returns(statement.children[1]);
  }

  /// The statements from `at` on, where what stands behind an `if` that returns becomes its other branch.
  void tail(const std::vector<Statement>& statements, std::size_t at, Frame& frame) {
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

  void tail_if(const std::vector<Statement>& statements, std::size_t at, Frame& frame) {
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

  /// `return e;` where the result has a variable.
  void give(const Statement& statement, const Frame& frame) {
    if (statement.end == statement.head + 2) return;
    Tokens all;
    expression(statement.head + 1, statement.end - 1, frame, all);
    if (frame.result.empty()) return refuse("a function without a result returns one", statement.head);
    out_.push_back(word(statement.head, frame.result));
    out_.push_back(sign(statement.head, "="));
    out_.insert(out_.end(), all.begin(), all.end());
    out_.push_back(sign(statement.head, ";"));
  }

  // ---- the end

  Declaration append() {
    const std::size_t base = stream_.tokens.size();
    const auto moved = [&](std::size_t at) { return at == npos ? npos : at - kernel_.begin + base; };
    Declaration copy = kernel_;
    copy.begin = base;
    copy.name = moved(kernel_.name);
    copy.parameters = moved(kernel_.parameters);
    copy.body = moved(kernel_.body);
    copy.launch_bounds = moved(kernel_.launch_bounds);
    copy.cluster_dims = moved(kernel_.cluster_dims);
    const Token end = stream_.tokens.back();
    const Tokens head(stream_.tokens.begin() + static_cast<std::ptrdiff_t>(kernel_.begin),
                      stream_.tokens.begin() + static_cast<std::ptrdiff_t>(kernel_.body + 1));
    const Token brace = stream_.tokens[kernel_.end - 1];
    for (const Tokens& part : {head, hoisted_, out_})
      stream_.tokens.insert(stream_.tokens.end(), part.begin(), part.end());
    stream_.tokens.push_back(brace);
    copy.end = stream_.tokens.size();
    stream_.tokens.push_back(end);
    syntax_.extend();
    return copy;
  }

  TokenStream& stream_;
  Syntax& syntax_;
  const Declaration kernel_;
  const std::string scope_;
  const DeviceFunctions& functions_;
  const KnownNames& names_;
  Tokens out_, hoisted_;
  std::unordered_set<std::string> kernel_names_;
  std::unordered_map<std::string, Variable> variables_;
  std::unordered_map<std::uint32_t, std::uint32_t> quiet_;
  std::unordered_map<const DeviceFunction*, std::vector<std::string>> instances_;
  std::unordered_set<std::string> shared_;
  std::vector<const DeviceFunction*> active_;
  std::size_t count_ = 0, calls_ = 0;
  std::string refusal_;
};

}  // namespace

InlinedKernel inline_calls(TokenStream& stream, Syntax& syntax, const Declaration& kernel,
                           const std::string& scope, const DeviceFunctions& functions,
                           const KnownNames& names) {
  return CallInliner(stream, syntax, kernel, scope, functions, names).run();
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
