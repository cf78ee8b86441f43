/// @file
/// The steps of `grade` and `check`, and the state that they share. This header is private to grade/.
/// grade.cpp has the lists of steps.
///
/// A step does one thing, and reads the results of earlier steps from the Work. The verdicts are decided
/// elsewhere: in judge.hpp (a run), checking.hpp (findings) and score.hpp (the submission).
#pragma once
#include <atomic>
#include <future>

#include "base/scratch.hpp"
#include "check/checking.hpp"
#include "grade/grade.hpp"
#include "grade/looks.hpp"
#include "judge/judge.hpp"
#include "run/ncu.hpp"

namespace grader {

struct CaseWork;

/// Result of a run with counters.
struct Counted {
  std::vector<LaunchCounts> launches;
  std::string refused;  ///< why emucc does not compile the program; empty: it does, or there is no emucc
  CaseResult run;       ///< the result of the run with counters
  bool ran = false;
};

/// A grading in progress.
struct Work {
  Work(const GradeContext& context, bool check);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work();

  const GradeContext& context;
  const Lab& lab;    ///< the submission's lab
  const bool check;  ///< looks for mistakes instead of giving points; the lab is then a checking_lab()
  const ScratchFolder scratch;
  const Stopwatch watch;
  const JudgeContext judging;

  Grading grading;
  std::vector<CaseWork> cases;  ///< in the order in which they run
  int cases_done = 0;           ///< number of finished cases, over all lists
  fs::path program;             ///< the program for cases without macros; empty: it does not compile
  std::future<fs::path> oracle_to_come;
  std::future<void> programs_to_come;  ///< programs for cases with macros that are being built
  std::atomic<bool> ended = false;     ///< whether no step waits for programs any longer
  fs::path oracle;
  std::string oracle_fault;  ///< why the oracle can't be used; empty: it can
  bool any_ran = false;
  bool still_to_do = false;  ///< whether the program reached a blank
  int time_outs = 0;
  std::map<std::string, CaseResult> checked;  ///< the checker's results, by program and arguments
  struct Built {
    BuildResult result;
    double at = 0;  ///< time of the steady clock
  };
  std::map<std::string, Built> known_programs;  ///< programs of this submission, which cases share
  std::string forbidden;                        ///< a header that the lab forbids; empty: none
  bool explained = false;                       ///< whether the checker found why a result is wrong
  const Macros* asked_why = nullptr;            ///< macros of the failed cases that were checked; null: none
  int times_asked_why = 0;
  Looks looks;  ///< the last member: its threads end before anything that they use is destroyed

