// Each way in which a run can end has a branch. Messages contain the case's own numbers.
#include "judge/end_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iterator>

#include "base/columns.hpp"
#include "base/terminal.hpp"
#include "judge/judge.hpp"
#include "judge/stop_words.hpp"
#include "run/wire_reader.hpp"

namespace grader {
namespace {

using End = ProcessResult::End;

/// The names of the values of ProcessResult::End, in their order.
constexpr const char* end_names[] = {"exited",       "signalled",  "time_out",      "memory_limit",
                                     "output_limit", "file_limit", "process_limit", "killed",
                                     "interrupted",  "not_started"};

End end_named(const std::string& name) {
  const auto found = std::find(std::begin(end_names), std::end(end_names), name);
  return found == std::end(end_names) ? End::not_started : static_cast<End>(found - std::begin(end_names));
}

std::string with_full_stop(std::string sentence) {
  while (!sentence.empty() && sentence.back() == ' ') sentence.pop_back();
  if (!sentence.empty() && std::string_view(".!?").find(sentence.back()) == std::string_view::npos)
    sentence += '.';
  return sentence;
}

std::string run_by_hand(const Lab& lab, const Case& c) {
  std::string arguments;
  for (const std::string& argument : c.args) arguments += " " + argument;
  return fmt::format("the case runs the program of {} with{}", lab.id,
                     arguments.empty() ? " no arguments" : ":" + arguments);
}

void say_signal(CaseResult& result, const Lab& lab, const Case& c, int signal) {
  set_verdict(result, Verdict::crash, fmt::format("the program crashed: {}", signal_words(signal)),
              signal == SIGSEGV || signal == SIGBUS
                  ? "look for a device pointer used by the host, and for an index beyond the end of an array"
                  : run_by_hand(lab, c));
}

/// A program that prints at least this many bytes may spend the time of its run on printing. A lab's program prints
/// only a few lines.
constexpr std::uint64_t many_prints = 64 << 10;

void say_time_out(CaseResult& result, const RunEnd& end, const std::optional<kit_wire::Stop>& stop) {
  if (end.printed >= many_prints) {
    set_verdict(
        result, Verdict::time_out,
        fmt::format(
            "the program was stopped after {:g} s, the limit of this case, and had printed {} or more",
            end.limit_s, human_bytes(static_cast<double>(end.printed))),
        "remove the prints, above all those of a kernel: they may take the time, not the computation");
    return;
  }
  const std::string places = stop ? words_of_threads(*stop) : "";
  set_verdict(result, Verdict::time_out,
              fmt::format("the program was stopped after {:g} s, the limit of this case{}", end.limit_s,
                          places.empty() ? "" : "; " + places),
              places.empty()
                  ? "look for a loop that never ends, and for threads that wait for each other"
                  : "look at these lines: which loop never ends, and what do its threads wait for?");
}

/// Sets the verdict of a program that did not end by itself.
void say_limit(CaseResult& result, const RunEnd& end, End how, const std::optional<kit_wire::Stop>& stop) {
  switch (how) {
    case End::exited:
    case End::signalled:
      return;
    case End::time_out:
      say_time_out(result, end, stop);
      return;
    case End::memory_limit:
      set_verdict(result, Verdict::memory_limit,
                  fmt::format("the program was stopped: it used {} of memory",
                              human_bytes(static_cast<double>(end.peak_memory))),
                  "look at the sizes that you allocate, and for an allocation inside a loop");
      return;
    case End::output_limit:
      set_verdict(result, Verdict::output_limit, "the program was stopped: it printed without end",
                  "remove the prints, above all those of a kernel: each thread prints a line of its own");
      return;
    case End::file_limit:
      set_verdict(
          result, Verdict::output_limit,
          "the program wrote more to the disk, or into more and deeper folders, than any result needs",
          "write the result once, through the lab's own function");
      return;
    case End::process_limit:
      set_verdict(result, Verdict::process_limit,
                  "the program was stopped: it started too many processes or threads",
                  "a lab's program needs no processes of its own");
      return;
    case End::killed:
      set_verdict(
          result, Verdict::grader_fault,
          "the program was run twice, and killed from outside both times: by a person, or by a system that "
          "ran "
          "out of memory",
          "grade it again; dmesg says whether memory ran out");
      return;
    case End::interrupted:
      throw Error(ErrorKind::environment, "Interrupted.");
    case End::not_started:
      set_verdict(result, Verdict::grader_fault,
                  fmt::format("the program was not started: {}", end.not_started), "grader doctor");
      return;
  }
}

/// The place where the student should look for the cause of a CUDA error: in the stopped kernel if the kernel
/// caused the error, otherwise at the call.
kit_wire::Place place_to_look_at(const std::optional<kit_wire::CudaError>& error,
                                 const std::optional<kit_wire::Stop>& stop) {
  const bool stopped = stop && stop->place.known();
  if (!error) return stopped ? stop->place : kit_wire::Place{};
  return stopped && stop->error == error->error ? stop->place : error->place;
}

/// Sets the verdict of a program that ended with the exit code of CUDA errors. If there is no record of the
/// error, the student's own code checks the calls, so the message quotes the first line that the program
/// printed.
void say_cuda_error(CaseResult& result, const RunEnd& end, const std::optional<kit_wire::Stop>& stop) {
  const auto error = read_cuda_error(end.cuda_error);
  const kit_wire::Place place = place_to_look_at(error, stop);
  std::string message, cause;
  std::string next =
      place.known() ? "look at " + printable(words_of(place)) : "look at the call that is named";
  if (error) {
    message = words_of_error(*error);
    cause = error->cause;
  } else {
    message = end.first_line.empty() ? "the program ended with exit code 3 (a CUDA error) and printed nothing"
                                     : "CUDA reported an error: " + end.first_line;
    if (stop) cause = words_of_stop(*stop);
  }
  if (cause.empty())
    next =
        "the line names the call that noticed it; an error inside a kernel shows at the next synchronisation";
  else
    message = with_full_stop(message) + " Likely cause: " + cause;
  set_verdict(result, Verdict::crash, printable(message), next);
  result.place = {printable(place.file), static_cast<unsigned>(place.line)};
}

/// Sets the verdict for the exit codes of a program that leaves no output to verify.
void say_exit_code(CaseResult& result, const Lab& lab, const Case& c, const RunEnd& end,
                   const std::optional<kit_wire::Stop>& stop) {
  switch (end.code) {
    case bad_usage: {
      const std::string& line = end.first_line;
      set_verdict(result, Verdict::no_output,
                  line.empty() ? "the program refused its arguments or inputs (exit code 2)"
                               : "the program refused its arguments or inputs: " + line,
                  run_by_hand(lab, c));
      return;
    }
    case cuda_error:
      say_cuda_error(result, end, stop);
      return;
    case still_to_do: {
      const auto todo = read_todo(end.todo);
      set_verdict(
          result, Verdict::todo,
          todo ? printable(fmt::format("part {} is still to do ({})", todo->part, words_of(todo->place)))
               : "a part is still to do",
          fmt::format("grader hint {}", lab.id));
      return;
    }
    default:
      set_verdict(result, Verdict::crash,
                  fmt::format("the program ended with exit code {}, which no lab's program uses", end.code),
                  "end main with the value that the skeleton returns");
      return;
  }
}

}  // namespace

std::string first_line_of(const ProcessResult& process) {
  for (const std::string* text : {&process.err, &process.out}) {
    for (const std::string& line : split_lines(*text))
      if (line.find_first_not_of(" \t") != std::string::npos) return printable(line);
  }
  return {};
}

void set_verdict(CaseResult& result, Verdict verdict, std::string message, std::string next_step) {
  result.verdict = verdict;
  result.message = with_full_stop(std::move(message));
  result.next_step = std::move(next_step);
}

RunEnd end_of(const Case& c, const RunResult& run, Backend backend) {
  RunEnd end;
  end.how = end_names[static_cast<std::size_t>(run.process.end)];
  end.code = run.process.code;
  end.limit_s = backend == Backend::gpu ? c.timeout_gpu : c.timeout_emu;
  end.printed = run.process.out.size() + run.process.err.size();
  end.peak_memory = run.process.peak_memory;
  end.first_line = first_line_of(run.process);
  end.not_started = run.process.error;
  if (run.stop) end.stop = printable(kit_wire::stop_line(*run.stop));
  if (run.cuda_error) end.cuda_error = printable(kit_wire::cuda_error_line(*run.cuda_error));
  if (run.todo) end.todo = printable(kit_wire::todo_line(*run.todo));
  return end;
}

bool ends_with_cuda_error(const RunEnd& end) {
  return end_named(end.how) == End::exited && end.code == cuda_error;
}

void add_stop(CaseResult& result, const kit_wire::Stop& stop) {
  if (result.verdict != Verdict::crash && result.verdict != Verdict::no_output) return;
  result.message +=
      fmt::format(" Before that the emulation stopped a kernel: {}", with_full_stop(words_of_stop(stop)));
}

void say_end(CaseResult& result, const Lab& lab, const Case& c) {
  const RunEnd& end = *result.ended;
  const End how = end_named(end.how);
  const std::optional<kit_wire::Stop> stop = read_stop(end.stop);
  if (how == End::exited)
    say_exit_code(result, lab, c, end, stop);
  else if (how == End::signalled)
    say_signal(result, lab, c, end.code);
  else
    say_limit(result, end, how, stop);
  if (stop && !ends_with_cuda_error(end)) add_stop(result, *stop);
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
