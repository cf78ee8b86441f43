/// @file
/// The insides of the pass that copies a kernel with the bodies of functions in the places of their calls,
/// shared by inline_calls.cpp (the order of things, and which calls), inline_statements.cpp (the statements of
/// kernels and bodies), inline_names.cpp (what is known of variables, and new names), inline_arguments.cpp (what
/// stands for parameters), inline_groups.cpp (cooperative groups) and inline_tokens.cpp (its tokens).
#pragma once
#include <optional>
#include <unordered_set>
#include <utility>

#include "lower/inline_calls.hpp"
#include "lower/made_tokens.hpp"
#include "parse/statements.hpp"

namespace emucc::detail {

/// Calls `see(statement)` for it and all statements inside.
template <class See>
void for_each_statement(const Statement& statement, const See& see) {
  see(statement);
  for (const Statement& inner : statement.children) for_each_statement(inner, see);
}

class CallInliner {
 public:
  CallInliner(TokenStream& stream, Syntax& syntax, const Declaration& kernel, const std::string& scope,
              const DeviceFunctions& functions, const Namespaces& namespaces, const KnownNames& names)
      : stream_(stream),
        syntax_(syntax),
        kernel_(kernel),
        scope_(scope),
        functions_(functions),
        namespaces_(namespaces),
        names_(names) {}

  InlinedKernel run();

 private:
  using Kind = Statement::Kind;
  using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;  ///< of tokens, [first, second)
  static constexpr std::size_t most_tokens = 40000;                 ///< of a copy
  static constexpr std::size_t most_calls = 200;                    ///< inlined into one kernel

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
  bool is_member(std::size_t at) const { return is(at - 1, ".") || is(at - 1, "->"); }

  // ---- inline_calls.cpp
  bool is_inlined(std::size_t at) const;
  bool has_call(std::size_t begin, std::size_t end) const;
  /// Must the statement be looked into, or is it copied as it stands?
  bool is_rewritten(const Statement& statement, const Frame& frame) const;
  bool has_shared(const Statement& statement) const;
  /// What commas part between two brackets.
  /// Copies [begin, end) to `to`. The bodies of functions that it calls come to the output before that.
  void expression(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to);
  /// Is the expression's value the same when the call is made before anything else in it?
  bool may_come_first(std::size_t begin, std::size_t end, std::size_t name, std::size_t close) const;
  /// `f` or `a::f` at `at`, if that function is inlined: the index of `f`; else npos.
  std::size_t inlined_at(std::size_t at) const;
  /// The namespaces in which what is called by [begin, name] may be declared.
  std::vector<std::string> scopes_of_call(std::size_t begin, std::size_t name, const Frame& caller) const;
  /// The function that is called so and takes `count` arguments; null where there are several, or none.
  const DeviceFunction* definition(std::size_t begin, std::size_t name, std::size_t count,
                                   const Frame& caller) const;
  /// Writes the body of the function that is called, and to `to` what the call gives.
  /// @param begin of its name, with namespaces
  void call(std::size_t begin, std::size_t name, const Frame& caller, Tokens& to);
  /// Is the name at `at` that of a barrier that counts: `__syncthreads_or` and its like?
  bool is_vote(std::size_t at) const;
  /// `__syncthreads_count(x)`: each thread votes, all wait, and the result is a variable of the block's.
  void vote(std::size_t name, std::size_t open, std::size_t close, const Frame& caller, Tokens& to);
  /// Refuses functions whose result, head or body means something else in another place.
  void check_function(std::size_t name, const DeviceFunction& function);
  /// Of the function the tokens that spell what it returns, without attributes.
  std::vector<std::size_t> result_type(const Declaration& found) const;
  /// Puts the copy behind the tokens that there are.
  Declaration append();

  // ---- inline_statements.cpp
  void list(const std::vector<Statement>& statements, Frame& frame);
  void statement(const Statement& statement, Frame& frame);
  void branch(const Statement& statement, Frame& frame);
  void if_statement(const Statement& statement, Frame& frame);
  void expression_statement(const Statement& statement, const Frame& frame);
  /// A loop whose condition makes such a call: `for (;;) { if (!(condition)) break; body }`
  void loop(const Statement& statement, Frame& frame);
  /// Copies a condition to `to`. What may be left out of it (`a || f()`) comes to stand in a branch before it.
  void condition(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to);
  /// Where `sign` stands between the operands of [begin, end).
  std::vector<std::size_t> signs(std::size_t begin, std::size_t end, std::string_view sign) const;
  /// Once for all calls of the function, since they all have the same variable.
  void shared(const Statement& statement, const Frame& frame);
  /// What the bounds of such variables are computed from.
  void constant(const Statement& statement, const Frame& frame);
  /// The body of a function whose parameters are bound, and to `to` what it returns.
  void body(std::size_t name, const std::vector<Statement>& body, Frame& frame, const std::string& number,
            Tokens& to);
  /// How often it says `return`.
  std::size_t returns(const Statement& statement) const;
  /// `static_cast<T>(e)` of `return e;`
  void value(const Statement& statement, const std::vector<std::size_t>& type, const Frame& frame,
             Tokens& to);
  bool always_returns(const Statement& statement) const;
  /// The statements from `at` on, where what stands behind an `if` that returns becomes its other branch.
  void tail(const std::vector<Statement>& statements, std::size_t at, Frame& frame);
  void tail_if(const std::vector<Statement>& statements, std::size_t at, Frame& frame);
  /// `return e;` where the result has a variable.
  void give(const Statement& statement, const Frame& frame);

