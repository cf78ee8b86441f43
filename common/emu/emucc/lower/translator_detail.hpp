/// @file
/// The translator's internals, shared by translate_declarations.cpp, translate_code.cpp and translate_shared.cpp.
#pragma once
#include <unordered_set>

#include "analyse/execution_space.hpp"
#include "analyse/function_objects.hpp"
#include "analyse/implicit_calls.hpp"
#include "emit/token_writer.hpp"
#include "lower/fission.hpp"
#include "lower/inline_calls.hpp"
#include "lower/translator.hpp"
#include "parse/syntax.hpp"
#include "parse/variables.hpp"

namespace emucc::detail {

/// A `__shared__` variable that nested or later code may mention.
struct SharedName {
  std::string name;
  std::string redeclaration;  ///< "auto& s = …;": the same variable again, for a lambda or another function
};

/// The surroundings of the code being translated.
struct Context {
  bool in_function = false;
  bool in_head = false;  ///< the code is before a function's body
  bool kernel = false;   ///< the code is directly in a kernel's body, where threadIdx is a parameter
  bool in_lambda = false;
  bool device = false;  ///< the code is in a __global__, __device__ or __host__ __device__ function
  bool in_class = false;
  std::string scope;     ///< the namespace, "::a::b"
  std::string function;  ///< the name for __func__ and similar names in a kernel
  std::string signature;
  std::unordered_set<std::string> own;  ///< built-in variables' names that the user has redeclared
  const char* instead_of_return =
      nullptr;                     ///< statement that ends a thread of a split kernel while others continue
  const Fission* split = nullptr;  ///< the split kernel that contains the code
  bool masked = false;             ///< only some lanes are active
  bool in_warps = false;           ///< steps are made for one warp
  /// Pointers to volatile memory through which a warp relies on lockstep execution (see lockstep()).
  std::unordered_set<std::string> volatile_pointers;
  bool second_form = false;  ///< the code of a function that has been written before, as one line
  std::vector<std::pair<const WarpCall*, std::string>> calls;  ///< calls whose results are in variables
  std::pair<const void*, std::string> merged;  ///< an argument of a call whose value is in a variable
  std::vector<SharedName> shared;              ///< the variables declared so far in the enclosing functions
  std::unordered_map<std::string, std::string>
      shared_tags;  ///< for a kernel in two forms: the tags of its shared variables
};

/// The array of a variable that a split kernel keeps for each thread.
std::string array_of(std::size_t variable);

class Translator {
 public:
  /// @param on_host see SpaceFindings::names_on_host
  Translator(TokenStream& stream, const TranslateOptions& options, const std::vector<NameOnHost>& on_host)
      : syntax_(stream),
        stream_(stream),
        options_(options),
        marks_(stream.tokens.size() + 1, 0),
        namespaces_(syntax_),
        function_objects_(syntax_, namespaces_),
        implicit_calls_(syntax_) {
    for (const NameOnHost& one : on_host) names_on_host_.emplace(one.begin, one);
  }

  Translation run() {
    Context top;
    note_imports();
    note_device_functions();
    declarations(0, syntax_.size(), top);
    return {out_.write(stream_, options_.keep_columns),
            std::move(errors_),
            {},
            std::move(notes_),
            std::move(dump_),
            split_,
            has_kernels_,
            std::move(ptx_)};
  }

 private:
  // ---- emission
  void emit(std::size_t index) {
    marks_[index] = static_cast<std::uint32_t>(out_.size());
    out_.token(index);
  }
  void replace(std::size_t index, std::string spelling) {
    drop(index);
    out_.replace(index, std::move(spelling));
  }
  void drop(std::size_t index) { marks_[index] = static_cast<std::uint32_t>(out_.size()); }
  void text(std::string generated) { out_.text(std::move(generated)); }

  void error(std::size_t index, std::string message) {
    const Token& token = stream_.tokens[index];
    for (const Diagnostic& known : errors_)  // recorded before: a kernel in two forms is written twice
      if (known.line == token.line && known.column == token.reported_column() && known.message == message)
        return;
    errors_.push_back(
        {stream_.places[token.place].file, token.line, token.reported_column(), std::move(message)});
  }

