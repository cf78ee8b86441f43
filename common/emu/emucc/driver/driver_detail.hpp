/// @file
/// Internals of the driver. driver.cpp has the actions of the command line, driver_commands.cpp the command
/// lines of the host compiler, and driver_compile.cpp the compilation of one source file.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/cache.hpp"
#include "driver/check_flags.hpp"
#include "driver/driver.hpp"
#include "driver/process.hpp"
#include "driver/toolchain.hpp"
#include "driver/words.hpp"
#include "lower/translator.hpp"

namespace emucc {

/// The default name of an input's object: x.cu → x.o in the current folder.
std::string default_object(const Input& input);

/// The header that comes first in precompiled headers for CUDA sources. No other compilation includes it.
constexpr const char* only_precompiled = "cuemu/without_special_functions.h";

/// The result of compiling one input.
struct Outcome {
  bool ok = false;
  std::string messages;
};

class Driver {
 public:
  explicit Driver(const Options& options) : options_(options), tools_(find_toolchain(options)) {
    const char* no_color = std::getenv("NO_COLOR");
    color_ = isatty(2) != 0 && (no_color == nullptr || *no_color == 0);
    drop_cuda_toolkit();
    prepare_check(options_, tools_.kind);
  }

  int run();

 private:
  // the actions of the command line
  int preprocess();
  int compile_only();
  int link();
  bool gold_may_link(const std::string& output) const;
  int start();
  std::string linked_file() const;
  int archive(const std::vector<std::string>& objects, const std::string& output);

  // one file
  Outcome compile(const Input& input, const std::string& object);
  std::string hidden_code_in(const Input& input);
  Outcome compile_cuda(const Input& input, const std::string& object);
  CommandResult preprocess_cuda(const Input& input, const std::optional<PrecompiledHeader>& header,
                                const std::vector<std::string>& side);
  Translation translate_cuda(const Input& input, const std::string& preprocessed,
                             std::function<std::optional<std::string>()> host_side, bool fission);
  Outcome compile_translated(const Input& input, const std::string& object, const Translation& translation,
                             const std::string& messages);
  bool compile_all(const std::vector<std::pair<Input, std::string>>& jobs);

  // command lines
  std::vector<std::string> language_flags(const Input& input, bool runs_on_device = true) const;
  std::vector<std::string> preprocess_command(const Input& input) const;
  std::vector<std::string> dependency_flags(const Input& input, const std::string& object) const;
  std::vector<std::string> without_hook_calls(const std::vector<std::string>& objects,
                                              const std::string& folder) const;
  Command link_command(const std::vector<std::string>& objects, const std::vector<std::string>& libraries,
                       const std::string& settings, const std::string& output) const;
  std::vector<std::string> compile_command(const Input& input, const std::string& object,
                                           bool runs_on_device) const;
  /// The headers that all sources in the input's language share, and the flags that affect headers.
  PrecompileRequest shared_headers(const Input& input) const;
  std::optional<PrecompiledHeader> precompiled(const Input& input) const;
  /// Makes the precompiled headers. Prints "made" if all of them exist afterwards.
  int make_headers();
  bool may_precompile(const std::string& header) const;
  void drop_cuda_toolkit();
  void library_flags(std::vector<std::string>& command) const;
  std::string toolkit_libraries() const { return "-L" + tools_.toolkit + "/lib64"; }
  std::vector<std::string> toolkit_settings() const;

  CommandResult execute(const Command& command);
  int finish(const CommandResult& result, const char* what) const;
  std::string describe(const Diagnostic& error, const char* kind) const;
  /// -w
  bool silent() const {
    return std::find(options_.compiler.begin(), options_.compiler.end(), "-w") != options_.compiler.end();
  }
  void say(const std::string& line) {
    const std::lock_guard guard(output_);
    std::fputs((line + "\n").c_str(), stderr);
  }

  Options options_;
  Toolchain tools_;
  bool color_ = false;
  std::mutex output_;
};

}  // namespace emucc