  // ---- inline_names.cpp
  /// Adds the names that the statement declares.
  void list_names(const Statement& statement, std::unordered_set<std::string>& names) const;
  /// May something in [begin, end) change the variable of that name, or take its address?
  bool is_changed(std::size_t begin, std::size_t end, const std::string& name) const;
  /// `int n = 3`: that is no change.
  bool is_declared_type_before(std::size_t name) const;
  /// Is the argument at `at` one of a function of the user's that takes references?
  bool may_be_bound(std::size_t begin, std::size_t at) const;
  void declare_parameter(const Parameter& parameter, const Frame& frame, const std::string& name);
  void declare(const Statement& statement, const std::vector<LocalName>& names, const Frame& frame);
  void note(const std::string& name, const Variable& variable);
  /// Without what says nothing about how values look; empty where the type doesn't show.
  std::string element_type(std::size_t begin, std::size_t end, const Frame& frame) const;
  /// Names that the function takes from outside must mean the same where its body comes to stand: some are spelled
  /// from the root there.
  void root_names(std::size_t name, const std::vector<Statement>& body, Frame& frame);
  /// What the name stands for in a namespace, where others are opened, too: the namespace that declares it.
  std::optional<std::string> meaning(const std::string& name, const std::string& scope,
                                     const std::vector<std::string>& opened) const;
  const std::string& scope_of(const Frame& frame) const {
    return frame.function == nullptr ? scope_ : frame.function->scope;
  }
  /// Gives the function's own variables names that nothing else in the copy has.
  void rename(const std::vector<Statement>& body, Frame& frame, const std::string& number);
  /// What tells functions of one name and instances of templates apart in names; nothing while there is one.
  std::string instance_of(const DeviceFunction& function, const std::string& key);

  // ---- inline_arguments.cpp
  void bind_template(std::size_t name, const Ranges& given, const Frame& caller, Frame& frame);
  /// The group that is given for a parameter whose type mentions the template's parameter.
  bool group_argument(const std::string& parameter, const Ranges& given, const Frame& caller,
                      const Frame& frame, Group& group) const;
  /// The type that a call's argument has, if it is a number, a variable's name or an element of one: how it is
  /// spelled, and how many `*` stand behind that.
  bool type_of(std::size_t begin, std::size_t end, const Frame& frame, std::string& element,
               int& pointers) const;
  /// The type that the template's parameter has, as the call's arguments show it; nothing where they don't.
  Tokens deduced(std::size_t name, const std::string& parameter, const Ranges& given, const Frame& caller,
                 const Frame& frame);
  void bind(std::size_t name, const Ranges& given, const Frame& caller, Frame& frame,
            const std::string& number);
  /// What stands for a parameter: the argument itself where nobody can tell, or a variable that begins
  /// with it.
  Tokens parameter(std::size_t name, const Parameter& parameter, const Tokens& argument, const Frame& frame,
                   const std::string& number);
  /// Can the variable itself stand for the parameter that it is given for?
  bool serves(const Parameter& parameter, const Variable& variable, bool changes, const Frame& frame) const;

  // ---- inline_groups.cpp
  /// Notes the group that a declaration declares. @return whether nothing else is left of it
  bool group(const Statement& statement, Frame& frame);
  /// `cg::this_thread_block()`, `cg::tiled_partition<32>(block)`, or the name of a group.
  bool group_of(std::size_t begin, std::size_t end, const Frame& frame, Group& found) const;
  std::optional<long long> constant_of(std::size_t begin, std::size_t end, const Frame& frame) const;
  static std::string type_of_group(const Group& group);
  /// The name of a variable for the block as a group.
  Tokens block_group(std::size_t begin, std::size_t end, const Frame& caller, const std::string& number);
  /// Something that is said to a group at `at`, in words that fission knows.
  /// @return the index behind it; npos: there is nothing of the kind
  std::size_t group_use(std::size_t at, const Frame& frame, Tokens& to);
  /// `tile.shfl_down(v, d)`
  std::size_t question(std::size_t at, const Group& group, const Frame& frame, Tokens& to);

  // ---- inline_tokens.cpp
  std::string text(const Tokens& tokens) const;
  /// The token with a place that silences warnings if it is no token of the kernel's: they have been given
  /// where the function stands.
  Token place_of(std::size_t at);
  Token sign(std::size_t like, const std::string& spelling) {
    return made_token(stream_, place_of(like), spelling, TokenKind::punctuator);
  }
  Token word(std::size_t like, const std::string& spelling) {
    return made_token(stream_, place_of(like), spelling, TokenKind::identifier);
  }
  void put(std::size_t like, const std::string& words, Tokens& to) {
    put_words(stream_, place_of(like), words, to);
  }
  void copy_token(std::size_t at, const Frame& frame, Tokens& to);
  void copy(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to);
  /// Copies what stands at `at`: a token, or what is said to a group. @return the index behind it
  std::size_t copy_next(std::size_t at, std::size_t end, const Frame& frame, Tokens& to);

  TokenStream& stream_;
  Syntax& syntax_;
  const Declaration kernel_;
  const std::string scope_;  ///< the namespace of the kernel
  const DeviceFunctions& functions_;
  const Namespaces& namespaces_;
  const KnownNames& names_;
  Tokens out_, hoisted_;  ///< the copy's body, and what stands at its beginning
  std::unordered_set<std::string> kernel_names_;
  std::unordered_map<std::string, Variable> variables_;
  std::unordered_map<std::uint32_t, std::uint32_t> quiet_;  ///< places, and the same without warnings
  std::unordered_map<std::string, std::vector<std::string>> instances_;  ///< by name, see instance_of
  std::unordered_set<std::string> shared_;                               ///< hoisted, by their names
  std::vector<const DeviceFunction*> active_;                            ///< being copied
  std::size_t count_ = 0, calls_ = 0;
  std::string refusal_;
};

}  // namespace emucc::detail
