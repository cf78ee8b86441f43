/// @file
/// Internals of the pass that copies a kernel and replaces calls by the bodies of functions. Shared by
/// inline_calls.cpp (order of the steps, choice of calls), inline_statements.cpp (statements of kernels and bodies),
/// inline_names.cpp (facts about variables, new names), inline_arguments.cpp (replacements of parameters),
/// inline_groups.cpp (cooperative groups) and inline_tokens.cpp (tokens).
#pragma once
#include <optional>
#include <unordered_set>
#include <utility>

#include "inline/inline_calls.hpp"
#include "inline/made_tokens.hpp"
#include "parse/statements.hpp"

namespace emucc::detail {

/// Calls `see(statement)` for the statement and all nested statements.
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
  using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;  ///< token ranges, [first, second)
  static constexpr std::size_t most_tokens = 40000;                 ///< the most tokens of a copy
  static constexpr std::size_t most_calls = 200;                    ///< the most inlined calls of a kernel

  /// A variable of the copy, under its name in the copy.
  struct Variable {
    std::string element;    ///< the spelling of the type without `const` and suffixes; empty: unknown
    int dimensions = 0;     ///< the number of `*` and of array bounds
    bool is_array = false;  ///< the variable is declared with bounds, so its address never changes
    bool changes = false;   ///< the kernel or other code might change the variable
  };
  /// A group of cooperative groups: the block, or adjacent lanes of a warp.
  struct Group {
    unsigned size = 0;    ///< the number of lanes; 0: the block
    unsigned parent = 0;  ///< the size of the parent group; 0: the block
  };
  /// A function that is being copied.
  struct Frame {
    const DeviceFunction* function = nullptr;  ///< null: the kernel
    std::size_t begin = 0, end = 0;            ///< its tokens
    std::unordered_map<std::string, Tokens> replaced;
    std::string result;  ///< the variable that takes the result; empty: the result is unused
    std::unordered_set<std::string> constants;  ///< constants in bounds of __shared__ arrays
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
  /// Returns true if the statement is rewritten. Other statements are copied unchanged.
  bool is_rewritten(const Statement& statement, const Frame& frame) const;
  bool has_shared(const Statement& statement) const;
  /// Copies [begin, end) to `to`. Writes the bodies of called functions to the output first.
  void expression(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to);
  /// Returns true if the expression keeps its value when the call is made before the rest of it is evaluated.
  bool may_come_first(std::size_t begin, std::size_t end, std::size_t name, std::size_t close) const;
  /// Returns the index of `f` if the `f` or `a::f` at `at` is an inlined function; else npos.
  std::size_t inlined_at(std::size_t at) const;
  /// Returns the namespaces that may declare the called function, whose name is [begin, name].
  std::vector<std::string> scopes_of_call(std::size_t begin, std::size_t name, const Frame& caller) const;
  /// Returns the only function of that name with `count` parameters; null if there are several such
  /// functions, or none.
  const DeviceFunction* definition(std::size_t begin, std::size_t name, std::size_t count,
                                   const Frame& caller) const;
  /// Writes the body of the called function, and writes the call's result to `to`.
  /// @param begin the beginning of the function's name, with namespaces
  void call(std::size_t begin, std::size_t name, const Frame& caller, Tokens& to);
  /// Returns true if the barrier at `at` also counts: `__syncthreads_or`, `__syncthreads_and`,
  /// `__syncthreads_count`.
  bool is_vote(std::size_t at) const;
  /// Replaces `__syncthreads_count(x)`: each thread votes, all threads wait, and a variable of the block holds the
  /// result.
  void vote(std::size_t name, std::size_t open, std::size_t close, const Frame& caller, Tokens& to);
  /// Refuses functions whose result, head or body would have another meaning in another scope.
  void check_function(std::size_t name, const DeviceFunction& function);
  /// Returns the tokens of the function's result type, without attributes.
  std::vector<std::size_t> result_type(const Declaration& found) const;
  /// Appends the copy to the tokens.
  Declaration append();

