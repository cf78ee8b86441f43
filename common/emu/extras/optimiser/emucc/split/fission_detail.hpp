/// @file
/// Internals of the pass that splits kernels, shared by fission.cpp (order of the steps), fission_control.cpp (code
/// that must run once for all threads), fission_variables.cpp (shared and kept variables), fission_steps.cpp (phases)
/// and fission_resume.cpp (resumed threads).
#pragma once
#include <map>
#include <set>
#include <unordered_set>

#include "split/fission.hpp"

namespace emucc::detail {

class FissionPlanner {
 public:
  FissionPlanner(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                 const KnownNames& names, bool warp_function)
      : syntax_(syntax), parameters_(parameters), begin_(begin), end_(end), names_(names) {
    found_.warp_function = warp_function;
  }

  Fission plan();
  Fission resume();

 private:
  using StatementKind = Statement::Kind;
  using Steps = std::vector<FissionStep>;
  static constexpr std::size_t npos = Syntax::npos;
  static constexpr unsigned max_warps = 32;  ///< the most warps of a block

  void refuse(std::string reason) {
    if (found_.refusal.empty()) found_.refusal = std::move(reason);
  }
  void refuse_at(const std::string& reason, const Statement& statement) {
    refuse(reason + " (line " + std::to_string(syntax_.stream().tokens[statement.head].line) + ")");
  }
  bool refused() const { return !found_.refusal.empty(); }
  bool is(std::size_t at, std::string_view spelling) const { return syntax_.is(at, spelling); }
  bool read_body();
  void split();
  void start_again();
  void find_once_reads(const Uniformity& facts, Steps& steps);
  static bool has_once_reads(const Steps& steps);
  bool try_otherwise();
  bool find_interchanges(const Uniformity& facts, const MemoryEffects& memory, Steps& steps);

  // ---- fission_control.cpp
  void find_groups(const Statement& statement);
  bool is_group(const Statement& statement) const;
  bool is_barrier(const Statement& statement) const;
  bool is_control(const Statement& statement) const { return control_.count(&statement) > 0; }
  bool mark_barriers(const Statement& statement);
  bool mark_warps(const Statement& statement);
  bool mark_leaf_calls(const Statement& statement);
  void find_roots(const std::vector<Statement>& list);
  std::size_t root(const Statement& statement) const;
  bool mark_jumps(const Statement& statement, bool returns, bool breaks, bool continues);
  bool has_return(const Statement& statement) const;
  bool has_jump(const Statement& statement) const;
  bool is_last_return(const Statement& statement) const;
  void find_uniform_returns(const std::vector<Statement>& list, const Uniformity& facts, bool& again);
  void find_uniform_branches(const std::vector<Statement>& list, const Uniformity& facts, bool& again);
  bool only_assigns(const Statement& statement, const Uniformity& facts) const;
  bool assigns_for_all(const Statement& statement, const Uniformity& facts) const;

  // ---- fission_variables.cpp
  void collect(Uniformity& facts, bool& again);
  void collect_parameters(Uniformity& facts);
  bool is_constant(const Statement& declaration, const LocalName& name) const;
  void add_names(const Statement& statement, const std::vector<LocalName>& names, std::size_t scope_end,
                 VariableKind kind, Uniformity& facts, std::size_t region);
  struct Scope {
    std::size_t end;     ///< the end of the scope of the names
    bool loop;           ///< the code is inside a loop around barriers
    std::size_t region;  ///< see KernelVariable
  };
  void collect_list(const std::vector<Statement>& list, Scope scope, Uniformity& facts);
  void collect_one(const Statement& statement, Scope scope, Uniformity& facts);
  void collect_control(const Statement& statement, Scope scope, Uniformity& facts);
  void classify(Uniformity& facts);
  void find_kept(Uniformity& facts, const std::vector<FissionStep*>& phases);
  void check_kept(const Uniformity& facts, const KernelVariable& variable);
  void find_needs(const Uniformity& facts, Steps& steps);
  void needs_of_phase(const Uniformity& facts, FissionStep& phase) const;
  void mention(const Uniformity& facts, std::size_t begin, std::size_t end,
               std::set<std::size_t>& needs) const;
  void add_indices(const Uniformity& facts, std::set<std::size_t>& needs) const;
  std::vector<std::size_t> needs_of(const Uniformity& facts, std::size_t begin, std::size_t end) const;
  void find_guards(const Uniformity& facts, Steps& steps);
  void find_guard(const Uniformity& facts, FissionStep& phase);
  void find_column(const Uniformity& facts, FissionStep::Guard& guard) const;
  bool is_column(const Uniformity& facts, const Expression& expression) const;
  void drop_empty(Steps& steps, const Uniformity& facts);

