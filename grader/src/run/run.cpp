// Draws a case's data with the oracle, and runs the student's program on them.
#include "run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>

#include <algorithm>
#include <fstream>

#include "lab/npy.hpp"
#include "process/cgroup.hpp"
#include "run/channel.hpp"
#include "run/gold.hpp"
#include "run/lab_text.hpp"
#include "run/oracle.hpp"
#include "run/turns.hpp"

namespace grader {
namespace {

constexpr std::uint64_t GiB = std::uint64_t{1} << 30;
constexpr std::uint64_t longest_profile = 256 << 20;  // bytes
constexpr double time_to_tell = 5;  // seconds for the emulation to report where its threads are

std::uint64_t secret_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
    throw Error(ErrorKind::environment, "The system gives no random numbers (getrandom failed).");
  return seed >> 1;  // fits a program that reads a signed number
}

/// Checks an array that the oracle wrote. If its dtype differs from the lab's gold, the program would reject or
/// misread it, which would look like the student's mistake.
void need_sound_array(const Lab& lab, const Case& c, const fs::path& file,
                      const std::map<std::string, std::string>& types) {
  if (!is_npy(file)) return;
  std::string dtype;
  try {
    dtype = lab::read_npy_header(file.string()).dtype;
  } catch (const lab::NpyError& error) {
    throw Error(ErrorKind::fault, fmt::format("The oracle of {} wrote a broken array for case {}: {}.",
                                              lab.id, c.id, error.what()));
  }
  const auto known = types.find(file.filename().string());
  if (known == types.end() || known->second == dtype) return;
  throw Error(ErrorKind::fault,
              fmt::format("The oracle of {} wrote {} as {} for case {}; the lab's gold has {}.", lab.id,
                          file.filename().string(), lab::npy_dtype_words(dtype), c.id,
                          lab::npy_dtype_words(known->second)));
}

/// The file with this name among the files of a gold case.
fs::path pick(const std::vector<fs::path>& files, const std::string& name, const Lab& lab, const Case& c) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const fs::path& file) { return file.filename() == name; });
  if (found != files.end()) return *found;
  throw Error(ErrorKind::fault, fmt::format("The gold of {}, case {}, lacks {}.", lab.id, c.id, name),
              "grader gold " + lab.id);
}

/// Writes a file. Unlike write_file(), does not make sure that the file survives a power failure. A full disk
/// is detected when the run ends.
void lay(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

CaseData prepare_case(const Kit& kit, const Lab& lab, const Case& c, const fs::path& oracle,
                      const fs::path& folder, const Machine& machine) {
  CaseData data;
  data.folder = folder;
  if (c.asks_judge()) data.judge = oracle;
  machine.files.make_empty(folder);
  if (c.verify == Verify::gold) {
    const std::vector<fs::path> files = open_gold(kit, lab, c);
    for (const std::string& input : lab.inputs) data.inputs.push_back(pick(files, data_file(input), lab, c));
    data.expected = pick(files, lab.output.file(), lab, c);
    data.seed = c.seed.value_or(0);
    return data;
  }

  data.seed = c.seed ? *c.seed : secret_seed();
  run_oracle(machine, lab, c, oracle, {"inputs", "--seed", std::to_string(data.seed), "--dir", folder});
  for (const std::string& input : lab.inputs)
    data.inputs.push_back(need_file_of_oracle(lab, c, folder / data_file(input)));
  if (c.verify != Verify::freivalds && c.verify != Verify::none) {
    run_oracle(machine, lab, c, oracle, {"expect", "--dir", folder});
    data.expected = need_file_of_oracle(lab, c, folder / lab.output.file());
    // No other user may read the folder, because without a sandbox a program of another user may run at the
    // same time.
    std::error_code ignored;
    fs::permissions(data.expected, fs::perms::owner_read | fs::perms::owner_write, ignored);
  }
  const auto types = gold_types(kit, lab);
  for (const fs::path& input : data.inputs) need_sound_array(lab, c, input, types);
  need_sound_array(lab, c, data.expected, types);
  return data;
}

namespace {

/// The shapes or types of two inputs with the same name, such as "8 × 8" and "37 × 37"; no value if they agree.
std::optional<std::pair<std::string, std::string>> unlike(const fs::path& a, const fs::path& b) {
  if (!is_npy(a) || !is_npy(b)) return std::pair<std::string, std::string>("one content", "another");
  const lab::NpyHeader one = lab::read_npy_header(a.string()), other = lab::read_npy_header(b.string());
  const auto shape = [](const lab::NpyHeader& header) {
    return fmt::format("{}", fmt::join(header.shape, " × "));
  };
  if (one.shape != other.shape) return std::pair(shape(one), shape(other));
  if (one.dtype != other.dtype)
    return std::pair(lab::npy_dtype_words(one.dtype), lab::npy_dtype_words(other.dtype));
  return std::nullopt;
}

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::ifstream one(a, std::ios::binary), other(b, std::ios::binary);
  return std::equal(std::istreambuf_iterator<char>(one), {}, std::istreambuf_iterator<char>(other), {});
}

[[noreturn]] void refuse_inputs(const Lab& of, const Case& of_case, const Lab& lab, const Case& c,
                                const std::string& how) {
  throw Error(ErrorKind::usage,
              fmt::format("Only runs on the same inputs can be compared, and case {} of {} {} case {} of {}.",
                          c.id, lab.id, how, of_case.id, of.id),
              "Name cases with the same inputs: --case ID --beside-case ID");
}

}  // namespace

