// One loop reads the queue, collects results, frees the items of ended tasks, and submits items that no task
// has.
#include "course/slurm_executor.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "build/compiler.hpp"
#include "build/kit_part.hpp"
#include "course/spool.hpp"

namespace grader {
namespace {

fs::path spool_folder(const Kit& kit, const Lab& lab, const SlurmWork& work, const SlurmSettings& settings) {
  const fs::path parent = settings.shared.empty() ? kit.state() / "cluster" : settings.shared;
  return fs::absolute(parent) / fmt::format("{}-{}-{}-{}", sha256_hex(work.course).substr(0, 12), lab.id,
                                            work.level, to_string(work.backend));
}

/// One task of a round, as this side sees it.
struct Task {
  int round = 0, number = 0;
  std::vector<std::size_t> items;
  int missed = 0;  ///< consecutive reads of the queue without this task
  bool over = false;
  TaskState last;
};

class Collector {
 public:
  Collector(const Kit& kit, const Lab& lab, const SlurmWork& work, const SlurmSettings& settings,
            const SlurmExecutor::Say& say, const Machine& machine, const std::vector<WorkItem>& items,
            const Executor::Done& done)
      : kit_(kit),
        lab_(lab),
        work_(work),
        settings_(settings),
        say_(say),
        machine_(machine),
        items_(items),
        done_(done),
        slurm_(machine, settings),
        spool_(spool_folder(kit, lab, work, settings), results_state(kit, lab, work.secret)),
        open_(items.size(), true),
        left_(items.size()) {
    for (std::size_t i = 0; i < items.size(); ++i) index_[items[i].id] = i;
  }

  /// @param before_jobs called once, before the first job is submitted
  void run(const std::function<void()>& before_jobs) {
    for (const std::string& name : spool_.abandoned()) slurm_.cancel(name);
    take_up();
    collect();
    while (left_ != 0) {
      look_at_queue();
      collect();
      take_back();
      if (left_ == 0) break;
      if (anything_free()) before_jobs();
      submit();
      pause();
    }
    cancel_unwanted();
    spool_.close(given_up_ != 0);
  }

 private:
  /// Resumes the work that an earlier run began.
  void take_up() {
    for (const Round& round : spool_.rounds()) {
      add_tasks(round);
      if (round.settings == how_submitted(settings_)) continue;
      slurm_.cancel(spool_.job_name(round.number), true);
      withdrawn_.insert(round.number);
    }
    if (!withdrawn_.empty()) say_("[slurm] was changed: waiting tasks are submitted again.");
    // If a result is a fault of the kit, the next run that collects it grades the item again.
    for (const std::string& item : spool_.results()) {
      if (index_.count(item) == 0) continue;
      const std::optional<Grading> grading = spool_.result(item);
      if (grading && !is_graded(*grading)) spool_.remove_result(item);
    }
  }

  void add_tasks(const Round& round) {
    std::vector<Task>& tasks = tasks_[round.number];
    for (std::size_t i = 0; i < round.items.size(); ++i) {
      Task& task = tasks.emplace_back();
      task.round = round.number;
      task.number = static_cast<int>(i);
      for (const std::string& id : round.items[i])
        if (const auto found = index_.find(id); found != index_.end()) task.items.push_back(found->second);
    }
  }

  void collect() {
    for (const std::string& id : spool_.results()) {
      const auto found = index_.find(id);
      if (found == index_.end() || !open_[found->second]) continue;
      std::optional<Grading> grading = spool_.result(id);
      if (!grading) continue;
      if (grading->sources_sha256 == items_[found->second].submission.sha256) {
        finish(found->second, std::move(*grading));
      } else {
        spool_.remove_result(id);  // a grading of other files, which is useless
      }
    }
  }

  void finish(std::size_t item, Grading grading) {
    done_(item, std::move(grading));
    open_[item] = false;
    --left_;
  }

  /// Reads the tasks' states. A task counts as ended if it is over, or not in the queue, in two consecutive
  /// reads: between the two, its results were collected.
  void look_at_queue() {
    std::vector<std::string> names;
    for (const auto& [round, tasks] : tasks_)
      if (std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return !task.over; }))
        names.push_back(spool_.job_name(round));
    if (names.empty()) return;
    const std::optional<Queue> queue = slurm_.queue(names);
    if (!queue) {
      no_answer();
      return;
    }
    silent_since_.reset();
    std::string waits;
    bool runs = false;
    for (auto& [round, tasks] : tasks_) {
      for (Task& task : tasks) {
        if (task.over) continue;
        const auto found = queue->find({spool_.job_name(round), task.number});
        const bool active = found != queue->end() && !found->second.over;
        if (found != queue->end()) task.last = found->second;
        task.missed = active ? 0 : task.missed + 1;
        task.over = task.missed >= 2;
        runs |= active && task.last.word != "PENDING";
        if (active && task.last.word == "PENDING") waits = task.last.reason;
      }
    }
    // It is normal that tasks wait. The reason is reported if waiting alone does not end it.
    const bool usual = waits.empty() || waits == "None" || waits == "Resources" || waits == "Priority" ||
                       waits == "BeginTime" || waits == "JobArrayTaskLimit";
    if (!runs && !usual && waits != said_) say_(fmt::format("The tasks wait, says Slurm: {}.", waits));
    if (!runs && !usual) said_ = waits;
  }

