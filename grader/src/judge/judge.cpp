// How the run ended is judged first, since a program that crashed has no usable output. Messages contain the
// case's own numbers.
#include "judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "base/columns.hpp"
#include "base/terminal.hpp"
#include "judge/end_words.hpp"
#include "judge/lab_judge.hpp"
#include "verify/origin.hpp"
#include "verify/patterns.hpp"
#include "verify/requirements.hpp"
#include "verify/verify.hpp"

namespace grader {
namespace {

constexpr std::size_t excerpt_bytes = 4000;
constexpr int freivalds_rounds = 3;

/// The last lines of the program's error output, or else of its output.
std::string excerpt(const ProcessResult& process) {
  const bool has_errors = process.err.find_first_not_of(" \r\n\t") != std::string::npos;
  const std::string& text = has_errors ? process.err : process.out;
  if (text.size() <= excerpt_bytes) return text;
  const std::size_t begin = text.find('\n', text.size() - excerpt_bytes);
  return begin == std::string::npos ? text.substr(text.size() - excerpt_bytes) : text.substr(begin + 1);
}

/// The output of a program that ended with a CUDA error. The lines about the error are left out, since the
/// message contains them.
std::string excerpt_beside_error(const RunResult& run) {
  ProcessResult rest = run.process;
  if (!run.cuda_error) {
    const std::string first = first_line_of(rest);
    std::string others;
    for (const std::string& line : split_lines(rest.err))
      if (printable(line) != first) others += line + "\n";
    rest.err = others;
  }
  rest.out.clear();
  return excerpt(rest);
}

/// Judges a run that ended early.
void judge_end(CaseResult& result, const Lab& lab, const Case& c, const RunResult& run, Backend backend) {
  result.ended = end_of(c, run, backend);
  say_end(result, lab, c);
  if (result.verdict != Verdict::todo)
    result.output_excerpt =
        ends_with_cuda_error(*result.ended) ? excerpt_beside_error(run) : excerpt(run.process);
}

/// The next step for a pattern that does not name the wrong computation: look at the case's own part.
std::string next_of_mismatch(const Lab& lab, const Case& c, const Mismatch& m) {
  const auto part = std::find_if(lab.parts.begin(), lab.parts.end(), [&](const Part& known) {
    return c.parts.size() == 1 && known.id == c.parts.front();
  });
  if (part != lab.parts.end() && lab.parts.size() > 1 && meaning_of(m.pattern) != PatternMeaning::cause)
    return fmt::format("look at part {}, \"{}\": this case is about it alone", part->id, part->title);
  if (m.pattern.empty()) return "compute the first wrong element by hand, and compare each step";
  if (meaning_of(m.pattern) != PatternMeaning::cause)
    return "start from what is said of the wrong elements; if that is not enough, compute the first one "
           "by hand, and compare each step";
  return "check that cause first; the first wrong elements show where it acts";
}

/// Verifies the output by the method of its case. An output that is a file must exist.
Verification verify(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data) {
  RunFacts facts = run_facts(run.profile);
  facts.inputs_copied = [&] { return inputs_copied(run.profile, data.inputs); };
  if (c.verify == Verify::freivalds) {
    // The seed is random, since a program that knew it could pass with a wrong product.
    std::random_device random;
    const std::uint64_t seed = (static_cast<std::uint64_t>(random()) << 32) | random();
    return verify_product(run.output, data.inputs, c.tolerance, seed, freivalds_rounds, facts);
  }
  const Comparison how{lab.output.layout(), c.verify == Verify::sample, facts};
  return verify_array(run.output, data.expected, c.tolerance, data.inputs, how);
}

void judge_output(Judgement& judgement, const Lab& lab, const Case& c, const RunResult& run,
                  const CaseData& data, const JudgeContext& context) {
  CaseResult& result = judgement.result;
  if (!lab.output.is_printed() && run.output.empty()) {
    set_verdict(result, Verdict::no_output,
                run.output_problem.empty()
                    ? fmt::format("the program ended without writing its result {}", lab.output.name())
                    : fmt::format("the program's result {} does not count: {}", lab.output.name(),
                                  run.output_problem),
                "keep the line of the skeleton that writes the result; return from main only after it");
    return;
  }
  if (c.verify == Verify::judge) {
    set_verdict(result, Verdict::passed, "");
    judge_by_lab(result, lab, c, run, data, context);
    return;
  }
  Verification verification = verify(lab, c, run, data);
  if (verification.right) {
    set_verdict(result, Verdict::passed, "");
    return;
  }
  if (!verification.mismatch) {
    set_verdict(result, Verdict::no_output, verification.problem,
                "write the result with the lab's own function, in the size of the skeleton");
    return;
  }
  if (c.verify != Verify::sample) judgement.wrong = std::move(verification.wrong);
  result.mismatch = std::move(verification.mismatch);
  explain_with_profile(*result.mismatch, run.profile, data.inputs, run.output);
  say_mismatch(result, lab, c);
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
    broken = first_line_of(run.process);
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
        case Requirement::judge:  // decided after all other requirements
          break;
      }
      if (!broken.empty()) break;
    }
  }
  if (broken.empty() && c.verify == Verify::none)
    broken = took_place_problem(c.requirements, lab.printed_timers, run.profile);
  if (broken.empty() && c.asks_judge() && c.verify != Verify::judge)
    judge_by_lab(result, lab, c, run, data, context);
  if (broken.empty()) return;
  const bool verified = c.verify != Verify::none;
  set_verdict(result, Verdict::requirement_failed, (verified ? "the output is right, but: " : "") + broken,
              next);
}

}  // namespace

