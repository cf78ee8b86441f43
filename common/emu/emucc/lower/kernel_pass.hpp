/// @file
/// The interface between the translator and passes: extras that write kernels in other forms.
///
/// The translator writes a kernel's body for one thread, which a fiber runs, or, if the threads surely never wait for
/// each other, as the body of a plain loop (analyse/plain_loop.hpp). A pass may write the body in another form, as
/// code that runs a whole block. The results and the order of the threads must be the same.
///
/// Each extra with a folder `emucc/` is a pass. A translation makes the passes of the build (passes()), and calls them
/// in the order of the text: for each declaration, before it is written, and for each kernel. The first pass that
/// accepts a kernel writes its body. A pass knows the text through `Syntax`, and writes through `KernelWriter`, which
/// the translator implements. Without passes every kernel has one of the translator's own forms.
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

/// What the translator offers to a pass: the text, facts about it, and functions that write.
class KernelWriter {
 public:
  // ---- the text
  /// The syntax of the whole file, to whose end a pass may add tokens. It calls note_added_tokens() afterwards.
  virtual Syntax& syntax() = 0;
  virtual TokenStream& stream() = 0;
  virtual void note_added_tokens() = 0;
  virtual const TranslateOptions& options() const = 0;

  // ---- facts
  /// The device functions that a plain loop may call (analyse/plain_loop.hpp), as far as they are known here.
  virtual const std::unordered_set<std::string>& plain_functions() const = 0;
  /// The `__shared__` variables of namespaces so far.
  virtual const std::vector<SharedName>& namespace_shared() const = 0;
  /// True if kernels can call the function, and its `volatile` accesses need no form of their own.
  virtual bool is_device_function(const Declaration& found) const = 0;
  /// True if the kernel has a parameter `T& x`.
  virtual bool has_references(const Declaration& kernel) const = 0;
  /// True if a variable that is declared in [at, end) has the name of a built-in variable.
  virtual bool hides_built_in(std::size_t at, std::size_t end) const = 0;

  // ---- the output
  virtual TokenWriter& out() = 0;
  /// Writes a user's token as it is.
  virtual void emit(std::size_t index) = 0;
  /// Writes other text in the place of a user's token.
  virtual void replace(std::size_t index, std::string spelling) = 0;
  virtual void text(std::string generated) = 0;
  /// Writes the translation of the user's tokens [at, end).
  virtual void code(std::size_t at, std::size_t end, Context& context) = 0;
  /// Writes the translation of one construct. @return the index after it
  virtual std::size_t code_token(std::size_t at, std::size_t end, Context& context) = 0;
  /// Writes one token of a declarator that becomes a template's argument. @return the index after it
  virtual std::size_t type_token(std::size_t at, std::size_t end, Context& context) = 0;
  /// A name that nothing else in the file has.
  virtual std::string unique(const std::string& stem) = 0;

 protected:
  ~KernelWriter() = default;
};

/// How a pass writes a kernel, or why it does not.
struct KernelPlan {
  std::string refusal;  ///< why the pass leaves the kernel to others; empty: the pass writes it
  std::string how;      ///< for `-v`: "runs as …"
  std::string dump;     ///< for `--dump`: what the pass made of the kernel
};

class KernelPass {
 public:
  KernelPass() = default;
  virtual ~KernelPass() = default;
  KernelPass(const KernelPass&) = delete;
  KernelPass& operator=(const KernelPass&) = delete;

  // ---- declarations, before they are written
  /// A variable in a namespace, without a word for its memory.
  virtual void note_variable(const Declaration& found) = 0;
  /// A variable in memory of the device that threads may write.
  virtual void note_device_variable(std::string_view name) = 0;
  /// A function that is declared, and perhaps defined later; no kernel.
  virtual void note_prototype(const Declaration& found) = 0;
  /// A function that kernels may call.
  virtual void note_function(const Declaration& found, const Context& context) = 0;
  /// Called after that function was written. @return true if the pass wrote another form of it
  virtual bool after_function(const Context& context) = 0;

  // ---- kernels
  /// @param context the surroundings of the body
  /// @param plain the translator can write the kernel as a plain loop
  virtual KernelPlan plan(const Declaration& kernel, const Context& context, bool plain) = 0;
  /// Writes the body of the kernel of the last plan, with `context.pass` set to this pass.
  virtual void write(Context& context) = 0;
  /// While the pass writes: may write other text in the place of the user's code at `at`. @return the index after
  /// that code; npos if the translator writes it
  virtual std::size_t write_instead(std::size_t at) = 0;

 protected:
  static constexpr std::size_t npos = Syntax::npos;
};

}  // namespace emucc
