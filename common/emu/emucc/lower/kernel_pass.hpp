/// @file
/// The interface between the translator and passes: extras that write kernels in other forms.
///
/// The translator writes a kernel in one of two forms. One is the body for one thread, which a fiber runs.
/// The other is a plain loop over the threads, if they certainly never wait for each other
/// (analyse/plain_loop.hpp). A pass may write the body in another form, as code that runs a whole block. The
/// results and the order of the threads must be the same.
///
/// Each extra with a folder `emucc/` is a pass. A translation creates the passes of the build (passes()). It
/// calls them in the order of the text: for each declaration, before writing it, and for each kernel. The
/// first pass that accepts a kernel writes its body. A pass reads the text through `Syntax`, and writes
/// through `KernelWriter`, which the translator implements. Without passes every kernel has one of the
/// translator's own forms.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "emit/token_writer.hpp"
#include "lower/context.hpp"
#include "lower/translator.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// The translator's services for a pass: the text, facts about it, and functions that write.
class KernelWriter {
 public:
  // ---- the text
  /// Returns the syntax of the whole file. A pass may add tokens at its end, and must then call
  /// note_added_tokens().
  virtual Syntax& syntax() = 0;
  virtual TokenStream& stream() = 0;
  virtual void note_added_tokens() = 0;
  virtual const TranslateOptions& options() const = 0;

  // ---- facts
  /// Returns the device functions known so far that a plain loop may call (analyse/plain_loop.hpp).
  virtual const std::unordered_set<std::string>& plain_functions() const = 0;
  /// Returns the `__shared__` variables of namespaces so far.
  virtual const std::vector<SharedName>& namespace_shared() const = 0;
  /// Returns true if kernels can call the function, and its `volatile` accesses need no separate form.
  virtual bool is_device_function(const Declaration& found) const = 0;
  /// Returns true if the kernel has a parameter `T& x`.
  virtual bool has_references(const Declaration& kernel) const = 0;
  /// Returns true if a variable that is declared in [at, end) has the name of a built-in variable.
  virtual bool hides_built_in(std::size_t at, std::size_t end) const = 0;

  // ---- the output
  virtual TokenWriter& out() = 0;
  /// Writes a user's token unchanged.
  virtual void emit(std::size_t index) = 0;
  /// Writes other text in place of a user's token.
  virtual void replace(std::size_t index, std::string spelling) = 0;
  virtual void text(std::string generated) = 0;
  /// Writes the translation of the user's tokens [at, end).
  virtual void code(std::size_t at, std::size_t end, Context& context) = 0;
  /// Writes the translation of one construct. @return the index after it
  virtual std::size_t code_token(std::size_t at, std::size_t end, Context& context) = 0;
  /// Writes one token of a declarator that becomes a template's argument. @return the index after it
  virtual std::size_t type_token(std::size_t at, std::size_t end, Context& context) = 0;
  /// Returns a name that occurs nowhere else in the file.
  virtual std::string unique(const std::string& stem) = 0;

 protected:
  ~KernelWriter() = default;
};

/// A pass's decision about a kernel: how the pass writes it, or why the pass refuses it.
struct KernelPlan {
  std::string refusal;  ///< the reason why the pass refuses the kernel; empty: the pass writes it
  std::string how;      ///< for `-v`: "runs as …"
  std::string dump;     ///< for `--dump`: the pass's results for the kernel
};

class KernelPass {
 public:
  KernelPass() = default;
  virtual ~KernelPass() = default;
  KernelPass(const KernelPass&) = delete;
  KernelPass& operator=(const KernelPass&) = delete;

  // ---- declarations, before they are written
  /// Called for a variable in a namespace that has no `__device__`, `__constant__` or `__shared__`.
  virtual void note_variable(const Declaration& found) = 0;
  /// Called for a variable in device memory that threads may write.
  virtual void note_device_variable(std::string_view name) = 0;
  /// Called for a function that is declared, and perhaps defined later; not for kernels.
  virtual void note_prototype(const Declaration& found) = 0;
  /// Called for a function that kernels may call.
  virtual void note_function(const Declaration& found, const Context& context) = 0;
  /// Called after that function was written. @return true if the pass wrote another form of it
  virtual bool after_function(const Context& context) = 0;

  // ---- kernels
  /// @param context the context around the body
  /// @param plain the translator can write the kernel as a plain loop
  virtual KernelPlan plan(const Declaration& kernel, const Context& context, bool plain) = 0;
  /// Writes the body of the kernel of the last plan, with `context.pass` set to this pass.
  virtual void write(Context& context) = 0;
  /// Called while the pass writes the user's code at `at`: may write other text instead. @return the index
  /// after the replaced code; npos if the translator writes the code
  virtual std::size_t write_instead(std::size_t at) = 0;

 protected:
  static constexpr std::size_t npos = Syntax::npos;
};

}  // namespace emucc