  // ---- fission_steps.cpp
  /// The places where the next statement of a list may be added.
  struct Cursor {
    bool phase = false;        ///< the last step is a phase to which leaves may be added
    bool warps = false;        ///< the last step is a loop over warps to which steps may be added
    bool inner_phase = false;  ///< that loop's last step is such a phase
  };
  void make_steps(const std::vector<Statement>& list, const Uniformity& facts, Steps& steps,
                  const Statement* loop);
  void step(const Statement& statement, const Uniformity& facts, Steps& steps, const Statement* loop,
            Cursor& cursor);
  void warp_step(const Statement& statement, const Uniformity& facts, Steps& steps, const Statement* loop,
                 Cursor& cursor);
  void uniform_step(const Statement& statement, const Uniformity& facts, Steps& steps, Cursor& cursor);
  void leaf_step(const Statement& statement, const Uniformity& facts, Steps& steps, const Statement* loop,
                 bool& open);
  bool calls_lambdas(const Statement& statement, const Uniformity& facts) const;
  void leaf(const Statement& statement, const Uniformity& facts, FissionStep& phase, const Statement* loop);
  void control(const Statement& statement, const Uniformity& facts, FissionStep& step, const Statement* loop);
  bool control_header(const Statement& statement, const Uniformity& facts, FissionStep& step,
                      const Statement* loop);
  bool condition(const Statement& statement, std::size_t begin, std::size_t end, const Uniformity& facts,
                 FissionStep& step, const Statement* loop);
  bool may_part(const Statement& statement, const Uniformity& facts, const Statement* loop) const;
  bool others_are_done(const Statement& statement, const Statement* loop) const;
  bool masks_fit(const Statement& statement, const Uniformity& facts) const;
  bool header_part(std::size_t begin, std::size_t end, const Uniformity& facts);
  bool is_uniform_statement(const Statement& statement, const Uniformity& facts) const;
  bool is_single(const Statement& statement) const;
  bool has_uniform_name(const Statement& statement, const Uniformity& facts) const;
  bool names_own(const Statement& statement, const Uniformity& facts) const;
  bool has_condition(const Statement& loop, const Uniformity& facts) const;
  bool is_uniform_here(std::size_t begin, std::size_t end, const Uniformity& facts) const {
    return in_warps_ ? facts.is_uniform(begin, end) : facts.is_uniform_at_once(begin, end);
  }
  bool returns_in(const FissionStep& step) const;

  // ---- fission_resume.cpp
  void number_barriers(const std::vector<Statement>& list);
  void find_asked_index(const std::vector<Statement>& list);
  bool has_barrier(std::size_t begin, std::size_t end) const;
  void sort_variables(Uniformity& facts);
  void sort_variable(const Uniformity& facts, KernelVariable& variable, bool outermost, bool first);
  bool stays_the_same(const Uniformity& facts, std::size_t begin, std::size_t end) const;
  bool is_same_declaration(const KernelVariable& a, const KernelVariable& b) const;
  void check_names(const Uniformity& facts);

  const Syntax& syntax_;
  const std::size_t parameters_, begin_, end_;
  const KnownNames& names_;
  Fission found_;
  std::set<const Statement*> control_;   ///< statements that run once for all threads of the block or warp
  std::set<const Statement*> barriers_;  ///< statements that contain a barrier of the block
  std::set<const Statement*> warps_;     ///< statements that contain a warp function
  std::map<const Statement*, std::vector<WarpCall>> calls_;  ///< the leaves' calls of warp functions
  std::map<const Statement*, std::size_t> roots_;  ///< outermost statements with a warp function, no barrier
  bool in_warps_ = false;                          ///< steps are being made for one warp
  bool resumes_ = false;                           ///< no steps are made: threads are resumed
  std::set<const Statement*> masked_;              ///< each `if` at which lanes of a warp may diverge
  bool masked_anew_ = false;                       ///< a masked `if` was found in this round
  std::set<const Statement*> cuts_;                ///< a phase ends after each of these
  std::set<const Statement*> interchanged_;        ///< loops that are separate phases: loop_interchange.hpp
  std::set<const Statement*> in_order_;            ///< loops that can't be interchanged
  std::set<std::size_t> unsteady_;                 ///< see Uniformity::set_unsteady
  bool differs_ = false;                 ///< a condition around a barrier isn't uniform, as far as is known
  bool branches_run_once_ = false;       ///< branches that only assign also run once, where needed
  std::set<const Statement*> branches_;  ///< the branches that run once
  std::set<const Statement*> divided_;   ///< branches whose assigned values differ between threads
  bool condition_differs_ = false;       ///< such a condition caused the refusal
  Once once_ = Once::shared;             ///< the memory that may be read once for the block
  std::unordered_set<std::string> groups_;
  NonblockingLambdas lambdas_;
  std::unordered_set<std::string> aliases_;  ///< types that the body names
};

}  // namespace emucc::detail
