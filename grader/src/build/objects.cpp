#include "build/objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <sstream>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/on_threads.hpp"
#include "base/result_folder.hpp"
#include "base/sha256.hpp"
#include "build/build_cache.hpp"
#include "build/build_key.hpp"
#include "build/compiler.hpp"
#include "build/in_the_making.hpp"
#include "build/object_file.hpp"
#include "build/read_files.hpp"
#include "workspace/included.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

constexpr const char* built_object = ".object.o";  // a name that no source has
constexpr const char* written_rule = ".object.d";
constexpr std::uintmax_t largest_object = 512 << 20, largest_rule = 4 << 20;
constexpr double seconds_of_a_core = 120;
constexpr BuildCache::Limits limits = {.entries = 1000, .bytes = std::uint64_t{2} << 30, .spared_s = 600};

/// Header folders that belong neither to the student nor to the system.
std::vector<fs::path> header_folders(const Toolchain& toolchain, Backend backend) {
  std::vector<fs::path> folders = {toolchain.include_folder};
  if (backend == Backend::emu) {
    for (const fs::path& folder : emucc_folders(toolchain.emucc))
      if (folder.filename() == "include") folders.push_back(folder);
  } else {
    std::error_code none;
    const fs::path headers = fs::canonical(toolchain.nvcc, none).parent_path().parent_path() / "include";
    folders.insert(folders.end(), {headers, headers / "cccl"});
  }
  return folders;
}

/// One object, cached or new.
struct Object {
  bool ok = false, compiled = false;
  fs::path file;
  std::string diagnostics;
};

/// The compile time that all sources of one program may take together: the time limit of one compiler on
/// every core. Otherwise two hundred files whose compilation never ends would delay a class for hours.
class Allowance {
 public:
  double left() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return seconds_;
  }
  void spend(double seconds) {
    const std::lock_guard<std::mutex> guard(mutex_);
    seconds_ -= seconds;
  }

 private:
  std::mutex mutex_;
  double seconds_ = seconds_of_a_core * most_compilers();
};

/// The command and the directives of all files of a plan. If they are equal for two plans, emucc precompiles
/// the same headers for both.
std::string wanted_headers(const ObjectPlan& plan) {
  std::string wanted = plan.source->name.string() + "\n";
  for (const std::string& word : plan.command) wanted += word + "\n";
  for (const SubmissionFile* file : plan.files) {
    std::istringstream lines(file->text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t at = line.find_first_not_of(" \t");
      if (at != std::string::npos && line[at] == '#') wanted += line.substr(at) + "\n";
    }
  }
  return sha256_hex(wanted);
}

/// A folder with a plan's files, and the compiler's command in it.
struct Laid {
  BuildCache::Workshop workshop;
  fs::path folder = workshop.path / "source";
  std::vector<std::string> command;

  Laid(const Machine& machine, Backend backend, const ObjectPlan& plan, const BuildCache& cache)
      : workshop(cache.new_workshop()), command(plan.command) {
    fs::create_directories(folder);
    for (const SubmissionFile* file : plan.files) machine.files.write(folder / file->name, file->text);
    // This option is not part of the key. It makes the object independent of the folder in which it is built.
    if (backend == Backend::emu)
      command.insert(command.end(), {"-Xcompiler", "-fdebug-prefix-map=" + folder.string() + "=."});
  }
};

BuildCache objects_of(const Machine& machine, const Kit& kit) {
  return BuildCache(kit.cache() / "objects", machine.files, limits);
}

/// The cache of the files that the compiler read for each plan, by the plan's key.
BuildCache rules_of(const Machine& machine, const Kit& kit) {
  return BuildCache(kit.cache() / "read", machine.files, limits);
}

Object compile_object(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                      const ObjectPlan& plan, const BuildCache& cache, Allowance& allowance) {
  Object object;
  const auto known = cache.find(plan.key);
  const BuildCache rules = rules_of(machine, kit);
  if (known && (plan.of_the_kit || rules.find(plan.key))) {
    object.ok = true;
    object.file = known->program;
    object.diagnostics = known->diagnostics;
    return object;
  }
  const double seconds = allowance.left();
  if (seconds <= 0) {
    object.diagnostics = plan.source->name.string() + " was not compiled: its sources take too long.\n";
    return object;
  }
  const Laid laid(machine, backend, plan, cache);
  const auto& [workshop, folder, options] = laid;
  const ResultFolder made(folder);
  if (backend == Backend::emu)
    make_headers(machine, kit, toolchain, options, plan.source->name, folder, wanted_headers(plan));
  std::vector<std::string> command = options;  // other options would need other headers, as in make_headers()
  command.insert(command.end(), {"-MD", "-MF", written_rule});
  command.insert(command.end(), {"-c", as_argument(plan.source->name), "-o", built_object});
  const ProcessResult done = compile(machine, kit, toolchain, backend, command, folder, seconds);
  allowance.spend(done.wall_s);
  object.compiled = true;
  object.diagnostics = words_of(done);
  if (!done.ok()) return object;
  const fs::path taken = made.take(built_object, workshop.path, largest_object).file;
  if (taken.empty()) return object;
  const std::string forbidden =
      plan.of_the_kit ? std::string() : forbidden_in_object_file(taken, plan.watchable);
  if (!forbidden.empty()) {
    object.diagnostics +=
        fmt::format("{}: error: it {}.\n", printable(plan.source->name.string()), forbidden);
    return object;
  }
  const BuildCache::Workshop of_rule(rules.new_workshop());
  const fs::path rule = made.take(written_rule, of_rule.path, largest_rule).file;
  if (!rule.empty()) rules.keep(plan.key, of_rule.path, rule, "");
  object.file = cache.keep(plan.key, workshop.path, taken, object.diagnostics).program;
  object.ok = true;
  return object;
}