  /// The facts about the names so far. `constants` may lack some of the names.
  KnownNames known_names(const std::unordered_map<std::string, long long>& constants) const {
    return {plain_functions_, nonblocking_functions_, device_variables_,     warp_functions_,
            constants,        confined_functions_,    reference_parameters_, &function_objects_};
  }

  std::string unique(const std::string& stem) { return "cuemu_" + stem + "_" + std::to_string(++count_); }

  // ---- declarations
  void declarations(std::size_t at, std::size_t end, Context& context);
  std::size_t declaration(std::size_t at, std::size_t end, Context& context);
  void class_definition(const Declaration& found, Context& context);
  void register_tables(const Declaration& found);
  void function(const Declaration& found, const Context& context);
  void kernel_body(const Declaration& found, Context& inside);
  Fission note_function(const Declaration& found, const Context& context, bool device);
  void note_prototype(const Declaration& found);
  void note_facts(const Declaration& found, bool known);
  void check_kernel(const Declaration& found);
  void register_kernel(const Declaration& found);
  std::string kernel_parameters(const Context& inside) const;
  struct ReferenceParameters {
    std::string captures;  ///< the captures of the kernel's lambda, after `=`
    std::string names;     ///< declarations at the lambda's beginning
  };
  ReferenceParameters reference_parameters(const Declaration& found) const;
  bool hides_built_in(std::size_t at, std::size_t end) const;
  void namespace_shared(std::size_t word, std::size_t end, Context& context);
  void device_variable(const Declaration& found, Context& context);
  void limit_constants(const std::string& name);
  void limit_parameters(const Declaration& found);
  void give_to_device(const Declaration& found);
  void limit_shared(const std::string& sizes);
  void refuse_exceptions(const Declaration& found);
  void redeclare_shared(std::size_t begin, std::size_t end, const std::vector<SharedName>& names);

  // ---- functions that are called before they are defined
  void note_device_functions();
  void note_forward_functions();
  bool is_device_function(const Declaration& found) const;

  // ---- kernels that are split at their barriers
  using FissionPass = decltype(&plan_fission);
  Fission plan_kernel(const Declaration& found, const Context& inside, FissionPass planner = &plan_fission);
  Fission plan_inlined(Declaration& found, const Context& inside, Fission plan);
  void note_kernel(const Declaration& found, const std::string& how, const Fission* split = nullptr);
  std::string explained(std::string refusal) const;
  void split_body(const Fission& plan, Context& inside);
  void split_steps(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside);
  void split_control(const Fission& plan, const FissionStep& step, Context& inside);
  void phase(const Fission& plan, const FissionStep& step, Context& inside);
  void begin_backlogs(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside);
  void declare_copies(const Fission& plan, const std::vector<FissionStep>& steps, Context& inside);
  void scope(const Fission& plan, const FissionStep& step, Context& inside);
  void copies(const Fission& plan, const FissionStep& deferred);
  void defer(const Fission& plan, const FissionStep& step, Context& inside);
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
  Fission plan_same_turns(const Declaration& found, const Context& inside, const Fission& resumed,
                          std::string& question);
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
  Fission plan_second_form(const Declaration& found, const Context& context);
  void second_form(const Declaration& found, const Fission& plan, const Context& context);
  void second_form_parameters(const Declaration& found, Context& inside);
  bool is_deduced_elsewhere(const Declaration& found, std::size_t begin, std::size_t end) const;
  std::string result_type(const Declaration& found, std::size_t begin) const;
  void note_constant(const Declaration& found);
  void note_imports();

