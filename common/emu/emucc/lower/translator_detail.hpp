/// @file
/// The translator's internals, shared by the sources translate_*.cpp.
#pragma once
#include <optional>
#include <unordered_set>

#include "analyse/execution_space.hpp"
#include "analyse/implicit_calls.hpp"
#include "emit/token_writer.hpp"
#include "lower/context.hpp"
#include "lower/kernel_pass.hpp"
#include "lower/translator.hpp"
#include "parse/statements.hpp"
#include "parse/syntax.hpp"
#include "parse/variables.hpp"

namespace emucc::detail {

class Translator final : private KernelWriter {
 public:
  /// @param on_host see SpaceFindings::names_on_host
  Translator(TokenStream& stream, const TranslateOptions& options, const std::vector<NameOnHost>& on_host)
      : syntax_(stream), stream_(stream), options_(options), marks_(stream.tokens.size() + 1, 0) {
    for (const NameOnHost& one : on_host) names_on_host_.emplace(one.begin, one);
  }

  Translation run() {
    Context top;
    if (options_.fission) {
      implicit_calls_.emplace(syntax_);
      note_forward_functions();
      for (const MakePass make : options_.passes != nullptr ? *options_.passes : passes())
        passes_.push_back(make(*this));
    }
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
  // ---- the services for passes
  Syntax& syntax() override { return syntax_; }
  TokenStream& stream() override { return stream_; }
  void note_added_tokens() override { marks_.resize(stream_.tokens.size() + 1, 0); }
  const TranslateOptions& options() const override { return options_; }
  const std::unordered_set<std::string>& plain_functions() const override { return plain_functions_; }
  const std::vector<SharedName>& namespace_shared() const override { return namespace_shared_; }
  bool is_device_function(const Declaration& found) const override;
  bool has_references(const Declaration& kernel) const override {
    return !reference_parameters(kernel).names.empty();
  }
  bool hides_built_in(std::size_t at, std::size_t end) const override;
  TokenWriter& out() override { return out_; }

  // ---- emission
  void emit(std::size_t index) override {
    marks_[index] = static_cast<std::uint32_t>(out_.size());
    out_.token(index);
  }
  void replace(std::size_t index, std::string spelling) override {
    drop(index);
    out_.replace(index, std::move(spelling));
  }
  void drop(std::size_t index) { marks_[index] = static_cast<std::uint32_t>(out_.size()); }
  void text(std::string generated) override { out_.text(std::move(generated)); }

  void error(std::size_t index, std::string message) {
    const Token& token = stream_.tokens[index];
    for (const Diagnostic& known : errors_)  // the error is known: a kernel in two forms is written twice
      if (known.line == token.line && known.column == token.reported_column() && known.message == message)
        return;
    errors_.push_back(
        {stream_.places[token.place].file, token.line, token.reported_column(), std::move(message)});
  }

  std::string unique(const std::string& stem) override {
    return "cuemu_" + stem + "_" + std::to_string(++count_);
  }

  // ---- declarations
  void declarations(std::size_t at, std::size_t end, Context& context);
  std::size_t declaration(std::size_t at, std::size_t end, Context& context);
  void class_definition(const Declaration& found, Context& context);
  void register_tables(const Declaration& found);
  void function(const Declaration& found, const Context& context);
  void kernel_body(const Declaration& found, Context& inside);
  void note_function(const Declaration& found, const Context& context);
  void note_prototype(const Declaration& found);
  bool is_plain(const Declaration& found, bool known) const;
  void note_plain(const std::string& name, bool plain);
  void note_forward_functions();
  KernelPass* plan_kernel(const Declaration& found, const Context& inside, KernelPlan& plan, bool& plain);
  void note_kernel(const Declaration& found, const std::string& how);
  void check_kernel(const Declaration& found);
  void register_kernel(const Declaration& found);
  std::string kernel_parameters(const Context& inside) const;
  struct ReferenceParameters {
    std::string captures;  ///< the captures of the kernel's lambda, after `=`
    std::string names;     ///< declarations at the lambda's beginning
  };
  ReferenceParameters reference_parameters(const Declaration& found) const;
  void namespace_shared(std::size_t word, std::size_t end, Context& context);
  void device_variable(const Declaration& found, Context& context);
  void limit_constants(const std::string& name);
  void limit_parameters(const Declaration& found);
  void give_to_device(const Declaration& found);
  void limit_shared(const std::string& sizes);
  void refuse_exceptions(const Declaration& found);
  void redeclare_shared(std::size_t begin, std::size_t end, const std::vector<SharedName>& names);

  // ---- code
  void code(std::size_t at, std::size_t end, Context& context) override;
  std::size_t code_token(std::size_t at, std::size_t end, Context& context) override;
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
  std::size_t type_token(std::size_t at, std::size_t end, Context& context) override;
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
  std::unordered_set<std::string> variable_templates_;  // templates of device variables
  std::unordered_set<std::string> plain_functions_;     // see plain_loop.hpp
  std::unordered_set<std::string> waiting_functions_;   // names with at least one function that isn't plain
  std::unordered_set<std::string> expected_functions_;  // names of which all functions in the file are plain
  std::unordered_set<std::string> device_variables_;
  std::optional<ImplicitCalls> implicit_calls_;  ///< none if kernels run thread by thread
  std::unordered_map<std::size_t, std::string> before_token_,
      after_token_;  ///< the additions of steps_of_lanes(), by token
  std::unordered_map<std::size_t, std::size_t> places_at_;
  std::vector<SharedName> namespace_shared_;
  std::string constant_bytes_;  ///< the sum of the sizes of all __constant__ variables so far, as C++
  int count_ = 0;
  std::vector<std::unique_ptr<KernelPass>> passes_;  ///< none if kernels run thread by thread
};

}  // namespace emucc::detail