  // ---- inline_statements.cpp
  void list(const std::vector<Statement>& statements, Frame& frame);
  void statement(const Statement& statement, Frame& frame);
  void branch(const Statement& statement, Frame& frame);
  void if_statement(const Statement& statement, Frame& frame);
  void expression_statement(const Statement& statement, const Frame& frame);
  /// Writes a loop whose condition contains an inlined call: `for (;;) { if (!(condition)) break; body }`.
  void loop(const Statement& statement, Frame& frame);
  /// Copies a condition to `to`. An operand that may be skipped (`a || f()`) moves to a branch before the condition.
  void condition(std::size_t begin, std::size_t end, const Frame& frame, Tokens& to);
  /// Returns the positions of the operator `sign` between the operands of [begin, end).
  std::vector<std::size_t> signs(std::size_t begin, std::size_t end, std::string_view sign) const;
  /// Writes the declaration of shared variables, once for all calls of the function, since the calls share the
  /// variables.
  void shared(const Statement& statement, const Frame& frame);
  /// Writes a constant from which bounds of such variables are computed.
  void constant(const Statement& statement, const Frame& frame);
  /// Writes the body of a function whose parameters are bound, and writes its result to `to`.
  void body(std::size_t name, const std::vector<Statement>& body, Frame& frame, const std::string& number,
            Tokens& to);
  /// Returns the number of `return` statements in the statement.
  std::size_t returns(const Statement& statement) const;
  /// Writes `static_cast<T>(e)` for `return e;`.
  void value(const Statement& statement, const std::vector<std::size_t>& type, const Frame& frame,
             Tokens& to);
  bool always_returns(const Statement& statement) const;
  /// Writes the statements from `at` to the end. Statements after an `if` that returns become its other branch.
  void tail(const std::vector<Statement>& statements, std::size_t at, Frame& frame);
  void tail_if(const std::vector<Statement>& statements, std::size_t at, Frame& frame);
  /// Writes `return e;` if a variable holds the result.
  void give(const Statement& statement, const Frame& frame);

  // ---- inline_names.cpp
  /// Adds the names that the statement declares.
  void list_names(const Statement& statement, std::unordered_set<std::string>& names) const;
  /// Returns true if [begin, end) may change the variable of that name, or take its address.
  bool is_changed(std::size_t begin, std::size_t end, const std::string& name) const;
  /// Returns true for `int n = 3`, which isn't a change.
  bool is_declared_type_before(std::size_t name) const;
  /// Returns true if the argument at `at` belongs to a user function that takes references.
  bool may_be_bound(std::size_t begin, std::size_t at) const;
  void declare_parameter(const Parameter& parameter, const Frame& frame, const std::string& name);
  void declare(const Statement& statement, const std::vector<LocalName>& names, const Frame& frame);
  void note(const std::string& name, const Variable& variable);
  /// Returns the type's spelling without qualifiers that don't affect the representation; empty if the type is
  /// unknown.
  std::string element_type(std::size_t begin, std::size_t end, const Frame& frame) const;
  /// Qualifies names from the global namespace, so that names from outside the function keep their meaning in
  /// the kernel.
  void root_names(std::size_t name, const std::vector<Statement>& body, Frame& frame);
  /// Returns the namespace that declares the name as seen from `scope`, including opened namespaces.
  std::optional<std::string> meaning(const std::string& name, const std::string& scope,
                                     const std::vector<std::string>& opened) const;
  const std::string& scope_of(const Frame& frame) const {
    return frame.function == nullptr ? scope_ : frame.function->scope;
  }
  /// Gives the function's variables names that occur nowhere else in the copy.
  void rename(const std::vector<Statement>& body, Frame& frame, const std::string& number);
  /// Returns a suffix that distinguishes functions of the same name and instances of templates; empty for the
  /// first one.
  std::string instance_of(const DeviceFunction& function, const std::string& key);

