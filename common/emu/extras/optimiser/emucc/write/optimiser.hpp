/// @file
/// The optimiser: a pass that writes kernels, and functions that whole warps call, as loops over threads or
/// lanes. optimiser.cpp decides, with the planners of split/ and inline/. write_steps.cpp writes kernels that
/// are split at their barriers, write_resumed.cpp kernels whose threads are resumed, and write_warps.cpp the
/// code of whole warps.
#pragma once
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lower/kernel_pass.hpp"
#include "split/fission.hpp"
#include "write/function_facts.hpp"

namespace emucc::detail {

/// Returns the name of the array in which a split kernel keeps a variable for each thread.
std::string array_of(std::size_t variable);

class Optimiser final : public KernelPass {
 public:
  explicit Optimiser(KernelWriter& core)
      : core_(core),
        syntax_(core.syntax()),
        stream_(core.stream()),
        options_(core.options()),
        out_(core.out()),
        facts_(core) {}

  void note_variable(const Declaration& found) override { facts_.note_variable(found); }
  void note_device_variable(std::string_view name) override { facts_.note_device_variable(name); }
  void note_prototype(const Declaration& found) override { facts_.note_prototype(found); }
  void note_function(const Declaration& found, const Context& context) override;
  bool after_function(const Context& context) override;
  KernelPlan plan(const Declaration& kernel, const Context& context, bool plain) override;
  void write(Context& context) override;
  std::size_t write_instead(std::size_t at) override;

 private:
  // ---- plans
  using Planner = decltype(&plan_fission);
  Fission plan_kernel(const Declaration& found, const Context& inside, Planner planner);
  Fission plan_inlined(Declaration& found, const Context& inside, Fission plan);
  Fission plan_same_turns(const Declaration& found, const Context& inside, const Fission& resumed);
  Fission plan_second_form(const Declaration& found, const Context& context);

  // ---- kernels that are split at their barriers
  std::string due() const;
  void split_body(const Fission& plan, Context& inside);
  void split_steps(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside);
  void split_control(const Fission& plan, const FissionStep& step, Context& inside);
  void phase(const Fission& plan, const FissionStep& step, Context& inside);
  void begin_backlogs(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside);
  void declare_copies(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside);
  void scope(const Fission& plan, const FissionStep& step, Context& inside);
  void copies(const Fission& plan, const FissionStep& deferred);
  void defer(const Fission& plan, const FissionStep& step);
  void run(const Fission& plan, const std::set<std::size_t>& backlogs, const FissionStep* last,
           Context& inside);
  void settle(const Fission& plan, const FissionStep& step, Context& inside);
  void loop(const Fission& plan, const Backlog& phases, Context& inside);
  std::string values_of_loop(const Fission& plan, const Backlog& phases) const;
  void interchanged(const Fission& plan, const FissionStep& step, Context& inside);
  void thread_of(const Fission& plan, const FissionStep& phase, Context& inside);
  void leaf(const Fission& plan, const Statement& leaf, Context& inside);
  void phase_guard(const Fission& plan, const FissionStep& step, Context& inside);
  void needs(const Fission& plan, const std::vector<std::size_t>& all, std::size_t place, Context& inside);
  void phase_declaration(const Fission& plan, const Statement& leaf, Context& inside);
  void uniform_declaration(const Fission& plan, const Statement& statement, Context& inside);
  void declarator(const Statement& statement, const LocalName& name, Context& inside);
  bool is_block_only(std::size_t at, const Fission& plan) const;
  void parameter_for_threads(const Fission& plan, std::size_t variable);
  void array_for_threads(const Fission& plan, std::size_t variable, Context& inside);
  void begin_plan();
  void declarator_as(const std::string& spelled, std::size_t variable, const LocalName& name,
                     const Fission& plan, Context& inside);
  static bool is_kept_behind(const KernelVariable& variable);
  void name_types(const Fission& plan, const FissionStep& step, Context& inside);
  static std::string named_type(std::size_t variable) { return "cuemu_type_" + std::to_string(variable); }
  void arrays_of(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside);
  std::string type_of(const KernelVariable& variable, Context& inside, bool keep_const = false);

  // ---- kernels whose threads are resumed at their barriers
  void either_body(const Fission& split, const std::string& question, const Fission& resumed,
                   Context& inside);
  void resume_body(const Fission& plan, Context& inside);
  void resumed_outside(const Fission& plan, Context& inside);
  void resumed(const Fission& plan, const Statement& statement, Context& inside);
  void resumed_declaration(const Fission& plan, const Statement& statement, Context& inside);
  void begin_kept(const Fission& plan, const LocalName& name, Context& inside);

  // ---- warps of such kernels
  void warps(const Fission& plan, const FissionStep& step, Context& inside);
  void warp_call(const Fission& plan, const WarpCall& call, Context& inside);
  void warp_argument(const Fission& plan, const WarpCall::Argument& argument, const Backlog& before,
                     Context& inside);
  void of_warp(const Fission& plan, std::size_t begin, std::size_t end,
               const std::vector<std::size_t>& needed, Context& inside);
  void masked_control(const Fission& plan, const FissionStep& step, Context& inside);
  void control_header(const Fission& plan, const FissionStep& step, Context& inside);
  void warp_declarator(const Fission& plan, const LocalName& name, Context& inside);
  void second_form(const Declaration& found, const Fission& plan, const Context& context);
  void second_form_parameters(const Declaration& found, Context& inside);
  bool is_deduced_elsewhere(const Declaration& found, std::size_t begin, std::size_t end) const;
  std::string result_type(const Declaration& found, std::size_t begin) const;

  // ---- what the translator does
  void emit(std::size_t index) { core_.emit(index); }
  void replace(std::size_t index, std::string spelling) { core_.replace(index, std::move(spelling)); }
  void text(std::string generated) { core_.text(std::move(generated)); }
  void code(std::size_t at, std::size_t end, Context& context) { core_.code(at, end, context); }
  std::size_t code_token(std::size_t at, std::size_t end, Context& context) {
    return core_.code_token(at, end, context);
  }
  std::size_t type_token(std::size_t at, std::size_t end, Context& context) {
    return core_.type_token(at, end, context);
  }

  KernelWriter& core_;
  Syntax& syntax_;
  TokenStream& stream_;
  const TranslateOptions& options_;
  TokenWriter& out_;
  FunctionFacts facts_;

  // ---- the last plans
  Fission split_, same_;  ///< for a kernel; `same_`: if all threads run equally many iterations
  std::string question_;  ///< a C++ expression: do the block's threads run equally many iterations?
  std::string inlined_dump_;
  /// The functions that are being written, with their second forms. There are several if a local class has
  /// member functions.
  std::vector<std::pair<Declaration, Fission>> functions_;

  // ---- what is being written
  const Fission* written_ = nullptr;                            ///< the kernel's plan
  bool masked_ = false;                                         ///< only some lanes are active
  bool in_warps_ = false;                                       ///< steps are made for one warp
  std::vector<std::pair<const WarpCall*, std::string>> calls_;  ///< calls whose results are in variables
  std::pair<const void*, std::string> merged_;  ///< an argument, and the variable that holds its value
  std::unordered_set<const Statement*>
      written_phases_;                           ///< phases that the output contains, by their first leaves
  std::unordered_set<std::size_t> named_types_;  ///< variables whose types have a name, by name_types()
  std::unordered_set<std::size_t> written_indices_;  ///< index variables that the output contains
};

}  // namespace emucc::detail
