/// @file
/// CUDA C++ → C++: preprocessed text in, text for the host compiler out.
/// common/emu/README.md has a table of what is emitted.
///
/// The translator knows declarations, launches and lambdas by their shape (syntax.hpp), not their meaning: it
/// looks up no types. What it can't be sure of it passes on, so that the host compiler judges it.
#pragma once
#include <unordered_set>

#include "analyse/findings.hpp"
#include "lex/align.hpp"
#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"

namespace emucc {

enum class HostKind { gcc, clang };

struct TranslateOptions {
  HostKind host = HostKind::gcc;
  bool keep_columns = true;  ///< see TokenWriter::write
  bool fission = true;       ///< split kernels at their barriers where that is right; see fission.hpp
  bool lockstep = false;     ///< the lanes of a warp run statement by statement; without fission
  bool check = false;        ///< guard local arrays; see local_arrays.hpp
  bool hidden_code = true;   ///< see hidden_code.hpp
  bool unroll = true;        ///< `#pragma unroll` holds
  /// Where it is relocatable, device variables have external linkage, else each file its own.
  LanguageOptions language;
  std::string
      dump;  ///< "tree", "fission" or "inline": what Translation::dump is to hold; see option_table.cpp
  /// Parameters of the lambda around a kernel's body: what CUEMU_KERNEL_PARAMS stands for.
  std::string kernel_parameters = "CUEMU_KERNEL_PARAMS";
  LexOptions lex;
  FileLoader load = load_file;
  /// The same file preprocessed as the host sees it, without `__CUDA_ARCH__`. Called only where a user's file
  /// asks for that macro; nothing where it can't be made.
  std::function<std::optional<std::string>()> host_side;
};

struct Translation {
  std::string text;
  std::vector<Diagnostic> errors;  ///< when there are any, `text` is not worth compiling
  std::vector<Diagnostic> warnings;
  std::vector<Diagnostic> notes;        ///< how the threads of each kernel will run
  std::string dump;                     ///< what was asked for
  bool split = false;                   ///< loops over threads or lanes were made of some kernel or function
  bool has_kernels = false;             ///< defines one, which may be a template
  std::unordered_set<std::size_t> ptx;  ///< tokens: each asm whose PTX was translated
};

Translation translate(std::string_view preprocessed, const TranslateOptions& options);

}  // namespace emucc