  void no_answer() {
    const double now = machine_.clocks.steady();
    if (!silent_since_) silent_since_ = now;
    if (now - *silent_since_ < 600) return;
    throw Error(ErrorKind::environment, "Slurm has not answered for ten minutes; its tasks may still run.",
                "squeue gives the reason; the same command resumes later");
  }

  /// Queues the items of ended tasks that have no result again, or marks them as not graded.
  void take_back() {
    std::map<std::string, int> begun;
    std::size_t lost = 0;
    const Task* example = nullptr;
    for (auto& [round, tasks] : tasks_) {
      for (Task& task : tasks) {
        if (!task.over) continue;
        for (const std::size_t item : task.items) {
          if (!open_[item]) continue;
          if (begun.empty()) begun = spool_.begun();
          example = &task;
          if (begun[items_[item].id] >= settings_.tries) {
            give_up(item, task);
          } else {
            ++lost;
          }
        }
        task.items.clear();
      }
    }
    if (lost != 0)
      say_(fmt::format("{} again, since a task {}.", how_many(lost, "attempt"), how_it_ended(*example)));
    stop_if_fruitless();
  }

  /// Throws when several consecutive jobs ended before they began an item: then the cluster or its settings
  /// are at fault.
  void stop_if_fruitless() {
    int fruitless = 0;
    const Task* last = nullptr;
    for (const auto& [round, tasks] : tasks_) {
      if (!spool_.begun(round).empty()) {
        fruitless = 0;
      } else if (withdrawn_.count(round) == 0 &&
                 std::all_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.over; })) {
        ++fruitless;
        last = &tasks.front();
      }
    }
    if (fruitless < settings_.tries || left_ == 0) return;
    const std::string how = how_it_ended(*last);
    const fs::path log = spool_.log(last->round, last->number);
    for (const Round& round : spool_.rounds()) slurm_.cancel(spool_.job_name(round.number));
    while (!spool_.rounds().empty()) spool_.remove_round(spool_.rounds().back().number);
    std::error_code failed;
    throw Error(ErrorKind::environment,
                fmt::format("{} were submitted, and no task has begun to grade: the last one {}.",
                            how_many(static_cast<std::size_t>(fruitless), "job"), how),
                fs::exists(log, failed)
                    ? fmt::format("read {}, fix that, and give the same command again", shown(log))
                    : fmt::format("do the nodes see {}? shared = in [slurm] names another folder",
                                  spool_.folder().string()));
  }

  /// "ended with TIMEOUT on n1 (…)"
  std::string how_it_ended(const Task& task) const {
    std::string text = "ended";
    if (task.last.over && task.last.word != "COMPLETED") text += " with " + task.last.word;
    if (!task.last.node.empty()) text += " on " + task.last.node;
    const std::string words = spool_.last_words(task.round, task.number);
    return words.empty() ? text : fmt::format("{} (“{}”)", text, words);
  }

  void give_up(std::size_t item, const Task& task) {
    give_up(item, fmt::format("It was begun {} on the cluster and never finished: its task {}. See {}.",
                              how_many(static_cast<std::size_t>(settings_.tries), "time"), how_it_ended(task),
                              shown(spool_.log(task.round, task.number))));
    ++given_up_;
  }

  void give_up(std::size_t item, const std::string& why) {
    finish(item, not_graded(items_[item].submission, lab_.id, work_.backend, machine_.clocks.utc(), why));
  }

  std::vector<const WorkItem*> free_items() const {
    std::vector<bool> taken(items_.size(), false);
    for (const auto& [round, tasks] : tasks_)
      for (const Task& task : tasks)
        if (!task.over)
          for (const std::size_t item : task.items) taken[item] = true;
    std::vector<const WorkItem*> free;
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (open_[i] && !taken[i]) free.push_back(&items_[i]);
    return free;
  }
  bool anything_free() const { return !free_items().empty(); }

  void submit() {
    const std::vector<const WorkItem*> free = free_items();
    if (free.empty()) return;
    Share common;
    common.lab = lab_.id;
    common.level = work_.level;
    common.backend = work_.backend;
    common.unsafe = work_.unsafe;
    common.workers = settings_.cpus;
    common.tries = settings_.tries;
    common.scratch = settings_.scratch;
    common.secret = work_.secret;
    std::vector<std::vector<const WorkItem*>> shares(
        std::min(free.size(), static_cast<std::size_t>(settings_.tasks)));
    for (std::size_t i = 0; i < free.size(); ++i) shares[i % shares.size()].push_back(free[i]);

    // If an item can't be read again, the other items continue.
    const Round round = spool_.add_round(
        common, shares, how_submitted(settings_),
        [this](const WorkItem& item, const std::string& why) { give_up(index_.at(item.id), why); });
    const int number = round.number;
    const std::size_t attempts = std::accumulate(
        round.items.begin(), round.items.end(), std::size_t{0},
        [](std::size_t sum, const std::vector<std::string>& of_task) { return sum + of_task.size(); });
    if (attempts == 0) {
      spool_.remove_round(number);
      return;
    }
    JobArray job;
    job.name = spool_.job_name(number);
    job.folder = spool_.folder();
    job.script = spool_.round_folder(number) / "job.sh";
    job.output = fmt::format("logs/{}-%a.txt", number);
    job.tasks = static_cast<int>(shares.size());
    write_file(job.script, script(number));
    std::string id;
    try {
      id = slurm_.submit(job);
    } catch (const Error&) {
      if (machine_.commands.interrupted()) throw;  // the next run looks for the job in the queue
      slurm_.cancel(job.name);                     // if Slurm accepted the job and only its answer was lost
      spool_.remove_round(number);
      throw;
    }
    add_tasks(round);
    say_(fmt::format("Job {}: {} for {}.", id, how_many(shares.size(), "task"),
                     how_many(attempts, "attempt")));
  }

  std::string script(int round) const {
    const fs::path program = settings_.grader.empty() ? fs::read_symlink("/proc/self/exe") : settings_.grader;
    return fmt::format(
        "#!/bin/sh\n"
        "# A task of grader class --executor slurm.\n"
        "{}export CUDA_LAB_KIT={}\n"
        "exec {} class-task {} --task \"$SLURM_ARRAY_TASK_ID\"\n",
        settings_.setup.empty() ? std::string() : settings_.setup + "\n", shell_word(fs::absolute(kit_.root)),
        shell_word(program), shell_word(spool_.round_folder(round)));
  }

  /// Cancels the jobs with tasks whose items are no longer needed, because they were handed in again or
  /// graded elsewhere.
  void cancel_unwanted() const {
    const std::set<std::string> results = spool_.results();
    for (const Round& round : spool_.rounds()) {
      const std::vector<Task>& tasks = tasks_.at(round.number);
      bool unwanted = false;
      for (std::size_t i = 0; i < tasks.size(); ++i)
        for (const std::string& id : round.items[i]) unwanted |= !tasks[i].over && results.count(id) == 0;
      if (unwanted) slurm_.cancel(spool_.job_name(round.number));
    }
  }

  void pause() const {
    const double until = machine_.clocks.steady() + settings_.poll_s;
    do {
      if (machine_.commands.interrupted()) {
        const std::string jobs = job_names();
        if (!jobs.empty())
          say_(
              fmt::format("The tasks go on in the cluster: the same command collects them, and scancel "
                          "--name={} ends them.",
                          jobs));
        throw Error(ErrorKind::environment, "Interrupted.");
      }
      if (settings_.poll_s > 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    } while (machine_.clocks.steady() < until);
  }

  std::string job_names() const {
    std::string names;
    for (const auto& [round, tasks] : tasks_)
      if (std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return !task.over; }))
        names += (names.empty() ? "" : ",") + spool_.job_name(round);
    return names;
  }

  const Kit& kit_;
  const Lab& lab_;
  const SlurmWork& work_;
  const SlurmSettings& settings_;
  const SlurmExecutor::Say& say_;
  const Machine& machine_;
  const std::vector<WorkItem>& items_;
  const Executor::Done& done_;
  const Slurm slurm_;
  Spool spool_;
  std::map<std::string, std::size_t> index_;
  std::vector<bool> open_;                  ///< not graded yet
  std::size_t left_;                        ///< number of open items
  std::map<int, std::vector<Task>> tasks_;  ///< by round
  std::set<int> withdrawn_;                 ///< rounds whose waiting tasks this run cancelled
  std::optional<double> silent_since_;
  std::string said_;
  std::size_t given_up_ = 0;
};

}  // namespace

SlurmExecutor::SlurmExecutor(const Kit& kit, const Lab& lab, fs::path emucc, SlurmWork work,
                             SlurmSettings settings, Say say, const Machine& machine)
    : kit_(kit),
      lab_(lab),
      emucc_(std::move(emucc)),
      work_(std::move(work)),
      settings_(std::move(settings)),
      say_(std::move(say)),
      machine_(machine) {}

void SlurmExecutor::grade_all(const std::vector<WorkItem>& items, const Done& done) {
  Collector(kit_, lab_, work_, settings_, say_, machine_, items, done).run([this] {
    need_parts(machine_, emucc_, {checker_part});
  });
}

}  // namespace grader
