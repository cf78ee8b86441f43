// Builds programs. The program of a submission is linked from its objects, and an oracle is built by one
// command. A program's key includes all its inputs.
#include "build/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/result_folder.hpp"
#include "build/build_cache.hpp"
#include "build/build_key.hpp"
#include "build/compiler.hpp"
#include "build/in_the_making.hpp"
#include "build/kit_headers.hpp"
#include "build/kit_part.hpp"
#include "build/objects.hpp"

namespace grader {
namespace {

constexpr const char* built_program = ".program";  // a name that no object has
constexpr std::uintmax_t largest_program = 512 << 20;

void check_names(const Submission& submission) {
  for (const SubmissionFile& file : submission.files) {
    const fs::path name = file.name.lexically_normal();
    if (name.is_absolute() || name.empty() || *name.begin() == "..")
      throw Error(ErrorKind::usage,
                  fmt::format("The file {} lies outside the submission's folder.", file.name.string()));
  }
}

void need_include_folder(const Toolchain& toolchain) {
  if (toolchain.include_folder.empty())
    throw Error(ErrorKind::fault, "The kit's folder common/lab/include is missing, which every lab includes.",
                "git checkout common/lab");
}

/// Copies the object of x.cu as x.cu.o, so that the linker's messages contain this name and not that of the
/// object in the cache. The object is copied and not linked, because no name in a writable folder may lead to
/// the cache.
fs::path lay_object(const fs::path& folder, const fs::path& source, const fs::path& object) {
  const fs::path name = source.string() + ".o";
  fs::create_directories((folder / name).parent_path());
  fs::copy_file(object, folder / name);
  return name;
}

/// Links a program in a workshop. @return the linker's result; if linking succeeded, the program exists
ProcessResult link_program(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                           Backend backend, std::vector<std::string> command,
                           const std::vector<ObjectPlan>& plans, const Objects& objects,
                           const fs::path& folder) {
  try {
    for (std::size_t i = 0; i < plans.size(); ++i)
      command.push_back(as_argument(lay_object(folder, plans[i].source->name, objects.files[i])));
  } catch (const fs::filesystem_error& error) {
    throw Error(
        ErrorKind::environment,
        fmt::format("The objects can't be linked in {}: {}.", folder.string(), error.code().message()),
        fmt::format("free some disk space, or point {} to another disk", Kit::cache_setting()));
  }
  command.insert(command.end(), {"-o", built_program});
  return compile(machine, kit, toolchain, backend, command, folder);
}

/// Makes a program that is not in the cache from its objects.
BuildResult make_program(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                         const std::vector<std::string>& linker, const std::vector<ObjectPlan>& plans,
                         const BuildCache& cache, const std::string& digest) {
  BuildResult result;
  const Objects objects = make_objects(machine, kit, toolchain, backend, plans);
  result.compiled = objects.compiled;
  result.diagnostics = objects.diagnostics;
  if (!objects.ok) return result;
  const BuildCache::Workshop workshop(cache.new_workshop());
  const fs::path folder = workshop.path / "source";
  fs::create_directories(folder);
  const ResultFolder made(folder);
  const ProcessResult linked = link_program(machine, kit, toolchain, backend, linker, plans, objects, folder);
  result.diagnostics += words_of(linked);
  const fs::path taken =
      linked.ok() ? made.take(built_program, workshop.path, largest_program).file : fs::path();
  if (taken.empty()) return result;
  fs::permissions(taken, fs::perms(0755));
  result.program = cache.keep(digest, workshop.path, taken, result.diagnostics).program;
  result.ok = true;
  return result;
}

}  // namespace

BuildResult build(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
                  const Macros& macros, Instrument instrument, const std::vector<std::string>& link,
                  const Machine& machine) {
  need_include_folder(toolchain);
  if (backend == Backend::emu)
    need_parts(machine, toolchain.emucc, parts_for(instrument, link, toolchain.emucc));
  const std::string arch = backend == Backend::gpu ? architecture(toolchain) : "";
  const std::vector<std::string> compiler =
      compiler_command(toolchain, backend, arch, is_relocatable(submission), instrument);
  std::vector<std::string> typed = compiler, linker = compiler;
  add_macros(typed, macros);
  add_libraries(typed, toolchain, backend, link);
  add_libraries(linker, toolchain, backend, link);
  const std::vector<fs::path> sources = submission.sources();
  BuildResult result;
  result.command = typed_command(typed, sources, submission.lab ? submission.lab->name : "program");
  if (sources.empty()) {
    result.diagnostics = "There is no .cu or .cpp file to compile.\n";
    return result;
  }
  check_names(submission);

  const std::string environment = environment_digest(toolchain, backend);
  const std::vector<ObjectPlan> plans =
      plan_objects(toolchain, submission, backend, arch, instrument, macros, environment);
  Key key("program 2");
  key.add(environment);
  for (const std::string& word : linker) key.add(word);
  for (const ObjectPlan& plan : plans) key.add(plan.key);
  const std::string digest = key.digest();

  const BuildCache cache(kit.cache() / "build", machine.files);
  const auto known = cache.find(digest);
  auto read = files_read(machine, kit, plans);
  if (known && read) {
    result.ok = result.cached = true;
    result.program = known->program;
    result.diagnostics = known->diagnostics;
    result.read = std::move(*read);
    return result;
  }
  static InTheMaking<BuildResult> in_the_making;
  const Stopwatch watch(machine.clocks);
  const auto [made, made_here] = in_the_making.once((kit.cache() / "build" / digest).string(), [&] {
    return make_program(machine, kit, toolchain, backend, linker, plans, cache, digest);
  });
  result.ok = made.ok;
  result.program = made.program;
  result.diagnostics = made.diagnostics;
  if (made_here) result.compiled = made.compiled;
  result.wall_s = watch.seconds();
  if (result.ok) result.read = files_read(machine, kit, plans).value_or(std::vector<fs::path>());
  if (!result.ok) refuse_damaged_kit(toolchain, result.diagnostics);
  return result;
}

CompilerReport compiler_report(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                               const std::string& architecture, const Macros& macros) {
  need_include_folder(toolchain);
  if (toolchain.nvcc.empty())
    throw Error(ErrorKind::environment,
                "There is no nvcc here, and only it knows what a kernel takes of a GPU.",
                "install the CUDA toolkit (no GPU is needed), then: grader doctor");
  std::vector<std::string> command =
      compiler_command(toolchain, Backend::gpu, architecture, is_relocatable(submission));
  add_macros(command, macros);
  command.insert(command.end(), {"-cubin", "-Xptxas", "-v", "-keep"});
  const Machine& machine = this_machine();
  const BuildCache cache(kit.cache() / "build", machine.files);
  const BuildCache::Workshop workshop(cache.new_workshop());
  const fs::path folder = workshop.path / "source";
  check_names(submission);
  for (const SubmissionFile& file : submission.files) write_file(folder / file.name, file.text);
  CompilerReport report;
  for (const fs::path& source : submission.sources()) {
    if (source.extension() != ".cu") continue;
    std::vector<std::string> whole = command;
    whole.insert(whole.end(), {as_argument(source), "-o", ".cubin"});
    const ProcessResult done = compile(machine, kit, toolchain, Backend::gpu, whole, folder);
    report.words += words_of(done);
    report.ok = done.ok();
    if (!report.ok) break;
    const fs::path ptx = folder / fs::path(source.filename()).replace_extension(".ptx");
    std::error_code none;
    if (fs::exists(ptx, none)) report.ptx += read_file(ptx, 64 << 20);
  }
  return report;
}

fs::path build_oracle(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const Machine& machine) {
  need_include_folder(toolchain);
  if (toolchain.host_compiler.empty())
    throw Error(ErrorKind::environment, "There is no C++ compiler: neither c++, g++ nor clang++ is in PATH.",
                "sudo apt install g++");
  const fs::path oracle = lab.folder / "oracle", shared = shared_folder(kit, lab);
  std::vector<std::string> command = {toolchain.host_compiler, "-O2", "-std=c++20",
                                      "-I" + toolchain.include_folder.string()};

  Key key("oracle 1");
  for (const std::string& word : command) key.add(word);
  key.add_compiler(toolchain.host_compiler, toolchain.host_version);
  key.add_contents(oracle);
  key.add_contents(shared);
  key.add_contents(toolchain.include_folder);
  const std::string digest = key.digest();
  // The key contains the content of this folder, not its path, so all copies of a kit share the oracle.
  command.push_back("-I" + shared.string());

  const BuildCache cache(kit.cache() / "build", machine.files);
  if (const auto known = cache.find(digest)) return known->program;

  std::size_t sources = 0;
  for (const fs::path& file : files_below(oracle)) {
    if (file.extension() != ".cpp") continue;
    command.push_back(file);
    ++sources;
  }
  if (sources == 0)
    throw Error(ErrorKind::fault,
                fmt::format("{} has no oracle: {} holds no .cpp file.", lab.id, shown(oracle)),
                "git checkout " + shown(lab.folder));
  const BuildCache::Workshop workshop(cache.new_workshop());
  const fs::path program = workshop.path / "oracle";
  command.insert(command.end(), {"-o", program});
  ProcessRequest request;
  request.argv = command;
  request.environment["TMPDIR"] = workshop.path;  // removed together with the leftovers of a killed compiler
  request.environment["LC_ALL"] = "C";            // run_own() reads the compiler's messages
  request.limits = compiler_limits(workshop.path);
  const ProcessResult done = run_compiler(machine, request);
  if (done.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  if (!done.ok())
    throw Error(ErrorKind::fault,
                fmt::format("The oracle of {} does not compile, which is the kit's mistake, not yours: {}",
                            lab.id, first_error(words_of(done))),
                fmt::format("{}", fmt::join(command, " ")));
  return cache.keep(digest, workshop.path, program, done.err).program;
}

std::string first_error(const std::string& diagnostics) {
  const char* const marks[] = {"error: ", "cannot find -l", "undefined reference"};
  for (const std::string& line : split_lines(diagnostics)) {
    const bool sums_up = line.rfind("collect2: ", 0) == 0;  // the linker's own messages are the lines before
    if (!sums_up && std::any_of(std::begin(marks), std::end(marks),
                                [&](const char* mark) { return line.find(mark) != std::string::npos; }))
      return printable(line);
  }
  // The last line of a compiler's messages says why it was stopped.
  const std::size_t end = diagnostics.find_last_not_of('\n');
  const std::size_t begin = end == std::string::npos ? end : diagnostics.rfind('\n', end);
  return end == std::string::npos ? "its compilation was stopped"
                                  : printable(diagnostics.substr(begin + 1, end - begin));
}

}  // namespace grader
