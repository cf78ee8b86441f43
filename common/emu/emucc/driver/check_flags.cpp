#include "driver/check_flags.hpp"

#include <filesystem>

#include "driver/kit_part.hpp"
#include "driver/words.hpp"

namespace emucc {

namespace fs = std::filesystem;

namespace {

/// The host's part needs line numbers and names too: reports say where memory was allocated and which kernel
/// was launched. It doesn't need the location of each variable at each instruction, which takes a quarter of
/// g++'s time to compute.
std::vector<std::string> debug_flags(HostKind host) {
  if (host == HostKind::clang) return {"-g", "-gdwarf-aranges"};
  return {"-g", "-fno-var-tracking"};
}

std::vector<std::string> checker_flags(HostKind host, bool runs_on_device) {
  // A checked program continues after an access through a null pointer, so the compiler must not remove later
  // null checks.
  const char* const goes_on = "-fno-delete-null-pointer-checks";
  std::vector<std::string> flags = {"-DCUEMU_CHECK=1", goes_on, "-ftrivial-auto-var-init=pattern"};
  if (host == HostKind::gcc)
    append(flags, {"--param", "tsan-distinguish-volatile=1", "-Wno-tsan",
                   // g++ expands these inline without calling the checker.
                   "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"});
  else
    append(flags, {"-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-read-before-write=1",
                   // Stores that two branches share have no source position once they are merged.
                   "-mllvm", "-sink-common-insts=false", "-mllvm", "-enable-tail-merge=false"});
  if (runs_on_device)
    flags.push_back(host == HostKind::gcc ? "-fsanitize=bounds,alignment"
                                          : "-fsanitize=array-bounds,alignment");
  return flags;
}

/// The flags for counters. With them the compiler moves a structure such as float4 as a whole, as on a GPU,
/// and keeps the source's branches.
std::vector<std::string> counter_flags(bool runs_on_device) {
  std::vector<std::string> flags = {"-DCUEMU_COUNTERS=1", "-fno-tree-sra", "-fno-thread-jumps", "-Wno-tsan"};
  if (runs_on_device) flags.push_back("-fsanitize-coverage=trace-pc,trace-cmp");
  return flags;
}

}  // namespace

void prepare_check(Options& options, HostKind host) {
  if (!watched(options)) return;
  if (options.counters && host != HostKind::gcc)
    throw UsageError("--counters needs g++ as the host compiler: leave -ccbin out");
  options.fission = false;
  options.debug = false;
  options.optimisation = "1";
}

std::vector<std::string> check_compile_flags(const Options& options, HostKind host, Language language,
                                             bool runs_on_device) {
  std::vector<std::string> flags = debug_flags(host);
  if (language != Language::cuda) return flags;
  // Only the instrumentation is used. Its runtime library is never linked, since the checker or the counters
  // replace it.
  flags.push_back("-fsanitize=thread");
  // The program must not be able to detect the instrumentation. cuemu/hidden_macros.h undefines the other
  // macros.
  flags.push_back("-U__SANITIZE_THREAD__");
  // clang++ would warn that the flag above has no effect, since the input is already preprocessed.
  if (host == HostKind::clang) flags.push_back("-Wno-unused-command-line-argument");
  flags.push_back("-DCUEMU_WATCHED=1");
  if (options.check || options.watchable) append(flags, checker_flags(host, runs_on_device));
  // clang++ cannot instrument code for the counters.
  if (options.counters || (options.watchable && host == HostKind::gcc))
    append(flags, counter_flags(runs_on_device));
  if (options.watchable) flags.push_back("-DCUEMU_WATCHABLE=1");
  return flags;
}

std::vector<std::string> tool_archives(const Options& options, const Toolchain& tools) {
  std::vector<std::string> archives;
  if (options.check) archives.push_back(archive_of(checker_part, tools.runtime, options.dry_run));
  if (options.counters) archives.push_back(archive_of(counters_part, tools.runtime, options.dry_run));
  return archives;
}

std::vector<std::string> check_link_flags(const Options& options, const Toolchain& tools) {
  std::vector<std::string> flags = {"-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset"};
  if (options.check)  // the clocks by which host code times kernels
    flags.front() +=
        ",--wrap=clock_gettime,--wrap=gettimeofday,--wrap=clock,--wrap=omp_get_wtime"
        ",--wrap=_ZNSt6chrono3_V212steady_clock3nowEv,--wrap=_ZNSt6chrono3_V212system_clock3nowEv";
  flags.push_back("-Wl,--whole-archive");
  append(flags, tool_archives(options, tools));
  const fs::path folder = fs::path(tools.runtime).parent_path();
  flags.insert(flags.end(),
               {(folder / "libcuemu_watch.a").string(), "-Wl,--no-whole-archive", tools.runtime});
  // In the portable build this archive contains libdw.
  const fs::path dwarf = folder / "libcuemu_dwarf.a";
  std::error_code failure;
  flags.push_back(fs::exists(dwarf, failure) ? dwarf.string() : "-ldw");
  return flags;
}

std::string unwatched_archive(const Toolchain& tools) {
  return (fs::path(tools.runtime).parent_path() / "libcuemu_unwatched.a").string();
}

std::string check_settings(const Options& options, const Toolchain& tools) {
  std::string text;
  const auto set = [&](const std::string& type, const std::string& name, const std::string& value) {
    text += "extern \"C\" { extern const " + type + " " + name + "; const " + type + " " + name + " = " +
            value + "; }\n";
  };
  if (options.error_exitcode != 0)
    set("int", "cuemu_check_error_exitcode", std::to_string(options.error_exitcode));
  if (options.check && !options.check_words.empty())
    set("char", "cuemu_check_words[]", "R\"words(" + options.check_words + ")words\"");
  if (options.record) set("char", "cuemu_record_viewer[]", "R\"path(" + tools.viewer + ")path\"");
  // The bytes that clang++'s -ftrivial-auto-var-init=pattern writes, which differ from g++'s. (For a float,
  // clang++ sets all bits.)
  if (options.check && tools.kind == HostKind::clang)
    set("unsigned", "cuemu_check_unset_bytes", "0xaaaaaaaau");
  return text;
}

}  // namespace emucc
