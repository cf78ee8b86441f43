// The end of a run is judged first: a program that crashed has no usable output. Messages name the case's own
// numbers.
#include "judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <random>

#include "base/columns.hpp"
#include "base/regex.hpp"
#include "base/terminal.hpp"
#include "verify/origin.hpp"
#include "verify/patterns.hpp"
#include "verify/requirements.hpp"
#include "verify/verify.hpp"

namespace grader {
namespace {

using End = ProcessResult::End;

constexpr std::size_t excerpt_bytes = 4000;
constexpr std::size_t longest_sentence = 1000;  // of a program's error message
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

/// The first non-blank line with `piece` in the program's errors, else in its output.
std::string printed_line(const ProcessResult& process, const std::string& piece = {}) {
  for (const std::string* text : {&process.err, &process.out}) {
    for (const std::string& line : split_lines(*text)) {
      if (line.find_first_not_of(" \t") != std::string::npos && line.find(piece) != std::string::npos)
        return printable(line);
    }
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

constexpr std::string_view before_kernel = "cuemu: kernel ", behind_kernel = " was stopped: it ran longer";

/// Start of the emulation's report on a kernel that timed out; npos: none.
std::size_t time_out_report(const std::string& err) {
  for (std::size_t at = err.find(before_kernel); at != std::string::npos;
       at = err.find(before_kernel, at + 1)) {
    const std::size_t end = err.find('\n', at);
    if ((at == 0 || err[at - 1] == '\n') && err.substr(at, end - at).find(behind_kernel) != std::string::npos)
      return at;
  }
  return std::string::npos;
}

/// "block (0, 0, 0), thread (3, 0, 0)" as "thread (3, 0, 0) of block (0, 0, 0) " or "in block (0, 0, 0) ".
std::string who_ran(const std::string& line, bool this_thread) {
  const std::size_t comma = line.find(", thread ");
  const std::string block = line.substr(0, std::min(comma, line.find(':')));
  return this_thread && comma != std::string::npos ? line.substr(comma + 2) + " of " + block + " "
                                                   : "in " + block + " ";
}

/// The threads' places, from that report:
/// "kernel product: thread (3, 0, 0) of block (0, 0, 0) was running at k.cu:41; 7 of 8 threads wait at …".
/// Empty without places.
std::string places_of_threads(const std::string& err) {
  constexpr std::string_view this_thread = "this thread ";
  const std::size_t begin = time_out_report(err);
  if (begin == std::string::npos) return {};
  const std::vector<std::string> lines = split_lines(err.substr(begin));
  const std::string name =
      lines[0].substr(before_kernel.size(), lines[0].find(behind_kernel) - before_kernel.size());
  std::string text, who;
  for (std::size_t i = 1; i < lines.size() && lines[i].rfind("  ", 0) == 0; ++i) {
    std::string line = lines[i].substr(std::min(lines[i].find_first_not_of(' '), lines[i].size()));
    if (line.empty() || line.rfind("of a launch", 0) == 0 || line.rfind("the program gets", 0) == 0) continue;
    if (line.rfind("block ", 0) == 0) {
      who = line;
      continue;
    }
    line = line.substr(0, line.find(" (the first is "));
    const bool is_this_thread = line.rfind(this_thread, 0) == 0;
    if (is_this_thread) line.erase(0, this_thread.size());
    text += (text.empty() ? "" : "; ") + (who.empty() ? "" : who_ran(who, is_this_thread)) + line;
    who.clear();
  }
  return text.empty() ? "" : printable(fmt::format("kernel {}: {}", name, text));
}

void judge_time_out(CaseResult& result, const Case& c, const RunResult& run, Backend backend) {
  const double limit = backend == Backend::gpu ? c.timeout_gpu : c.timeout_emu;
  const std::string places = places_of_threads(run.process.err);
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
          "the program was run twice, and killed from outside both times: by somebody, or by a system that "
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

/// The text after `label` in the first error line with it; empty: none.
std::string printed_behind(const ProcessResult& process, const std::string& label) {
  const std::string line = printed_line(process, label);
  const std::size_t at = line.find(label);
  const std::size_t begin = at == std::string::npos ? at : line.find_first_not_of(' ', at + label.size());
  return begin == std::string::npos ? "" : line.substr(begin, longest_sentence);
}

/// The place in a message on a bad access, as in "a read at kernel.cu:40, …"; empty: none.
std::string place_in(const std::string& cause) {
  static const Regex place("(?:read|write|access) at ([^ ,]+:[0-9]+)");
  const auto found = place.search(cause);
  return found ? (*found)[1] : "";
}

/// The lab's own check of CUDA calls (lab/check.hpp) prints "CUDA error at FILE:LINE: CALL", the error's text, and
/// "Likely cause: …" if it knows one.
void judge_cuda_error(CaseResult& result, const RunResult& run) {
  const std::string first = printed_line(run.process);
  const std::string call = printed_behind(run.process, "CUDA error at "),
                    cause = printed_behind(run.process, "Likely cause:");
  static const Regex parts("([^ ]+:[0-9]+): (.*)");
  std::string message, next;
  if (const auto found = parts.match(call)) {
    const std::string place = (*found)[1], what = (*found)[2];
    std::string text;  // of "  700 cudaErrorIllegalAddress: …"
    for (const std::string& line : split_lines(run.process.err)) {
      const std::size_t name = line.find(" cudaError"), colon = line.find(": ", name);
      if (name == std::string::npos || colon == std::string::npos) continue;
      text = printable(line.substr(colon + 2, longest_sentence));
      break;
    }
    message =
        fmt::format("CUDA reported an error at {}, {}{}{}", place, what, text.empty() ? "" : ": ", text);
    const std::string in_kernel = place_in(cause);
    next = "look at " + (in_kernel.empty() ? place : in_kernel);
  } else {
    message = first.empty() ? "the program ended with exit code 3 (a CUDA error) and printed nothing"
                            : "CUDA reported an error: " + first;
  }
  if (cause.empty())
    next =
        "the line names the call that noticed it; an error inside a kernel shows at the next synchronisation";
  else
    message = with_full_stop(message) + " Likely cause: " + cause;
  if (next.empty()) next = "look at the call that is named";
  set(result, Verdict::crash, message, next);
}

/// Judges the exit codes of a program that leaves no output to verify.
void judge_exit_code(CaseResult& result, const Lab& lab, const Case& c, const RunResult& run) {
  switch (run.process.code) {
    case bad_usage: {
      const std::string line = printed_line(run.process);
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
      const std::string line = printed_line(run.process, "still to do");
      set(result, Verdict::todo, line.empty() ? "a part is still to do" : line,
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
  ProcessResult shown = run.process;
  if (run.process.end == End::exited) {
    judge_exit_code(result, lab, c, run);
  } else if (run.process.end == End::signalled) {
    judge_signal(result, lab, c, run.process.code);
  } else {
    judge_limits(result, c, run, backend);
    shown.err.resize(std::min(time_out_report(shown.err), shown.err.size()));  // the message has this part
  }
  if (result.verdict != Verdict::todo) result.output_excerpt = excerpt(shown);
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
    broken = printed_line(run.process);
    next = "what is asked for beside the right result stands in the lab's handout";
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
    return judgement;
  }
  if (c.verify != Verify::none) {
    judge_output(judgement, lab, c, run, data);
    judgement.right = result.verdict == Verdict::passed;
  } else if (context.profile_expected || !run.profile.source.empty()) {
    set(result, Verdict::passed, "");
  } else {
    set(result, Verdict::unsupported,
        "what this case asks for shows in a profile, and none can be taken on this machine", "grader doctor");
  }
  if (result.verdict == Verdict::passed) judge_requirements(result, lab, c, run, data, context);
  if (result.verdict == Verdict::no_output) result.output_excerpt = excerpt(run.process);
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
