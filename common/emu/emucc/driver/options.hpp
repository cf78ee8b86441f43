/// @file
/// nvcc's command line, read into what has to be done.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace emucc {

/// What a user must change on the command line or in the files that it names; one sentence.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Action {
  link,          ///< compile what is source, then link a program
  shared,        ///< -shared: a shared library
  library,       ///< -lib: a static library
  compile,       ///< -c, -dc: objects
  device_link,   ///< -dlink: an object of no content, since device code needs no linking here
  preprocess,    ///< -E
  dependencies,  ///< -M, -MM
  headers,       ///< --make-headers: the precompiled headers, where they are worth it, and nothing else
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
  std::string output_folder;              ///< -odir: of objects that have no name of their own
  std::vector<std::string> preprocessor;  ///< -I, -D, -U, -isystem, -include
  std::vector<std::string> compiler;      ///< -O, -g, -W…, -Xcompiler
  std::vector<std::string> linker;        ///< -L, -Wl,…; not libraries
  std::vector<std::string> libraries;     ///< -l…, in order
  std::vector<std::string> dependencies;  ///< -MD, -MMD, -MF file, -MP
  std::string dependency_file, dependency_target;
  std::vector<std::string> system_folders;  ///< of -isystem
  std::string standard = "c++17";
  std::string optimisation;                ///< behind -O; empty: not given
  std::string host_compiler;               ///< -ccbin
  bool forward_unknown = false;            ///< options that nvcc does not know are the host compiler's
  int architecture = 900;                  ///< __CUDA_ARCH__
  bool fission = true;                     ///< split kernels at their barriers; see fission.hpp
  bool hidden_code = true;                 ///< may code hide from the checker and the counters?
  bool lockstep = false;                   ///< the lanes of a warp run statement by statement
  std::string dump;                        ///< --dump: the pass whose result is printed
  bool check = false;                      ///< --check: link the checker
  bool record = false;                     ///< --record: a checked program that leaves a page of its kernels
  bool counters = false;                   ///< --counters: link the performance counters
  std::string check_words;                 ///< settings of the checker, as CUEMU_CHECK has them
  int error_exitcode = 0;                  ///< of a checked program with findings; 0: its own
  bool relocatable = false;                ///< -rdc=true, -dc
  bool extended_lambda = false;            ///< lambdas may be marked __device__
  bool relaxed_constexpr = false;          ///< device code may call constexpr functions of the host
  bool run = false;                        ///< -run: become the program that was linked
  std::vector<std::string> run_arguments;  ///< its arguments
  bool shared_headers_now = false;         ///< --make-headers=shared
  bool verbose = false, dry_run = false, keep = false, debug = false;
  int threads = 0;                 ///< -t; 0: as many as there are cores
  std::vector<std::string> notes;  ///< for -v: what was accepted and has no meaning here
};

/// @param arguments without the program's name; response files (@file, --options-file) are read, and
///   NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS stand before and behind them
/// @throws UsageError
Options read_options(const std::vector<std::string>& arguments);

/// The text of --help.
std::string help_text();

}  // namespace emucc
