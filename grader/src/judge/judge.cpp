// The end of a run is judged first: a program that crashed has no usable output. Messages name the case's own
// numbers.
#include "judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <random>

#include "base/columns.hpp"
#include "base/terminal.hpp"
#include "judge/stop_words.hpp"
#include "verify/origin.hpp"
#include "verify/patterns.hpp"
#include "verify/requirements.hpp"
#include "verify/verify.hpp"

namespace grader {
namespace {

using End = ProcessResult::End;

constexpr std::size_t excerpt_bytes = 4000;
constexpr int freivalds_rounds = 3;

/// Exit codes of the contract between the grader and a lab's program.
enum ExitCode { ran = 0, self_test_failed = 1, bad_usage = 2, cuda_error = 3, still_to_do = 4, missed = 5 };

/// The end of the program's output: its errors, else its standard output.
std::string excerpt(const ProcessResult& process) {
  const bool has_errors = process.err.find_first_not_of(" \r\n\t") != std::string::npos;
  const std::string& text = has_errors ? process.err : process.out;
  if (text.size() <= excerpt_bytes) return text;
  const std::size_t begin = text.find('\n', text.size() - excerpt_bytes);
  return begin == std::string::npos ? text.substr(text.size() - excerpt_bytes) : text.substr(begin + 1);
}

/// The first non-blank line of the program's errors, else of its output.
std::string first_line(const ProcessResult& process) {
  for (const std::string* text : {&process.err, &process.out}) {
    for (const std::string& line : split_lines(*text))
      if (line.find_first_not_of(" \t") != std::string::npos) return printable(line);
  }
  return {};
}

std::string with_full_stop(std::string sentence) {
  while (!sentence.empty() && sentence.back() == ' ') sentence.pop_back();
  if (!sentence.empty() && std::string_view(".!?").find(sentence.back()) == std::string_view::npos)
    sentence += '.';
  return sentence;
}

/// Sets a result; every verdict is set here, so that each has a message.
void set(CaseResult& result, Verdict verdict, std::string message, std::string next_step = {}) {
  result.verdict = verdict;
  result.message = with_full_stop(std::move(message));
  result.next_step = std::move(next_step);
}

std::string run_by_hand(const Lab& lab, const Case& c) {
  std::string arguments;
  for (const std::string& argument : c.args) arguments += " " + argument;
  return fmt::format("the case runs the program of {} with{}", lab.id,
                     arguments.empty() ? " no arguments" : ":" + arguments);
}

void judge_signal(CaseResult& result, const Lab& lab, const Case& c, int signal) {
  set(result, Verdict::crash, fmt::format("the program crashed: {}", signal_words(signal)),
      signal == SIGSEGV || signal == SIGBUS
          ? "look for a device pointer used by the host, and for an index beyond the end of an array"
          : run_by_hand(lab, c));
}

/// From this many bytes on, prints may take the time of a run: a lab's program prints some lines.
constexpr std::size_t many_prints = 64 << 10;

void judge_time_out(CaseResult& result, const Case& c, const RunResult& run, Backend backend) {
  const double limit = backend == Backend::gpu ? c.timeout_gpu : c.timeout_emu;
  if (run.process.out.size() + run.process.err.size() >= many_prints) {
    set(result, Verdict::time_out,
        fmt::format(
            "the program was stopped after {:g} s, the limit of this case, and had printed {} or more", limit,
            human_bytes(static_cast<double>(run.process.out.size()))),
        "remove the prints, above all those of a kernel: they may take the time, not the computation");
    return;
  }
  const std::string places = run.stop ? words_of_threads(*run.stop) : "";
  set(result, Verdict::time_out,
      fmt::format("the program was stopped after {:g} s, the limit of this case{}", limit,
                  places.empty() ? "" : "; " + places),
      places.empty() ? "look for a loop that never ends, and for threads that wait for each other"
                     : "look at these lines: which loop never ends, and what do its threads wait for?");
}

/// Judges the end of a program that did not end by itself.
void judge_limits(CaseResult& result, const Case& c, const RunResult& run, Backend backend) {
  switch (run.process.end) {
    case End::exited:
    case End::signalled:
      return;
    case End::time_out:
      judge_time_out(result, c, run, backend);
      return;
    case End::memory_limit:
      set(result, Verdict::memory_limit,
          fmt::format("the program was stopped: it used {} of memory",
                      human_bytes(static_cast<double>(run.process.peak_memory))),
          "look at the sizes that you allocate, and for an allocation inside a loop");
      return;
    case End::output_limit:
      set(result, Verdict::output_limit, "the program was stopped: it printed without end",
          "remove the prints, above all those of a kernel: each thread prints a line of its own");
      return;
    case End::file_limit:
      set(result, Verdict::output_limit,
          "the program wrote more to the disk, or into more and deeper folders, than any result needs",
          "write the result once, through the lab's own function");
      return;
    case End::process_limit:
      set(result, Verdict::process_limit, "the program was stopped: it started too many processes or threads",
          "a lab's program needs no processes of its own");
      return;
    case End::killed:
      set(result, Verdict::grader_fault,
          "the program was run twice, and killed from outside both times: by a person, or by a system that "
          "ran "
          "out of memory",
          "grade it again; dmesg says whether memory ran out");
      return;
    case End::interrupted:
      throw Error(ErrorKind::environment, "Interrupted.");
    case End::not_started:
      set(result, Verdict::grader_fault, fmt::format("the program was not started: {}", run.process.error),
          "grader doctor");
      return;
  }
}

/// Whether it has the exit code of CUDA errors.
bool ends_with_cuda_error(const RunResult& run) {
  return run.process.end == End::exited && run.process.code == cuda_error;
}

/// Where to look for the cause of a CUDA error: in the stopped kernel, if the error is its own, else at the call.
kit_wire::Place place_to_look_at(const RunResult& run) {
  const bool stopped = run.stop && run.stop->place.known();
  if (!run.cuda_error) return stopped ? run.stop->place : kit_wire::Place{};
  return stopped && run.stop->error == run.cuda_error->error ? run.stop->place : run.cuda_error->place;
}

/// A program that ended with the exit code of CUDA errors. Without a record of the error its author checks calls with
/// code of their own, and its first line is quoted.
void judge_cuda_error(CaseResult& result, const RunResult& run) {
  std::string message, cause;
  const kit_wire::Place place = place_to_look_at(run);
  std::string next =
      place.known() ? "look at " + printable(words_of(place)) : "look at the call that is named";
  if (run.cuda_error) {
    message = words_of_error(*run.cuda_error);
    cause = run.cuda_error->cause;
  } else {
    const std::string first = first_line(run.process);
    message = first.empty() ? "the program ended with exit code 3 (a CUDA error) and printed nothing"
                            : "CUDA reported an error: " + first;
    if (run.stop) cause = words_of_stop(*run.stop);
  }
  if (cause.empty())
    next =
        "the line names the call that noticed it; an error inside a kernel shows at the next synchronisation";
  else
    message = with_full_stop(message) + " Likely cause: " + cause;
  set(result, Verdict::crash, printable(message), next);
  result.place = {printable(place.file), static_cast<unsigned>(place.line)};
}

/// The output of a program that ended with a CUDA error, without the error: the message has it.
std::string excerpt_beside_error(const RunResult& run) {
  ProcessResult rest = run.process;
  if (!run.cuda_error) {
    const std::string first = first_line(rest);
    std::string others;
    for (const std::string& line : split_lines(rest.err))
      if (printable(line) != first) others += line + "\n";
    rest.err = others;
  }
  rest.out.clear();
  return excerpt(rest);
}

/// Judges the exit codes of a program that leaves no output to verify.
void judge_exit_code(CaseResult& result, const Lab& lab, const Case& c, const RunResult& run) {
  switch (run.process.code) {
    case bad_usage: {
      const std::string line = first_line(run.process);
      set(result, Verdict::no_output,
          line.empty() ? "the program refused its arguments or inputs (exit code 2)"
                       : "the program refused its arguments or inputs: " + line,
          run_by_hand(lab, c));
      return;
    }
    case cuda_error:
      judge_cuda_error(result, run);
      return;
    case still_to_do: {
      set(result, Verdict::todo,
          run.todo ? printable(fmt::format("part {} is still to do ({})", run.todo->part,
                                           words_of(run.todo->place)))
                   : "a part is still to do",
          fmt::format("grader hint {}", lab.id));
      return;
    }
    default:
      set(result, Verdict::crash,
          fmt::format("the program ended with exit code {}, which no lab's program uses", run.process.code),
          "end main with the value that the skeleton returns");
      return;
  }
}

/// Judges a run that did not reach its end.
void judge_end(CaseResult& result, const Lab& lab, const Case& c, const RunResult& run, Backend backend) {
  if (run.process.end == End::exited)
    judge_exit_code(result, lab, c, run);
  else if (run.process.end == End::signalled)
    judge_signal(result, lab, c, run.process.code);
  else
    judge_limits(result, c, run, backend);
  if (result.verdict != Verdict::todo)
    result.output_excerpt = ends_with_cuda_error(run) ? excerpt_beside_error(run) : excerpt(run.process);
}

/// The next step where the pattern does not name another computation: look at the case's own part.
std::string next_of_mismatch(const Lab& lab, const Case& c, const Mismatch& m) {
  if (lab.output.is_printed() && !m.pattern.empty())
    return "check that cause first; the lines below are those that are missing or extra";
  const auto part = std::find_if(lab.parts.begin(), lab.parts.end(), [&](const Part& known) {
    return c.parts.size() == 1 && known.id == c.parts.front();
  });
  if (part != lab.parts.end() && lab.parts.size() > 1 && tells(m.pattern) != Tells::cause)
    return fmt::format("look at part {}, \"{}\": this case is about it alone", part->id, part->title);
  if (m.pattern.empty()) return "compute the first wrong element by hand, and compare each step";
  if (tells(m.pattern) != Tells::cause)
    return "start from what is said of the wrong elements; if that is not enough, compute the first one "
           "by hand, and compare each step";
  return "check that cause first; the first wrong elements show where it acts";
}

/// Verifies the output by its case's method. If it is a file, it must exist.
Verification verify(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data) {
  RunFacts facts = run_facts(run.profile);
  facts.inputs_copied = [&] { return inputs_copied(run.profile, data.inputs); };
  if (lab.output.is_printed()) return verify_lines(run.process.out, data.expected, facts);
  if (c.verify == Verify::freivalds) {
    // A random seed: a program that knew it could pass with a wrong product.
    std::random_device random;
    const std::uint64_t seed = (static_cast<std::uint64_t>(random()) << 32) | random();
    return verify_product(run.output, data.inputs, c.tolerance, seed, freivalds_rounds, facts);
  }
  const Comparison how{lab.output.layout(), c.verify == Verify::sample, facts};
  return verify_array(run.output, data.expected, c.tolerance, data.inputs, how);
}

void judge_output(Judgement& judgement, const Lab& lab, const Case& c, const RunResult& run,
                  const CaseData& data) {
  CaseResult& result = judgement.result;
  const bool array = !lab.output.is_printed();
  if (array && run.output.empty()) {
    set(result, Verdict::no_output,
        run.output_problem.empty()
            ? fmt::format("the program ended without writing its result {}", lab.output.name())
            : fmt::format("the program's result {} does not count: {}", lab.output.name(),
                          run.output_problem),
        "keep the line of the skeleton that writes the result; return from main only after it");
    return;
  }
  Verification verification = verify(lab, c, run, data);
  if (verification.right) {
    set(result, Verdict::passed, "");
    return;
  }
  if (!verification.mismatch) {
    set(result, Verdict::no_output, verification.problem,
        "write the result with the lab's own function, in the size of the skeleton");
    return;
  }
  if (c.verify != Verify::sample) judgement.wrong = std::move(verification.wrong);
  result.mismatch = std::move(verification.mismatch);
  if (array) explain_with_profile(*result.mismatch, run.profile, data.inputs, run.output);
  std::string message = words_of_extent(c, *result.mismatch);
  if (!result.mismatch->explanation.empty()) message += " " + result.mismatch->explanation;
  if (!c.about.empty() && tells(result.mismatch->pattern) != Tells::cause)
    message += fmt::format(" What is special here: {}.", c.about);
  set(result, Verdict::wrong_answer, std::move(message), next_of_mismatch(lab, c, *result.mismatch));
}

/// Judges the case's requirements besides the right output.
void judge_requirements(CaseResult& result, const Lab& lab, const Case& c, const RunResult& run,
                        const CaseData& data, const JudgeContext& context) {
  if (!context.profile_expected && run.profile.source.empty() && run.profile.doubt.empty()) return;
  std::string broken = run.profile.doubt.empty()
                           ? ""
                           : fmt::format("The profile of the run does not count: {}.", run.profile.doubt);
  std::string next = "leave the profile to those who write it";
  if (broken.empty()) {
    broken = kernel_problem(run.profile);
    next = "compute the result in a kernel and launch it";
  }
  if (broken.empty() && c.from_device && is_origin_known(run.profile)) {
    broken = origin_problem(run.profile, run.output, lab.output.layout(), data.inputs);
    next = "let the kernel compute the result, and copy back what it leaves in device memory";
  }
  if (broken.empty() && run.process.code == missed) {
    broken = first_line(run.process);
    next = "the lab's handout says what it requires besides the right result";
  }
  if (broken.empty()) {
    for (const Requirement requirement : c.requirements) {
      switch (requirement) {
        case Requirement::freed:
          broken = freed_problem(run.profile);
          next = "call cudaFree for each cudaMalloc, before main returns";
          break;
        case Requirement::timers:
          broken = timers_problem(lab.printed_timers, run.process.out, run.profile);
          next =
              "start the timer before the work and stop it after the work has ended: launches return at once";
          break;
        case Requirement::shared:
          broken = shared_problem(run.profile);
          next = "let the threads of a block fetch together into __shared__ arrays, and read from there";
          break;
      }
      if (!broken.empty()) break;
    }
  }
  if (broken.empty() && c.verify == Verify::none)
    broken = took_place_problem(c.requirements, lab.printed_timers, run.profile);
  if (broken.empty()) return;
  const bool verified = c.verify != Verify::none;
  set(result, Verdict::requirement_failed, (verified ? "the output is right, but: " : "") + broken, next);
}

/// Names the stopped kernel where the program ended otherwise, and so reported no CUDA error.
void add_stop(CaseResult& result, const RunResult& run) {
  if (!run.stop || ends_with_cuda_error(run) ||
      (result.verdict != Verdict::crash && result.verdict != Verdict::no_output))
    return;
  result.message += fmt::format(" Before that the emulation stopped a kernel: {}",
                                with_full_stop(words_of_stop(*run.stop)));
}

}  // namespace

bool ends_in_order(const RunResult& run) {
  const int code = run.process.code;
  return run.process.end == End::exited && (code == ran || code == self_test_failed || code == missed);
}

Judgement judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                const JudgeContext& context) {
  Judgement judgement;
  CaseResult& result = judgement.result;
  result.id = c.id;
  result.visibility = c.visibility;
  result.wall_s = run.wall_s;
  if (!ends_in_order(run)) {
    judgement.right = false;
    judge_end(result, lab, c, run, context.backend);
    add_stop(result, run);
    return judgement;
  }
  if (c.verify != Verify::none) {
    judge_output(judgement, lab, c, run, data);
    judgement.right = result.verdict == Verdict::passed;
  } else if (context.profile_expected || !run.profile.source.empty()) {
    set(result, Verdict::passed, "");
  } else {
    set(result, Verdict::unsupported,
        "only a profile shows what this case requires, and this machine can't take one", "grader doctor");
  }
  if (result.verdict == Verdict::passed) judge_requirements(result, lab, c, run, data, context);
  if (result.verdict == Verdict::no_output) result.output_excerpt = excerpt(run.process);
  add_stop(result, run);
  return judgement;
}

