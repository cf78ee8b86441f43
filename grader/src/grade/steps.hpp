/// @file
/// The steps of `grade` and `check`, and what they share. Private to grade/; grade.cpp has the lists.
///
/// A step does one thing, and reads what the steps before it left in the Work. Verdicts are not decided here but in
/// judge.hpp (a run), checking.hpp (findings) and score.hpp (the submission).
#pragma once
#include <atomic>
#include <future>

#include "base/scratch.hpp"
#include "check/checking.hpp"
#include "grade/grade.hpp"
#include "grade/judge.hpp"
#include "grade/looks.hpp"
#include "run/ncu.hpp"

namespace grader {

struct CaseWork;

/// What counting a case came to.
struct Counted {
  std::vector<LaunchCounts> launches;
  std::string refused;  ///< why emucc does not compile the program for it; empty: it does, or is not here
  CaseResult run;       ///< of the run that was counted
  bool ran = false;
};

/// A grading in the making.
struct Work {
  Work(const GradeContext& context, bool check);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work();

  const GradeContext& context;
  const Lab& lab;    ///< of the submission
  const bool check;  ///< looks for mistakes instead of giving points; the lab is then a checking_lab()
  const ScratchFolder scratch;
  const Stopwatch watch;
  const JudgeContext judging;

  Grading grading;
  std::vector<CaseWork> cases;  ///< in the order in which they run
  int cases_done = 0;           ///< of all lists of cases
  fs::path program;             ///< of cases without macros; empty: it does not compile
  std::future<fs::path> oracle_to_come;
  std::future<void> programs_to_come;  ///< of cases with macros
  std::atomic<bool> ended = false;     ///< nobody waits for programs any more
  fs::path oracle;
  std::string oracle_fault;  ///< why the oracle can't be used; empty: it can
  bool any_ran = false;
  bool still_to_do = false;  ///< the program came to a blank
  int time_outs = 0;
  std::map<std::string, CaseResult> checked;  ///< what the checker said of a program and its arguments
  struct Built {
    BuildResult result;
    double at = 0;  ///< by the steady clock
  };
  std::map<std::string, Built> known_programs;  ///< of this submission: cases share programs
  std::string forbidden;                        ///< a header that the lab does not allow; empty: none
  bool explained = false;                       ///< the checker found why a result is wrong
  const Macros* asked_why = nullptr;  ///< of the failed cases for which the checker was asked; null: of none
  int times_asked_why = 0;
  Looks looks;  ///< the last member: they are over before anything that they use is gone