/// The indices of the plans, those with the longest sources first. If a long source started last, cores would
/// be idle.
std::vector<std::size_t> longest_first(const std::vector<ObjectPlan>& plans) {
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](std::size_t i) {
    return plans[i].of_the_kit ? std::string::npos : plans[i].source->text.size();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  return order;
}

/// The macro with which a source uses the library of the functions in lab/.
const Macros from_library = {{"LAB_LIBRARY", "1"}};

/// The library's source, with a file name that no other source has.
const SubmissionFile& library_source() {
  static const SubmissionFile source{".lab.cu", "#include <lab/impl/all.hpp>\n"};
  return source;
}

bool has_library(const Toolchain& toolchain) {
  std::error_code none;
  return fs::exists(toolchain.include_folder / "lab/impl/all.hpp", none);
}

std::string key_of(const ObjectPlan& plan, const std::string& environment) {
  Key key("object 3");
  key.add(environment);
  key.add(plan.source->name.string());
  for (const std::string& word : plan.command) key.add(word);
  key.add("files");
  for (const SubmissionFile* one : plan.files) {
    key.add(one->name.string());
    key.add(one->text);
  }
  return key.digest();
}

}  // namespace

std::vector<ObjectPlan> plan_objects(const Toolchain& toolchain, const Submission& submission,
                                     Backend backend, const std::string& architecture, Instrument instrument,
                                     const Macros& macros, const std::string& environment) {
  const std::vector<std::string> command =
      compiler_command(toolchain, backend, architecture, is_relocatable(submission), code_for(instrument));
  const Included included(submission, header_folders(toolchain, backend));
  const bool may_be_linked = has_library(toolchain);
  bool is_linked = false;
  std::vector<ObjectPlan> plans;
  for (const SubmissionFile& file : submission.files) {
    if (!is_program_source(file.name)) continue;
    Macros own;
    for (const auto& [name, value] : macros)
      if (included.macro_counts(name, file)) own[name] = value;
    ObjectPlan plan{.source = &file, .files = included.files_of(file), .command = {}, .key = {}};
    plan.command = command;
    plan.watchable =
        backend == Backend::emu && file.name.extension() == ".cu" && code_for(instrument) == Instrument::none;
    if (backend == Backend::emu) plan.command.push_back("--no-hidden-code");
    if (may_be_linked && included.includes_from("lab/", file)) {
      add_macros(plan.command, from_library);
      is_linked = true;
    }
    add_macros(plan.command, own);
    plans.push_back(std::move(plan));
  }
  if (is_linked) {
    ObjectPlan plan{.source = &library_source(), .files = {&library_source()}, .command = command, .key = {}};
    add_macros(plan.command, from_library);
    plan.of_the_kit = true;
    plans.push_back(std::move(plan));
  }
  for (ObjectPlan& plan : plans) plan.key = key_of(plan, environment);
  return plans;
}

std::optional<std::vector<fs::path>> files_read(const Machine& machine, const Kit& kit,
                                                const std::vector<ObjectPlan>& plans) {
  const BuildCache cache = rules_of(machine, kit);
  std::vector<fs::path> all;
  for (const ObjectPlan& plan : plans) {
    if (plan.of_the_kit) continue;
    const auto known = cache.find(plan.key);
    if (!known) return std::nullopt;
    const std::vector<fs::path> files = files_of_rule(read_file(known->program, largest_rule));
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

void make_shared_headers_of(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                            const ObjectPlan& plan) {
  const Laid laid(machine, Backend::emu, plan, objects_of(machine, kit));
  make_headers(machine, kit, toolchain, laid.command, plan.source->name, laid.folder, wanted_headers(plan),
               Headers::shared);
}

Objects make_objects(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                     const std::vector<ObjectPlan>& plans) {
  static InTheMaking<Object> in_the_making;
  const fs::path folder = kit.cache() / "objects";
  const BuildCache cache = objects_of(machine, kit);
  Allowance allowance;
  std::vector<Object> made(plans.size());
  const std::vector<std::size_t> order = longest_first(plans);
  on_threads(plans.size(), most_compilers(), [&](std::size_t at) {
    if (machine.commands.interrupted()) return;
    const std::size_t i = order[at];
    auto [object, made_here] = in_the_making.once((folder / plans[i].key).string(), [&] {
      return compile_object(machine, kit, toolchain, backend, plans[i], cache, allowance);
    });
    made[i] = std::move(object);
    made[i].compiled = made[i].compiled && made_here && !plans[i].of_the_kit;
  });

  Objects all;
  for (Object& object : made) {
    all.ok = all.ok && object.ok;
    all.compiled += object.compiled;
    all.diagnostics += object.diagnostics;
    all.files.push_back(std::move(object.file));
  }
  return all;
}

}  // namespace grader
