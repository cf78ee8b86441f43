#include "driver/option_table.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "driver/words.hpp"

namespace emucc {

namespace {

/// Adds flags for the host compiler. Flags that also affect the linker are passed to it, too.
void host_flags(Options& options, const std::string& value) {
  for (const auto& flag : flags_of(value)) {
    const bool define = flag.rfind("-D", 0) == 0 || flag.rfind("-U", 0) == 0 || flag.rfind("-I", 0) == 0;
    (define ? options.preprocessor : options.compiler).push_back(flag);
    if (flag.rfind("-O", 0) == 0) options.optimisation = flag.substr(2);
    const bool links = flag.rfind("-f", 0) == 0 || flag.rfind("-m", 0) == 0 || flag == "-pthread" ||
                       flag == "-pg" || flag == "-static" || flag.rfind("-Wl,", 0) == 0;
    if (links) options.linker.push_back(flag);
  }
}

/// Reads the number after the first underscore of "sm_90", "compute_75", "sm_90a" or "arch=compute_80,code=sm_80".
/// "native" is accepted without a number.
void architecture(Options& options, const std::string& value) {
  const std::size_t at = value.find('_');
  const bool of_this_machine = value == "native" || value == "all" || value == "all-major";
  if (at == value.npos && of_this_machine) return;
  if (at == value.npos || at + 1 == value.size() || !std::isdigit(static_cast<unsigned char>(value[at + 1])))
    throw UsageError("'" + value + "' is not a GPU architecture: write one like sm_90, or native");
  const int number = std::atoi(value.c_str() + at + 1);
  if (number >= 10 && number < 1000) options.architecture = number * 10;
}

void standard(Options& options, const std::string& value) {
  static const std::vector<std::string> old = {"c++03", "c++0x",   "c++11",   "c++1y",
                                               "c++14", "gnu++03", "gnu++11", "gnu++14"};
  static const std::vector<std::string> known = {"c++17",   "c++20", "c++23", "gnu++17", "gnu++20",
                                                 "gnu++23", "c++1z", "c++2a", "c++2b"};
  if (std::find(old.begin(), old.end(), value) != old.end()) {
    options.notes.push_back("-std=" + value + " is raised to c++17, which the translation needs");
    options.standard = "c++17";
  } else if (std::find(known.begin(), known.end(), value) != known.end()) {
    options.standard = value;
  } else {
    throw UsageError("the standard '" + value + "' is not known: write -std=c++17 or -std=c++20");
  }
}

/// Adds settings of the checker, which are linked into the program, in the words of CUEMU_CHECK.
void check(Options& options, const std::string& words) {
  static const std::vector<std::string> known = {"races", "memory", "barriers", "api",
                                                 "leaks", "all",    "strict"};
  for (const std::string& word : split(words, ","))
    if (word.find('=') == word.npos && std::find(known.begin(), known.end(), word) == known.end())
      throw UsageError("--check=" + word +
                       " is not known: it takes races, memory, barriers, api, leaks, all, strict "
                       "and the settings of CUEMU_CHECK");
  options.check = true;
  if (!words.empty()) options.check_words = words;
}

void make_headers(Options& options, const std::string& which) {
  if (!which.empty() && which != "shared")
    throw UsageError("--make-headers=" + which + " is not known: it takes shared, or nothing");
  options.action = Action::headers;
  options.shared_headers_now = which == "shared";
}

void device_binary(Options&, const std::string&) {
  throw UsageError(
      "the emulation makes no PTX, cubin or fatbin, since it compiles for this machine's CPU: leave the "
      "option out, or use nvcc for it");
}

std::function<void(Options&, const std::string&)> act(Action action) {
  return [action](Options& options, const std::string&) { options.action = action; };
}

std::function<void(Options&, const std::string&)> list_architectures(const char* prefix) {
  return [prefix](Options& options, const std::string&) {
    options.action = Action::architectures;
    options.output = prefix;
  };
}

}  // namespace

const std::vector<Option>& option_table() {
  using O = Options;
  using S = const std::string&;
  static const std::vector<Option> table = {
      // actions
      {{"-c", "--compile", "-compile"},
       Argument::none,
       act(Action::compile),
       "compile each input to an object file"},
      {{"-dc", "--device-c"},
       Argument::none,
       [](O& o, S) {
         o.action = Action::compile;
         o.relocatable = true;
       },
       "-c -rdc=true"},
      {{"-dw", "--device-w"}, Argument::none, act(Action::compile)},
      {{"-dlink", "--device-link"},
       Argument::none,
       act(Action::device_link),
       "an object file without content: device code needs no linking of its own"},
      {{"-link", "--link"}, Argument::none, act(Action::link)},
      {{"-lib", "--lib"}, Argument::none, act(Action::library), "put the objects into a static library"},
      {{"-shared", "--shared"}, Argument::none, act(Action::shared), "link a shared library"},
      {{"-run", "--run"}, Argument::none, [](O& o, S) { o.run = true; }, "run the program that was linked"},
      {{"-run-args", "--run-args"},
       Argument::needed,
       [](O& o, S v) { append(o.run_arguments, flags_of(v)); },
       "its arguments, with commas between them"},
      {{"-E", "--preprocess"}, Argument::none, act(Action::preprocess), "preprocess only"},
      {{"--make-headers"},
       Argument::optional,
       make_headers,
       "make the precompiled headers that these sources ask for, if they did often enough, and nothing else; "
       "say \"made\" when all are there; --make-headers=shared: those that all CUDA sources share, at once"},
      {{"-M", "--generate-dependencies"},
       Argument::none,
       [](O& o, S) {
         o.action = Action::dependencies;
         o.dependencies.push_back("-M");
       }},
      {{"-MM", "--generate-nonsystem-dependencies"},
       Argument::none,
       [](O& o, S) {
         o.action = Action::dependencies;
         o.dependencies.push_back("-MM");
       }},
      {{"-MD", "--generate-dependencies-with-compile"},
       Argument::none,
       [](O& o, S) { o.dependencies.push_back("-MD"); },
       "write a .d file while compiling; also -MMD -MF -MT -MP -M -MM"},
      {{"-MMD", "--generate-nonsystem-dependencies-with-compile"},
       Argument::none,
       [](O& o, S) { o.dependencies.push_back("-MMD"); }},
      {{"-MF", "--dependency-output"}, Argument::needed, [](O& o, S v) { o.dependency_file = v; }},
      {{"-MT", "-MQ", "--dependency-target-name"},
       Argument::needed,
       [](O& o, S v) { o.dependency_target = v; }},
      {{"-MP", "--generate-dependency-targets"},
       Argument::none,
       [](O& o, S) { o.dependencies.push_back("-MP"); }},
      {{"-V", "--version", "-version"}, Argument::none, act(Action::version), "print the version"},
      {{"-arch-ls", "--list-gpu-arch"}, Argument::none, list_architectures("compute_")},
      {{"-code-ls", "--list-gpu-code"}, Argument::none, list_architectures("sm_")},
      {{"-h", "--help", "-help"}, Argument::none, act(Action::help), "print this text"},
      {{"-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin", "-optix-ir", "--optix-ir", "-ltoir",
        "--ltoir"},
       Argument::none,
       device_binary},
      // files
      {{"-o", "--output-file"}, Argument::needed, [](O& o, S v) { o.output = v; }, "name of the output"},
      {{"-odir", "--output-directory"},
       Argument::needed,
       [](O& o, S v) { o.output_folder = v; },
       "folder of the objects that -c makes"},
      {{"-x", "--x"}, Argument::joined, {}, "language of the inputs that follow: cu, c++, c"},
      {{"-I", "--include-path"},
       Argument::joined,
       [](O& o, S v) {
         for (auto& d : split(v, ",")) o.preprocessor.push_back("-I" + d);
       },
       "folder of headers"},
      {{"-isystem", "--system-include"},
       Argument::needed,
       [](O& o, S v) {
         for (auto& d : split(v, ",")) {
           append(o.preprocessor, {"-isystem", d});
           o.system_folders.push_back(d);
         }
       }},
      {{"-include", "--pre-include"},
       Argument::needed,
       [](O& o, S v) {
         for (auto& f : split(v, ",")) append(o.preprocessor, {"-include", f});
       }},
      {{"-D", "--define-macro"},
       Argument::joined,
       [](O& o, S v) { o.preprocessor.push_back("-D" + v); },
       "macro"},
      {{"-U", "--undefine-macro"}, Argument::joined, [](O& o, S v) { o.preprocessor.push_back("-U" + v); }},
      {{"-L", "--library-path"},
       Argument::joined,
       [](O& o, S v) {
         for (auto& d : split(v, ",")) o.linker.push_back("-L" + d);
       },
       "folder of libraries"},
      {{"-l", "--library"},
       Argument::joined,
       [](O& o, S v) {
         for (auto& l : split(v, ",")) o.libraries.push_back(l);
       },
       "library"},
      // code
      {{"-O", "--optimize"},
       Argument::joined,
       [](O& o, S v) { o.optimisation = v; },
       "optimisation, 0 to 3; 2 builds quickly, 3 is for long runs"},
      {{"-g", "--debug"}, Argument::none, [](O& o, S) { o.compiler.push_back("-g"); }, "debug information"},
      {{"-G", "--device-debug"},
       Argument::none,
       [](O& o, S) {
         o.compiler.push_back("-g");
         o.debug = true;
         o.fission = false;
       },
       "debug information, and no optimisation unless -O is given"},
      {{"-lineinfo", "--generate-line-info"},
       Argument::none,
       [](O& o, S) { o.compiler.push_back("-g1"); },
       "line numbers for tools"},
      {{"-pg", "--profile"},
       Argument::none,
       [](O& o, S) {
         o.compiler.push_back("-pg");
         o.linker.push_back("-pg");
       }},
      {{"-std", "--std"}, Argument::needed, standard, "c++17, c++20; older ones are raised to c++17"},
      {{"-w", "--disable-warnings"}, Argument::none, [](O& o, S) { o.compiler.push_back("-w"); }},
      {{"-Werror", "--Werror"},
       Argument::needed,
       [](O& o, S v) {
         if (v.find("all-warnings") != v.npos) o.compiler.push_back("-Werror");
       }},
      {{"-use_fast_math", "--use_fast_math"},
       Argument::none,
       [](O& o, S) {
         o.preprocessor.push_back("-D__USE_FAST_MATH__=1");
         append(o.compiler, {"-freciprocal-math", "-fno-signed-zeros"});
       },
       "reciprocals for divisions; NaN and infinity keep their meaning"},
      {{"-arch", "--gpu-architecture", "--gpu-name"}, Argument::needed, architecture, "sets __CUDA_ARCH__"},
      {{"-gencode", "--generate-code"}, Argument::needed, architecture},
      {{"-code", "--gpu-code"}, Argument::needed, {}},
      {{"--check", "-check"},
       Argument::optional,
       check,
       "find races, bad accesses and barriers while the program runs; settings: --check=races,strict or "
       "CUEMU_CHECK"},
      {{"--record", "-record"},
       Argument::none,
       [](O& o, S) { o.check = o.record = true; },
       "check, and leave a page that steps through the kernels, a.html of a.out; settings: CUEMU_RECORD"},
      {{"--counters", "-counters"},
       Argument::none,
       [](O& o, S) { o.counters = true; },
       "count bank conflicts, sectors, divergence and the like, by kernel and line; settings: "
       "CUEMU_COUNTERS, CUDA_PROFILE"},
      {{"--watchable", "-watchable"},
       Argument::none,
       [](O& o, S) { o.watchable = true; },
       "compile once for several programs: linked with --watchable the objects run unwatched, with --check "
       "or "
       "--counters under that tool"},
      {{"--error-exitcode"},
       Argument::needed,
       [](O& o, S v) {
         o.error_exitcode = std::atoi(v.c_str());
         if (o.error_exitcode < 1 || o.error_exitcode > 255)
           throw UsageError("--error-exitcode needs a number from 1 to 255, not '" + v + "'");
       },
       "with --check: the program's exit status when there are findings"},
      {{"--no-fission"},
       Argument::none,
       [](O& o, S) { o.fission = false; },
       "run every thread by itself: kernels are slower, compile sooner, and messages name the thread; so "
       "does "
       "CUEMU_FISSION=0 while compiling (CUEMU_FISSION=strict: an error where a split kernel does not "
       "compile, not another try)"},
      {{"--lockstep"},
       Argument::none,
       [](O& o, S) {
         o.lockstep = true;
         o.fission = false;
       },
       "run the lanes of a warp in step, statement by statement, as GPUs before Volta did: for programs that "
       "rely on it without __syncwarp(); slow"},
      {{"--no-hidden-code"},
       Argument::none,
       [](O& o, S) { o.hidden_code = false; },
       "refuse what hides code from the checker and the counters: attributes, pragmas and builtins that "
       "switch them off, assembly of this machine, names of the emulation's own; so the grader compiles what "
       "is handed in"},
      {{"-rdc", "--relocatable-device-code"},
       Argument::needed,
       [](O& o, S v) { o.relocatable = v == "true"; },
       "true: device variables are shared between files"},
      {{"--extended-lambda", "-extended-lambda", "--expt-extended-lambda", "-expt-extended-lambda"},
       Argument::none,
       [](O& o, S) { o.extended_lambda = true; },
       "lambdas may be marked __device__"},
      {{"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"},
       Argument::none,
       [](O& o, S) { o.relaxed_constexpr = true; },
       "device code may call constexpr functions of the host"},
      {{"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", "-forward-unknown-opts",
        "--forward-unknown-opts"},
       Argument::none,
       [](Options& o, const std::string&) { o.forward_unknown = true; },
       "gives options that nvcc does not know to the host compiler"},
      {{"-Xcompiler", "--compiler-options"},
       Argument::needed,
       host_flags,
       "flags for the host compiler, with commas between them; \\, is a comma in one of them"},
      {{"-Xlinker", "--linker-options"},
       Argument::needed,
       [](O& o, S v) {
         for (auto& f : flags_of(v)) append(o.linker, {"-Xlinker", f});
       },
       "flags for the linker"},
      {{"-Xarchive", "--archive-options", "-Xptxas", "--ptxas-options", "-Xnvlink", "--nvlink-options",
        "-Xcudafe", "--Xcudafe", "-Xcicc", "-Xfatbinary"},
       Argument::needed,
       {}},
      {{"-ccbin", "--compiler-bindir"},
       Argument::needed,
       [](O& o, S v) { o.host_compiler = v; },
       "the host compiler: g++ 12 or newer, clang++ 14 or newer"},
      {{"-t", "--threads"},
       Argument::joined,
       [](O& o, S v) { o.threads = std::atoi(v.c_str()); },
       "how many files to compile at once"},
      {{"-v", "--verbose"},
       Argument::none,
       [](O& o, S) { o.verbose = true; },
       "say what is run, and which options mean nothing here"},
      {{"-dryrun", "--dryrun"},
       Argument::none,
       [](O& o, S) { o.dry_run = o.verbose = true; },
       "say what would be run"},
      {{"-keep", "--keep", "-save-temps", "--save-temps"},
       Argument::none,
       [](O& o, S) { o.keep = true; },
       "keep the translation of x.cu as x.emucc.ii"},
      {{"--dump"},
       Argument::needed,
       [](O& o, S value) {
         if (value != "tree" && value != "fission" && value != "inline")
           throw UsageError("--dump is tree, fission or inline, not '" + value + "'");
         o.dump = value;
       },
       "print what a pass made of the file: tree (each function's statements and expressions), fission (how "
       "each "
       "kernel's threads run, step by step, or why thread by thread), inline (the kernel with functions that "
       "wait in the places of their calls)"},
      {{"-default-stream", "--default-stream"},
       Argument::needed,
       [](O& o, S value) {
         if (value == "per-thread") o.preprocessor.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
         if (value != "per-thread" && value != "legacy" && value != "null")
           throw UsageError("--default-stream is legacy, null or per-thread, not " + value);
       },
       "what the null stream is: legacy (the default), or per-thread"},
      // options that are accepted and have no meaning here
      {{"-cudart",
        "--cudart",
        "-cudadevrt",
        "--cudadevrt",
        "-maxrregcount",
        "--maxrregcount",
        "-fmad",
        "--fmad",
        "-ftz",
        "--ftz",
        "-prec-div",
        "--prec-div",
        "-prec-sqrt",
        "--prec-sqrt",
        "-m",
        "--machine",
        "-keep-dir",
        "--keep-dir",
        "-diag-suppress",
        "--diag-suppress",
        "-diag-error",
        "--diag-error",
        "-diag-warn",
        "--diag-warn",
        "-split-compile",
        "--split-compile",
        "-time",
        "--time",
        "-compress-mode",
        "--compress-mode",
        "-Ofc",
        "--Ofast-compile",
        "-nvvm-options",
        "--target-directory",
        "-target-dir",
        "-relocatable-ptx",
        "-dopt",
        "--dopt",
        "-opt-info",
        "--optimization-info",
        "-static-global-template-stub",
        "--static-global-template-stub"},
       Argument::needed,
       {}},
      {{"-m64",
        "-restrict",
        "--restrict",
        "-res-usage",
        "--resource-usage",
        "-src-in-ptx",
        "--source-in-ptx",
        "-Wno-deprecated-gpu-targets",
        "--Wno-deprecated-gpu-targets",
        "-Wno-deprecated-declarations",
        "-Wreorder",
        "--Wreorder",
        "-Wdefault-stream-launch",
        "--Wdefault-stream-launch",
        "-Wmissing-launch-bounds",
        "--Wmissing-launch-bounds",
        "-Wext-lambda-captures-this",
        "--Wext-lambda-captures-this",
        "-dlto",
        "--dlto",
        "-lto",
        "--lto",
        "-extra-device-vectorization",
        "--extra-device-vectorization",
        "-objdir-as-tempdir",
        "--objdir-as-tempdir",
        "-no-compress",
        "--no-compress",
        "-brief-diag",
        "--brief-diagnostics",
        "-allow-unsupported-compiler",
        "--allow-unsupported-compiler",
        "-no-align-double",
        "--no-align-double",
        "-no-exceptions",
        "-noprof",
        "--no-host-device-initializer-list",
        "-nohdinitlist",
        "--no-host-device-move-forward",
        "-nohdmoveforward",
        "-err-no",
        "--display-error-number",
        "-clean",
        "--clean-targets",
        "-minimal",
        "--minimal",
        "-cuda",
        "--cuda",
        "-device-stack-protector",
        "--device-debug-only",
        "-gen-opt-lto",
        "-sp-bounds-check"},
       Argument::none,
       {}},
  };
  return table;
}

}  // namespace emucc