  Instrument instrument() const;
  /// Builds the submission, and counts the time that it takes. What was built or failed in this grading is known.
  BuildResult build_with(const Macros& macros, Backend backend, Instrument instrument);
  /// Builds several programs at the same time, into the cache.
  void build_programs(const std::vector<ProgramToBuild>& programs, Backend backend);
  /// The same while this thread goes on; whoever wants one of them by build_with() waits for that one.
  void start_programs(std::vector<ProgramToBuild> programs, Backend backend);
  /// A case's inputs, and what is right for them.
  /// @throws Error (fault) where the oracle can't be used
  CaseData data_of(const Case& c) const;
  /// The same in a folder that the caller chooses.
  CaseData data_in(const fs::path& folder, const Case& c) const;
  /// Runs a case's program with the emulation's counters, and judges the result of that run too.
  Counted count(const Case& c, const CaseData& data);
  /// Adds a note that is not there yet.
  void note_once(const std::string& note);
  /// Where programs are looked at: a check's own backend; a grading asks the checker, which is the emulation's.
  Backend looking() const { return check ? context.backend : Backend::emu; }
  /// Runs a case at its checking size under the checker in emulation, or under compute-sanitizer, and judges what is found. May
  /// be called by several threads at the same time.
  CaseResult make_look(const Case& c, const fs::path& program) const;
  /// The same of a program that is in the cache, or is built now; none where it does not compile.
  std::optional<CaseResult> make_look_of_built(const Case& c) const;
  /// The look that was begun at the case, or one that is made now; counts the time that it was waited for.
  CaseResult look_at(const Case& c, const fs::path& program);
  /// Runs a case's program, and counts the time that it takes.
  RunResult run(const Case& c, const fs::path& program, const CaseData& data);
  /// What the cases behind it have to know of a case's run.
  void remember(const CaseResult& result);
  void say(const std::string& what) const;
  /// @throws Error (environment) after Ctrl-C
  void stop_if_interrupted() const;
};

/// What is done once for a submission.
struct Step {
  const char* name;
  void (*run)(Work&);
};

/// A case at work.
struct CaseWork {
  Work& work;
  const Case& c;
  CaseData data = {};
  fs::path program = {};
  RunResult run = {};
  CaseResult result = {};
  bool settled = false;  ///< it has its verdict
};

/// What is done for each case. @return whether the case has its verdict: then what follows in the list is left out
struct CaseStep {
  const char* name;
  bool (*run)(CaseWork&);
};

/// Calls a list's steps, and stops between two of them after Ctrl-C.
void run_steps(Work& work, const Step* begin, const Step* end);
template <std::size_t n>
void run_steps(Work& work, const Step (&steps)[n]) {
  run_steps(work, steps, steps + n);
}

/// Takes every case that has no verdict yet through a list of steps. What is the kit's own fault becomes the verdict of its
/// case, and does not hide the others.
void run_cases(Work& work, const CaseStep* begin, const CaseStep* end);
template <std::size_t n>
void run_cases(Work& work, const CaseStep (&steps)[n]) {
  run_cases(work, steps, steps + n);
}

namespace steps {

/// A run that was watched stopped before it could say anything, on a machine that is too slow or too small for it: nobody's
/// mistake.
bool says_nothing(const CaseResult& watched);
/// What can't be watched does not pass. @param what "the program can't be checked" @param option of emucc's
bool fail_unwatched(CaseWork& one, const std::string& what, const std::string& option,
                    const std::string& refused);

// Once for a submission.
void begin_record(Work&);    ///< what is graded, where and when
void need_sanitizer(Work&);  ///< throws at once where a GPU has no compute-sanitizer
void look_at_headers(Work&);
void start_oracle(Work&);  ///< its compilation, beside the submission's
void compile(Work&);
void compile_macros(Work&);  ///< the programs of cases with macros, all at the same time
void start_macros(Work&);    ///< the same, beside cases that run: none of them is timed
void take_oracle(Work&);
void compile_checked(Work&);   ///< the programs of second looks, all at the same time
void start_looks(Work&);       ///< the checker's runs of all cases that will ask for one
void note_protection(Work&);   ///< that the program runs without a sandbox
void note_profile(Work&);      ///< that nobody watches what the program does on the device
void note_blind_spots(Work&);  ///< what compute-sanitizer does not see
void take_cases(Work&);        ///< those of the lab, all without a verdict
void keep_results(Work&);      ///< those of the cases, in the lab's order
void give_points(Work&);

// For each case: reasons not to run it.
bool other_backend(CaseWork&);
bool forbidden_header(CaseWork&);
bool nothing_compiled(CaseWork&);
bool part_to_do(CaseWork&);  ///< a part that it proves is blank, and the program came to a blank before
bool enough_time_outs(CaseWork&);

// For each case: what is done.
bool make_data(CaseWork&);
bool choose_program(CaseWork&);
bool run_program(CaseWork&);
bool judge_run(CaseWork&);
bool judge_counts(CaseWork&);  ///< what the kernels did, in a run of its own where the profile does not tell
bool judge_explanation(CaseWork&);  ///< the student's reasons, against what was measured
bool judge_near_best(CaseWork&);  ///< against the same sources with other macros, where the case asks for it
bool keep_times(CaseWork&);       ///< of a case that everybody may see
bool judge_no_findings(CaseWork&);  ///< in a second run, under the checker
bool run_under_checker(CaseWork&);

/// Asks the checker why a case failed; its first answer leads. A grading asks for few cases, and compiles one
/// program for it: of others with the same macros only the run is paid for.
void explain_by_checker(CaseWork&);

}  // namespace steps
}  // namespace grader