std::string words_of_extent(const Case& c, const Mismatch& m) {
  if (m.total == 1 && m.first.size() == 1 && c.verify != Verify::lines)
    return fmt::format("The result is {}, and should be {}.", printable(m.first[0].got),
                       printable(m.first[0].expected));
  if (c.verify == Verify::lines)
    return fmt::format("{} line{} missing or extra, of {} expected.", m.wrong, m.wrong == 1 ? " is" : "s are",
                       m.total);
  const char* unit = c.verify == Verify::freivalds ? "row"
                     : c.verify == Verify::sample  ? "compared element"
                                                   : "element";
  if (m.total == 1) return fmt::format("The only {} is wrong.", unit);
  return fmt::format("{} of {} {}s {} wrong.", m.wrong, m.total, unit, m.wrong == 1 ? "is" : "are");
}

std::string signal_words(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault (SIGSEGV), it read or wrote memory that is not its own";
    case SIGBUS:
      return "bus error (SIGBUS), it read or wrote at an impossible address";
    case SIGABRT:
      return "it aborted itself (SIGABRT), as a failed assert, an uncaught exception or a damaged heap does";
    case SIGFPE:
      return "arithmetic error (SIGFPE), most often an integer divided by zero";
    case SIGILL:
      return "illegal instruction (SIGILL), as a function without its return statement gives";
    case SIGTRAP:
      return "trap (SIGTRAP)";
    case SIGKILL:
      return "it was killed (SIGKILL), most often because the machine's memory ran out";
    case SIGPIPE:
      return "broken pipe (SIGPIPE)";
    case SIGSYS:
      return "it made a system call that no program may make here, or sent SIGKILL itself (SIGSYS)";
    case SIGXCPU:
      return "it used up its processor time (SIGXCPU)";
    default:
      return fmt::format("signal {}", signal);
  }
}

}  // namespace grader
