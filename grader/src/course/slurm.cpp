// If a Slurm command fails, the error is one sentence that quotes Slurm's message, since an administrator
// will need it.
#include "course/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/columns.hpp"

namespace grader {
namespace {

constexpr double patience_s = 120;  // a busy controller may take a minute

ProcessRequest command(std::vector<std::string> argv) {
  ProcessRequest request;
  request.argv = std::move(argv);
  request.limits.wall_s = patience_s;
  request.limits.output = 64 << 20;  // an array of thousands has a line for each task
  return request;
}

/// The last message of a Slurm command, without the command's name: "Invalid partition name specified".
std::string complaint(const ProcessResult& result) {
  std::string last;
  for (const std::string& line : split_lines(result.err))
    if (!line.empty()) last = line;
  for (const std::string before : {"sbatch: ", "error: ", "fatal: ", "Batch job submission failed: "})
    if (last.rfind(before, 0) == 0) last.erase(0, before.size());
  while (!last.empty() && last.back() == '.') last.pop_back();
  return last.empty() ? "sbatch " + describe_end(result) : printable(last);
}

void add(std::vector<std::string>& argv, const char* option, const std::string& value) {
  if (!value.empty()) argv.push_back(fmt::format("--{}={}", option, value));
}

/// sbatch's options for the class file's settings.
std::vector<std::string> options_of(const SlurmSettings& settings) {
  std::vector<std::string> argv;
  add(argv, "cpus-per-task", std::to_string(settings.cpus));
  add(argv, "partition", settings.partition);
  add(argv, "gres", settings.gres);
  add(argv, "time", settings.time);
  add(argv, "mem", settings.memory);
  add(argv, "account", settings.account);
  add(argv, "qos", settings.qos);
  argv.insert(argv.end(), settings.options.begin(), settings.options.end());
  return argv;
}

/// The states of tasks that have ended. In any other state, also one of a newer version, a task may still
/// run.
bool is_over(const std::string& state) {
  static constexpr std::array ended = {"BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE", "FAILED",
                                       "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",  "TIMEOUT"};
  return std::find(ended.begin(), ended.end(), state) != ended.end();
}

}  // namespace

std::string how_submitted(const SlurmSettings& settings) {
  std::string text = settings.setup + "\n" + settings.grader.string() + "\n" + settings.scratch.string();
  for (const std::string& word : options_of(settings)) text += "\n" + word;
  return text;
}

std::string Slurm::submit(const JobArray& job) const {
  std::vector<std::string> argv = {"sbatch", "--parsable", "--requeue", "--open-mode=append", "--ntasks=1"};
  add(argv, "job-name", job.name);
  add(argv, "chdir", job.folder);
  add(argv, "output", job.output);
  add(argv, "array",
      fmt::format("0-{}{}", job.tasks - 1,
                  settings_.at_once > 0 ? fmt::format("%{}", settings_.at_once) : std::string()));
  for (std::string& option : options_of(settings_)) argv.push_back(std::move(option));
  argv.push_back(job.script);
  const ProcessResult result = machine_.commands.run(command(argv));
  if (result.end == ProcessResult::End::not_started)
    throw Error(ErrorKind::environment,
                "sbatch was not found: this machine submits no jobs to a Slurm cluster.",
                "log in to the cluster's login node; or grade here, with --executor local");
  if (result.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  // "1234", or "1234;cluster"
  const std::string number = result.out.substr(0, result.out.find_first_not_of("0123456789"));
  if (result.ok() && !number.empty()) return number;
  throw Error(ErrorKind::environment, fmt::format("Slurm takes no job: {}.", complaint(result)),
              "compare [slurm] in the class file with what the cluster has (sinfo -o '%P %G %l')");
}

Queue parse_queue(const std::string& text) {
  Queue queue;
  for (const std::string& line : split_lines(text)) {
    std::array<std::string, 5> words;  // name, task, state, node, reason
    std::size_t from = 0, word = 0;
    for (; word < words.size(); ++word) {
      const std::size_t to = word + 1 < words.size() ? line.find('|', from) : line.size();
      if (to == std::string::npos) break;
      words[word] = line.substr(from, to - from);
      from = to + 1;
    }
    const bool number = !words[1].empty() && words[1].size() < 9 &&
                        words[1].find_first_not_of("0123456789") == std::string::npos;
    if (word != words.size() || !number) continue;
    TaskState& task = queue[{words[0], std::stoi(words[1])}];
    task = {is_over(words[2]), words[2], words[4], words[3]};
  }
  return queue;
}

std::optional<Queue> Slurm::queue(const std::vector<std::string>& names) const {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  const ProcessResult result = machine_.commands.run(command(
      {"squeue", "--noheader", "--array", "--states=all", "--format=%j|%K|%T|%N|%r", "--name=" + list}));
  if (!result.ok()) return std::nullopt;
  return parse_queue(result.out);
}

void Slurm::cancel(const std::string& name, bool only_waiting) const {
  std::vector<std::string> argv = {"scancel", "--quiet", "--name=" + name};
  if (only_waiting) argv.push_back("--state=PENDING");
  machine_.commands.run(command(std::move(argv)));
}

}  // namespace grader