bool ends_in_order(const RunResult& run) {
  const int code = run.process.code;
  return run.process.end == ProcessResult::End::exited &&
         (code == ran || code == self_test_failed || code == missed);
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
    judge_output(judgement, lab, c, run, data, context);
    if (result.verdict != Verdict::unsupported)
      judgement.right = result.verdict != Verdict::wrong_answer && result.verdict != Verdict::no_output;
  } else if (context.profile_expected || !run.profile.source.empty()) {
    set_verdict(result, Verdict::passed, "");
  } else {
    set_verdict(result, Verdict::unsupported,
                "only a profile shows what this case requires, and this machine can't take one",
                "grader doctor");
  }
  if (result.verdict == Verdict::passed) judge_requirements(result, lab, c, run, data, context);
  if (result.verdict == Verdict::no_output) result.output_excerpt = excerpt(run.process);
  if (run.stop) add_stop(result, *run.stop);
  return judgement;
}

void say_mismatch(CaseResult& result, const Lab& lab, const Case& c) {
  const Mismatch& m = *result.mismatch;
  std::string message = words_of_extent(c, m);
  if (!m.explanation.empty()) message += " " + m.explanation;
  if (!c.about.empty() && meaning_of(m.pattern) != PatternMeaning::cause)
    message += fmt::format(" What is special here: {}.", c.about);
  set_verdict(result, Verdict::wrong_answer, std::move(message), next_of_mismatch(lab, c, m));
}

std::string words_of_extent(const Case& c, const Mismatch& m) {
  if (!m.extent.empty()) return m.extent;
  if (m.total == 1 && m.first.size() == 1)
    return fmt::format("The result is {}, and should be {}.", printable(m.first[0].got),
                       printable(m.first[0].expected));
  const char* unit = c.verify == Verify::freivalds ? "row"
                     : c.verify == Verify::sample  ? "compared element"
                                                   : "element";
  if (m.total == 1) return fmt::format("The only {} is wrong.", unit);
  return fmt::format("{} of {} {}s {} wrong.", m.wrong, m.total, unit, m.wrong == 1 ? "is" : "are");
}

}  // namespace grader