CaseData prepare_case_on(const CaseData& data, const Lab& of, const Case& of_case, const Kit& kit,
                         const Lab& lab, const Case& c, const fs::path& oracle, const fs::path& folder,
                         const Machine& machine) {
  if (lab.inputs != of.inputs)
    refuse_inputs(of, of_case, lab, c,
                  fmt::format("takes {}, not {} as",
                              lab.inputs.empty() ? "none" : fmt::format("{}", fmt::join(lab.inputs, ", ")),
                              of.inputs.empty() ? "none" : fmt::format("{}", fmt::join(of.inputs, ", "))));
  Case drawn = c;
  if (drawn.verify == Verify::gold) drawn.verify = Verify::oracle;
  drawn.seed = data.seed;
  CaseData own = prepare_case(kit, lab, drawn, oracle, folder, machine);
  bool other = false;
  for (std::size_t i = 0; i < own.inputs.size() && i < data.inputs.size(); ++i) {
    if (same_bytes(own.inputs[i], data.inputs[i])) continue;
    if (const auto kinds = unlike(own.inputs[i], data.inputs[i]))
      refuse_inputs(of, of_case, lab, c,
                    fmt::format("has {} of {}, not of {} as", lab.inputs[i], kinds->first, kinds->second));
    fs::copy_file(data.inputs[i], own.inputs[i], fs::copy_options::overwrite_existing);
    other = true;
  }
  if (other && !own.expected.empty()) {
    run_oracle(machine, lab, drawn, oracle, {"expect", "--dir", folder});
    own.expected = need_file_of_oracle(lab, drawn, folder / lab.output.file());
  }
  return own;
}

