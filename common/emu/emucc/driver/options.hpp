/// @file
/// Reads nvcc's command line.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace emucc {

/// An error that the user must correct on the command line or in a file. The message is one sentence.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Action {
  link,          ///< compile the sources, then link a program
  shared,        ///< -shared: a shared library
  library,       ///< -lib: a static library
  compile,       ///< -c, -dc: objects
  device_link,   ///< -dlink: an empty object, since device code needs no linking here
  preprocess,    ///< -E
  dependencies,  ///< -M, -MM
  headers,       ///< --make-headers: only the precompiled headers, where they are worth it
  version,
  architectures,  ///< --list-gpu-arch, --list-gpu-code
  help,
};

enum class Language { cuda, cxx, c, object, unknown };

struct Input {
  std::string path;
  Language language = Language::object;
};

struct Options {
  Action action = Action::link;
  std::vector<Input> inputs;
  std::string output;                     ///< empty: nvcc's default name
  std::string output_folder;              ///< -odir: for objects without an explicit name
  std::vector<std::string> preprocessor;  ///< -I, -D, -U, -isystem, -include
  std::vector<std::string> compiler;      ///< -O, -g, -W…, -Xcompiler
  std::vector<std::string> linker;        ///< -L, -Wl,…; not libraries
  std::vector<std::string> libraries;     ///< -l…, in order
  std::vector<std::string> dependencies;  ///< -MD, -MMD, -MF file, -MP
  std::string dependency_file, dependency_target;
  std::vector<std::string> system_folders;  ///< of -isystem
  std::string standard = "c++17";
  std::string optimisation;        ///< after -O; empty: not given
  std::string host_compiler;       ///< -ccbin
  bool forward_unknown = false;    ///< options unknown to nvcc are passed to the host compiler
  int architecture = 900;          ///< __CUDA_ARCH__
  bool fission = true;             ///< false: every kernel runs thread by thread
  bool hidden_code = true;         ///< code may be hidden from the checker and the counters
  bool lockstep = false;           ///< the lanes of a warp run statement by statement
  std::string dump;                ///< --dump: the pass whose result is printed
  bool check = false;              ///< --check: link the checker
  bool record = false;             ///< --record: a checked program that writes a page about its kernels
  bool counters = false;           ///< --counters: link the performance counters
  bool watchable = false;          ///< --watchable: code for all tools, and no tool linked
  std::string check_words;         ///< settings of the checker, in the words of CUEMU_CHECK
  int error_exitcode = 0;          ///< of a checked program with findings; 0: the program's status
  bool relocatable = false;        ///< -rdc=true, -dc
  bool extended_lambda = false;    ///< lambdas may be marked __device__
  bool relaxed_constexpr = false;  ///< device code may call constexpr host functions
  bool run = false;                ///< -run: run the linked program
  std::vector<std::string> run_arguments;  ///< its arguments
  bool shared_headers_now = false;         ///< --make-headers=shared
  bool verbose = false, dry_run = false, keep = false, debug = false;
  int threads = 0;                 ///< -t; 0: the number of cores
  std::vector<std::string> notes;  ///< for -v: accepted options without effect here
};

/// Reads the command line. Also reads response files (`@file`, --options-file), and adds NVCC_PREPEND_FLAGS
/// before and NVCC_APPEND_FLAGS after the arguments.
/// @param arguments the arguments without the program's name
/// @throws UsageError
Options read_options(const std::vector<std::string>& arguments);

/// The text of --help.
std::string help_text();

}  // namespace emucc
