/// @file
/// Translates preprocessed CUDA C++ to C++ for the host compiler. common/emu/README.md has a table of the output.
///
/// The translator recognises declarations, launches and lambdas by their structure (syntax.hpp), not by their
/// meaning, since it does not resolve types. If it is unsure of some code, it copies the code, and the host
/// compiler judges it.
#pragma once
#include <memory>
#include <unordered_set>
#include <vector>

#include "analyse/findings.hpp"
#include "lex/align.hpp"
#include "lex/diagnostic.hpp"
#include "lex/lexer.hpp"

namespace emucc {

enum class HostKind { gcc, clang };

class KernelPass;
class KernelWriter;
/// Creates a pass, which may write kernels in other forms: see kernel_pass.hpp.
using MakePass = std::unique_ptr<KernelPass> (*)(KernelWriter& writer);
/// Returns the passes of this build. An extra NAME with a folder `emucc/` defines `make_NAME()`.
const std::vector<MakePass>& passes();

struct TranslateOptions {
  HostKind host = HostKind::gcc;
  bool keep_columns = true;  ///< see TokenWriter::write
  bool fission = true;       ///< false: every kernel runs thread by thread
  bool lockstep = false;     ///< the lanes of a warp run statement by statement; excludes fission
  const std::vector<MakePass>* passes = nullptr;  ///< null: the passes of the build
  bool check = false;                             ///< guard local arrays; see local_arrays.hpp
  bool hidden_code = true;                        ///< false: refuse hidden code; see hidden_code.hpp
  bool unroll = true;                             ///< keep `#pragma unroll`
  /// With relocatable device code, device variables have external linkage; otherwise each file has its own variables.
  LanguageOptions language;
  std::string
      dump;  ///< "tree", "fission" or "inline": the contents of Translation::dump; see option_table.cpp
  /// The parameters of the lambda around a kernel's body: the expansion of CUEMU_KERNEL_PARAMS.
  std::string kernel_parameters = "CUEMU_KERNEL_PARAMS";
  LexOptions lex;
  FileLoader load = load_file;
  /// Returns the same file, preprocessed for the host without `__CUDA_ARCH__`; empty if preprocessing fails.
  /// Called only if a user's file contains that macro.
  std::function<std::optional<std::string>()> host_side;
};

struct Translation {
  std::string text;
  std::vector<Diagnostic> errors;  ///< after an error, `text` may be incomplete
  std::vector<Diagnostic> warnings;
  std::vector<Diagnostic> notes;        ///< how the threads of each kernel will run
  std::string dump;                     ///< the requested dump
  bool split = false;                   ///< some kernel or function became loops over threads or lanes
  bool has_kernels = false;             ///< the file defines a kernel, which may be a template
  std::unordered_set<std::size_t> ptx;  ///< the `asm` tokens whose PTX was translated
};

Translation translate(std::string_view preprocessed, const TranslateOptions& options);

}  // namespace emucc