namespace {

RunResult run_once(const Toolchain& toolchain, const Lab& lab, const Case& c, Backend backend,
                   const fs::path& program, const CaseData& data, const fs::path& work_folder,
                   const RunTool& tool, const Machine& machine) {
  machine.files.make_empty(work_folder);
  const fs::path work = fs::canonical(work_folder);
  const bool writes_file = !lab.output.is_printed();
  const fs::path output = writes_file ? fs::path("output") / lab.output.file() : fs::path();
  if (writes_file) machine.files.make_empty(work / output.parent_path());
  // The folder is on the same disk, but the program can't write to it.
  const fs::path taken = work.string() + ".taken";
  machine.files.make_empty(taken);

  for (const SubmissionFile& file : tool.files) lay(work / file.name, file.text);

  ProcessRequest request;
  request.argv = tool.wrapper;
  request.argv.push_back(program);
  request.argv.insert(request.argv.end(), c.args.begin(), c.args.end());
  for (const fs::path& input : data.inputs)
    request.argv.insert(request.argv.end(), {"--input", fs::absolute(input)});
  if (writes_file) request.argv.insert(request.argv.end(), {"--output", work / output});
  request.environment = tool.environment;
  // In emulation, settings go through the channel, so a program sees the same environment in every kind of
  // run.
  std::map<std::string, std::string> settings = tool.settings;
  if (tool.profile && c.from_device)
    (backend == Backend::emu ? settings : request.environment)["LAB_PROFILE_CONTENT"] = "1";
  if (backend == Backend::emu && tool.patience != 1)
    settings["CUEMU_TIMEOUT"] = fmt::format("{}", tool.patience * c.timeout_emu);
  const Hello hello(settings);
  if (tool.profile) {
    request.environment["LAB_PROFILE"] = fmt::format("fd:{}", channel_descriptor);
    request.hello = hello.text();
    request.limits.channel = longest_profile;
  }
  request.environment["LAB_POISON"] = "1";
  const double limit = tool.patience * (backend == Backend::gpu ? c.timeout_gpu : c.timeout_emu);
  request.limits.wall_s = limit;
  if (backend == Backend::emu) {
    // The emulation itself stops a kernel that exceeds this time, and reports where its threads are. If a run
    // may take longer, its limit goes through the channel, so the program sees the same environment.
    request.environment["CUEMU_TIMEOUT"] = fmt::format("{}", c.timeout_emu);
    request.limits.wall_s += time_to_tell;
  }
  // Cases of the emulation are sized for a laptop. On a GPU, the start of CUDA itself takes some GiB of the
  // host's memory. The limit is at most half of the memory, so that a program that exceeds it is stopped
  // before it disturbs others.
  request.limits.memory = std::min((backend == Backend::gpu ? 12 : 3) * GiB, memory_here() / 2);
  request.limits.file_size = GiB;
  request.limits.folder_size = 2 * GiB;
  request.limits.watched_folder = work;
  request.limits.processes = 64;

  SandboxSpec spec;
  spec.program_folder = program.parent_path();
  spec.read_only = data.inputs;
  spec.read_only.insert(spec.read_only.end(), tool.read_only.begin(), tool.read_only.end());
  spec.work_folder = work;
  spec.syscalls = tool.syscalls;
  if (backend == Backend::gpu) {
    spec.gpu = true;
    if (tool.profile && !toolchain.profile_library.empty()) {
      request.environment["CUDA_INJECTION64_PATH"] = toolchain.profile_library;
      spec.read_only.push_back(toolchain.profile_library);
    }
  }

  GpuTurns turns;
  if (backend == Backend::gpu) {
    turns = take_gpus(toolchain, c.devices, machine.devices);
    if (!turns.visible.empty()) request.environment["CUDA_VISIBLE_DEVICES"] = turns.visible;
  } else if (c.devices > 1) {
    request.environment["CUEMU_DEVICES"] = std::to_string(c.devices);
  }
  RunResult result;
  result.left = std::make_shared<ResultFolder>(work);
  result.process = machine.commands.run_confined(request, spec);
  turns.taken.clear();
  if (result.process.end == ProcessResult::End::not_started)
    throw Error(ErrorKind::environment,
                fmt::format("The program of {} was not started: {}.", lab.id, result.process.error),
                "grader doctor");
  // A failed write is not the student's mistake, unless the student's program filled the disk.
  if (ran_out_of_disk(machine, result.process, work))
    throw disk_is_full(fmt::format("the program of {} could not write its result", lab.id));
  if (!fills_the_disk(work)) need_room(machine, work);
  result.wall_s = result.process.wall_s;
  if (writes_file) {
    ResultFolder::Taken own = result.left->take(output, taken, GiB);
    result.output = std::move(own.file);
    result.output_problem = std::move(own.problem);
  }
  ChannelContent content = read_channel(result.process.channel, backend == Backend::emu ? hello.key() : "");
  result.process.channel.clear();
  result.profile = read_profile(content.profile);
  if (content.forked)
    result.profile.doubt = "the program started another process, and the grader can't see what that one does";
  else if (content.forged)
    result.profile.doubt = "it has lines that the emulation did not write";
  else if (result.profile.doubt.empty())
    result.profile.doubt = implausible(result.profile, result.wall_s);
  result.reports = std::move(content.reports);
  result.stop = std::move(content.stop);
  if (backend == Backend::emu) {
    result.cuda_error = std::move(content.cuda_error);
    result.todo = std::move(content.todo);
  } else {
    result.cuda_error = take_cuda_error(result.process.err);
    result.todo = find_todo(result.process.err);
  }
  if (result.stop && result.stop->reason == kit_wire::Reason::time_limit)
    result.process.end = ProcessResult::End::time_out;
  return result;
}

}  // namespace

RunResult run_case(const Toolchain& toolchain, const Lab& lab, const Case& c, Backend backend,
                   const fs::path& program, const CaseData& data, const fs::path& work_folder,
                   const RunTool& tool, const Machine& machine) {
  RunResult result = run_once(toolchain, lab, c, backend, program, data, work_folder, tool, machine);
  // A SIGKILL from outside proves nothing about the program.
  if (result.process.end == ProcessResult::End::killed)
    result = run_once(toolchain, lab, c, backend, program, data, work_folder, tool, machine);
  return result;
}

}  // namespace grader