  // ---- inline_arguments.cpp
  void bind_template(std::size_t name, const Ranges& given, const Frame& caller, Frame& frame);
  /// Finds the group that is passed for a parameter whose type mentions the template's parameter.
  bool group_argument(const std::string& parameter, const Ranges& given, const Frame& caller,
                      const Frame& frame, Group& group) const;
  /// Finds the type of an argument that is a number, a variable's name or an element: its spelling and the number of
  /// `*` after it.
  bool type_of(std::size_t begin, std::size_t end, const Frame& frame, std::string& element,
               int& pointers) const;
  /// Returns the type for the template's parameter that the call's arguments show; empty if they show none.
  Tokens deduced(std::size_t name, const std::string& parameter, const Ranges& given, const Frame& caller,
                 const Frame& frame);
  void bind(std::size_t name, const Ranges& given, const Frame& caller, Frame& frame,
            const std::string& number);
  /// Returns the tokens that replace a parameter: the argument itself if that has the same effect, or a
  /// variable initialised with the argument.
  Tokens parameter(std::size_t name, const Parameter& parameter, const Tokens& argument, const Frame& frame,
                   const std::string& number);
  /// Returns true if the argument's variable itself can replace the parameter.
  bool serves(const Parameter& parameter, const Variable& variable, bool changes, const Frame& frame) const;

  // ---- inline_groups.cpp
  /// Records the group that a declaration declares. @return true if the declaration declares nothing else
  bool group(const Statement& statement, Frame& frame);
  /// Finds the group in `cg::this_thread_block()`, `cg::tiled_partition<32>(block)`, or the name of a group.
  bool group_of(std::size_t begin, std::size_t end, const Frame& frame, Group& found) const;
  std::optional<long long> constant_of(std::size_t begin, std::size_t end, const Frame& frame) const;
  static std::string type_of_group(const Group& group);
  /// Returns the name of a variable that represents the block as a group.
  Tokens block_group(std::size_t begin, std::size_t end, const Frame& caller, const std::string& number);
  /// Replaces the group operation at `at` by functions that the splitter knows.
  /// @return the index after the operation; npos if there is no group operation
  std::size_t group_use(std::size_t at, const Frame& frame, Tokens& to);
  /// Replaces an operation of a tile, such as `tile.shfl_down(v, d)`.
  std::size_t question(std::size_t at, const Group& group, const Frame& frame, Tokens& to);

  // ---- inline_tokens.cpp
  std::string text(const Tokens& tokens) const;
  /// Returns the token at a place where warnings are suppressed, unless the token is the kernel's own. The
  /// function's own translation has already given these warnings.
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
  /// Copies a token or a group operation at `at`. @return the index after it
  std::size_t copy_next(std::size_t at, std::size_t end, const Frame& frame, Tokens& to);

  TokenStream& stream_;
  Syntax& syntax_;
  const Declaration kernel_;
  const std::string scope_;  ///< the namespace of the kernel
  const DeviceFunctions& functions_;
  const Namespaces& namespaces_;
  const KnownNames& names_;
  Tokens out_, hoisted_;  ///< the copy's body, and the declarations at its beginning
  std::unordered_set<std::string> kernel_names_;
  std::unordered_map<std::string, Variable> variables_;
  std::unordered_map<std::uint32_t, std::uint32_t> quiet_;  ///< places, and the same places without warnings
  std::unordered_map<std::string, std::vector<std::string>> instances_;  ///< by name: see instance_of()
  std::unordered_set<std::string> shared_;                               ///< the names of hoisted variables
  std::vector<const DeviceFunction*> active_;                            ///< functions that are being copied
  std::size_t count_ = 0, calls_ = 0;
  std::string refusal_;
};

}  // namespace emucc::detail