  // ---- code
  void code(std::size_t at, std::size_t end, Context& context);
  std::size_t code_token(std::size_t at, std::size_t end, Context& context);
  std::size_t word_token(std::size_t at, std::size_t end, Word word, Context& context);
  bool needs_template(std::size_t at, const Context& context) const;
  enum class InClass { initialiser, member, parameter };
  InClass named_in_class(std::size_t at) const;
  std::size_t built_in_variable(std::size_t at, Word word, Context& context);
  std::size_t device_function_name(std::size_t at, const char* replacement);
  std::size_t launch(std::size_t open, Context& context);
  std::size_t lambda(std::size_t at, std::size_t body, Context& context);
  std::size_t local_class(std::size_t at, std::size_t body, Context& context);
  std::size_t shared_statement(std::size_t word, std::size_t end, Context& context);
  void shared_declarator(const VariableDeclaration& found, const Declarator& declarator,
                         const std::string& type_name, Context& context);
  std::size_t type_token(std::size_t at, std::size_t end, Context& context);
  std::string declared_shared(std::size_t begin, std::size_t end);
  std::string in_place_class(const VariableDeclaration& found, Context& context);
  bool guards(const VariableDeclaration& found, std::size_t at, std::size_t end) const;
  std::size_t guarded_array(std::size_t at, std::size_t end, Context& context);
  std::size_t assembly(std::size_t at, Context& context);
  std::size_t pragma(std::size_t at, const Context& context);
  std::size_t template_variable(std::size_t at, Context& context);
  std::size_t name_on_host(const NameOnHost& found);
  std::unordered_set<std::string> volatile_pointers(const Declaration& found) const;
  bool is_watched(const Declaration& found, std::string_view name) const;
  std::size_t lockstep(std::size_t at, std::size_t end, Context& context);
  void steps_of_lanes(const Declaration& found);
  bool steps_of_lanes(const std::vector<Statement>& statements, bool in_block,
                      const std::unordered_set<std::string>& shared);
  bool touches_memory(std::size_t begin, std::size_t end,
                      const std::unordered_set<std::string>& shared) const;
  std::size_t cast_kernel_pointer(std::size_t at) const;
  std::size_t kernel_address(std::size_t at, std::size_t& begin) const;
  bool is_bare_kernel_call(std::size_t at, std::size_t& call_end) const;

  Syntax syntax_;
  TokenStream& stream_;  ///< passes add tokens after the original ones
  const TranslateOptions& options_;
  std::unordered_map<std::size_t, NameOnHost> names_on_host_;  ///< by their first tokens
  std::size_t launch_arguments_ = npos;  ///< the bracket of the launch that is being written
  TokenWriter out_;
  std::vector<std::uint32_t> marks_;  // for each token, the number of output pieces before it
  std::vector<Diagnostic> errors_, notes_;
  std::string dump_;
  bool split_ = false;  ///< a loop over threads or lanes was written
  bool has_kernels_ = false;
  bool tables_registered_ = false;
  std::unordered_set<std::size_t> ptx_;  ///< the `asm` tokens whose PTX was translated
  std::unordered_set<std::string> kernels_, other_functions_;
  std::unordered_set<std::string> variable_templates_;     // of device variables
  std::unordered_set<std::string> plain_functions_;        // see plain_loop.hpp
  std::unordered_set<std::string> nonblocking_functions_;  // see nonblocking.hpp
  std::unordered_set<std::string> device_variables_;
  std::unordered_set<std::string> waiting_functions_;  // names with at least one function that isn't plain
  std::unordered_set<std::string> blocking_functions_;
  std::unordered_map<std::string, std::string> blocking_reasons_;
  std::unordered_set<std::string> confined_functions_;  // see memory_effects.hpp
  std::unordered_set<std::string> touching_functions_;
  std::unordered_set<std::string> warp_functions_;  // they have a second form, for whole warps
  std::unordered_set<std::string>
      formless_functions_;  // at least one function of the name has no second form
  std::unordered_map<std::string, long long> constants_;  // constants of namespaces
  std::unordered_set<std::string> doubtful_constants_;
  std::unordered_map<std::string, std::uint64_t> reference_parameters_;  // see KnownNames
  const Namespaces namespaces_;
  const FunctionObjects function_objects_;
  const ImplicitCalls implicit_calls_;
  DeviceFunctions device_functions_;                    // see inline_calls.hpp
  std::unordered_set<std::string> expected_functions_;  // known before they are defined
  std::unordered_set<const Statement*>
      written_phases_;                               // by their first leaves: phases that the output contains
  std::unordered_set<std::size_t> named_types_;      // variables whose types have a name: name_types()
  std::unordered_set<std::size_t> written_indices_;  // index variables that the output contains
  std::unordered_map<std::size_t, std::string> before_token_,
      after_token_;  ///< the additions of steps_of_lanes(), by token
  std::unordered_map<std::size_t, std::size_t> places_at_;
  std::vector<SharedName> namespace_shared_;
  std::string constant_bytes_;  ///< the sum of the sizes of all __constant__ variables so far, as C++
  int count_ = 0;
};

}  // namespace emucc::detail