  Instrument instrument() const;
  /// Builds the submission, and adds the time that this takes. Keeps each result or failure for this grading.
  BuildResult build_with(const Macros& macros, Backend backend, Instrument instrument);
  /// Builds several programs in parallel, into the cache.
  void build_programs(const std::vector<ProgramToBuild>& programs, Backend backend);
  /// Does the same in the background. build_with() waits for a program that is being built.
  void start_programs(std::vector<ProgramToBuild> programs, Backend backend);
  /// A case's inputs and expected results.
  /// @throws Error (fault) when the oracle can't be used
  CaseData data_of(const Case& c) const;
  /// Does the same in a given folder.
  CaseData data_in(const fs::path& folder, const Case& c) const;
  /// The settings for judging a run that only explains or measures: only its result is judged, without
  /// requirements that take further runs.
  JudgeContext judging_emulation() const { return {.machine = &context.machine}; }
  /// Runs a case's program with the emulation's counters, and also judges the result of that run.
  Counted count(const Case& c, const CaseData& data);
  /// Adds a note unless the grading already has it.
  void note_once(const std::string& note);
  /// The backend of the checker: in a check that of the check, in a grading the emulation.
  Backend looking() const { return check ? context.backend : Backend::emu; }
  /// Runs a case at its checking size, under the checker in emulation or under compute-sanitizer, and judges
  /// the findings. Several threads may call it at once.
  CaseResult make_look(const Case& c, const fs::path& program) const;
  /// Does the same with the program from the cache, which it builds if necessary. No value if the program
  /// does not compile.
  std::optional<CaseResult> make_look_of_built(const Case& c) const;
  /// The result of the run that was started for the case, or else of a new run. Adds the time that this
  /// takes.
  CaseResult look_at(const Case& c, const fs::path& program);
  /// Runs a case's program, and adds the time that this takes.
  /// @param folder where, below the scratch folder: the next run there removes the files of this run
  RunResult run(const Case& c, const fs::path& program, const CaseData& data, const char* folder = "run");
  /// Stores the facts about a case's run that later cases need.
  void remember(const CaseResult& result);
  /// A case's result as a grading contains it, without details that students may not see.
  CaseResult as_shown(const Case& c, CaseResult result) const;
  void say(const std::string& what) const;
  /// @throws Error (environment) after Ctrl-C
  void stop_if_interrupted() const;
};

/// A step for a whole submission.
struct Step {
  const char* name;
  void (*run)(Work&);
};

/// A case in progress.
struct CaseWork {
  Work& work;
  const Case& c;
  CaseData data = {};
  fs::path program = {};
  RunResult run = {};
  CaseResult result = {};
  bool settled = false;  ///< whether the case has its verdict
};

/// A step for each case. It returns whether the case has its verdict; if so, the remaining steps are skipped.
struct CaseStep {
  const char* name;
  bool (*run)(CaseWork&);
};

/// Runs the steps of a list. After Ctrl-C, stops between two steps.
void run_steps(Work& work, const Step* begin, const Step* end);
template <std::size_t n>
void run_steps(Work& work, const Step (&steps)[n]) {
  run_steps(work, steps, steps + n);
}

/// Runs a list of steps for every case that has no verdict. A fault of the kit becomes the verdict of its
/// case only.
void run_cases(Work& work, const CaseStep* begin, const CaseStep* end);
template <std::size_t n>
void run_cases(Work& work, const CaseStep (&steps)[n]) {
  run_cases(work, steps, steps + n);
}

namespace steps {

/// Whether a run under the checker ended without a result because the machine is too slow or too small. This
/// is not a mistake of the student.
bool says_nothing(const CaseResult& watched);
/// Fails a case whose program the checker can't run.
/// @param what such as "the program can't be checked"
/// @param option the option of emucc
bool fail_unwatched(CaseWork& one, const std::string& what, const std::string& option,
                    const std::string& refused);

// Steps for a whole submission.
void begin_record(Work&);    ///< stores submission, folder and time in the grading
void need_sanitizer(Work&);  ///< fails early if there is a GPU but no compute-sanitizer
void look_at_headers(Work&);
void start_oracle(Work&);  ///< compiles the oracle in parallel with the submission
void compile(Work&);
void compile_macros(Work&);  ///< builds the programs of cases with macros in parallel
void start_macros(Work&);    ///< does the same in parallel with running cases, which must not be timed
void take_oracle(Work&);
void compile_checked(Work&);   ///< builds the programs of runs under the checker in parallel
void start_looks(Work&);       ///< starts the checker's runs of all cases that need one
void note_protection(Work&);   ///< notes that the program runs without a sandbox
void note_profile(Work&);      ///< notes that the program's work on the device is not recorded
void note_blind_spots(Work&);  ///< notes the limits of compute-sanitizer
void take_cases(Work&);        ///< lists the lab's cases, all without a verdict
void keep_results(Work&);      ///< stores the cases' results in the lab's order
void give_points(Work&);

// Steps for each case: reasons not to run it.
bool other_backend(CaseWork&);
bool forbidden_header(CaseWork&);
bool nothing_compiled(CaseWork&);
bool part_to_do(CaseWork&);  ///< settles a case whose part is blank, if the program reached a blank before
bool enough_time_outs(CaseWork&);

// Steps for each case: its run and judgement.
bool make_data(CaseWork&);
bool choose_program(CaseWork&);
bool run_program(CaseWork&);
bool judge_run(CaseWork&);     ///< uses the lab's judge, too, which may want further runs
bool judge_counts(CaseWork&);  ///< judges the kernels' counts, in a separate run if the profile lacks them
bool keep_times(CaseWork&);    ///< keeps the times of a visible case
bool judge_no_findings(CaseWork&);  ///< runs the program again under the checker
bool run_under_checker(CaseWork&);

/// Runs the checker on a failed case. The first cause that is found is reported. A grading checks only a few
/// cases and compiles one program for them, so that further cases with the same macros cost only their run.
void explain_by_checker(CaseWork&);

}  // namespace steps
}  // namespace grader
