// The judge reads a student's output, so it runs in the sandbox, and the grader checks each member of its
// answer.
#include "judge/lab_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "base/terminal.hpp"
#include "model/json.hpp"
#include "verify/run_facts.hpp"

namespace grader {
namespace {

constexpr double judge_limit_s = 20;
constexpr std::uint64_t judge_memory = std::uint64_t{2} << 30;
constexpr std::size_t longest_text = 4000;  // bytes of a sentence
constexpr std::size_t most_places = 8;
constexpr std::size_t most_times = 16;
constexpr std::size_t most_launches = 1000;

[[noreturn]] void fail(const Lab& lab, const Case& c, const std::string& problem,
                       const std::string& next = {}) {
  throw Error(ErrorKind::fault, fmt::format("The judge of {} {} at case {}.", lab.id, problem, c.id), next);
}

const Machine& machine_of(const JudgeContext& context) {
  return context.machine != nullptr ? *context.machine : this_machine();
}

/// Text of the judge. It may quote the program's output, which has any length and any bytes, so it is cut and made
/// printable.
std::string text_of(const nlohmann::json& json, const char* name) {
  return printable(json.value(name, "").substr(0, longest_text));
}

lab::Judgement::Verdict verdict_of(const std::string& name) {
  using Verdict = lab::Judgement::Verdict;
  for (const Verdict one :
       {Verdict::passed, Verdict::wrong_answer, Verdict::requirement_failed, Verdict::unsupported})
    if (name == lab::to_string(one)) return one;
  throw Error(ErrorKind::usage, fmt::format("it knows no verdict \"{}\"", printable(name)));
}

lab::JudgeWants read_wants(const nlohmann::json& json) {
  lab::JudgeWants wants;
  wants.measured = json.value("measured", false);
  for (const auto& macros : json.at("times")) wants.times.push_back(macros.get<lab::Macros>());
  if (!wants.any() || wants.times.size() > most_times)
    throw Error(ErrorKind::usage, fmt::format("it wants nothing, or more than {} times", most_times));
  return wants;
}

/// Refuses answers that can't be true.
void need_consistent(const lab::Judgement& judgement) {
  using Verdict = lab::Judgement::Verdict;
  const bool wrong = judgement.verdict == Verdict::wrong_answer;
  const auto is_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  const char* problem = nullptr;
  if (judgement.verdict == Verdict::passed && (!judgement.says.empty() || judgement.total > 0))
    problem = "passed, with a reason against it";
  else if (wrong && (judgement.wrong == 0 || judgement.total == 0))
    problem = "a wrong answer with nothing wrong";
  else if (wrong && judgement.extent.empty() && judgement.wrong > judgement.total)
    problem = "more wrong elements than there are";
  else if (!wrong && judgement.verdict != Verdict::passed && judgement.says.empty())
    problem = "a failure without a reason";
  else if (!wrong && judgement.total > 0)
    problem = "wrong elements in an answer that is not wrong";
  else if (!std::all_of(judgement.pattern.begin(), judgement.pattern.end(), is_name))
    problem = "a pattern that is no name";
  if (problem != nullptr) throw Error(ErrorKind::usage, problem);
}

lab::Judgement read_judgement(const std::string& text) {
  // Bytes that are no UTF-8 come from the program's output, and are not the judge's mistake.
  const nlohmann::json json = parse_json(printable(text), "its answer");
  try {
    if (json.at("kind") != "judgement" || json.at("format") != 1)
      throw Error(ErrorKind::usage, "it is no judgement of format 1");
    lab::Judgement judgement;
    if (const auto wants = json.find("wants"); wants != json.end())
      return lab::Judgement::wanting(read_wants(*wants));
    judgement.verdict = verdict_of(json.at("verdict"));
    judgement.says = text_of(json, "says");
    judgement.next = text_of(json, "next");
    judgement.pattern = text_of(json, "pattern");
    judgement.extent = text_of(json, "extent");
    judgement.wrong = json.value("wrong", std::size_t{0});
    judgement.total = json.value("total", std::size_t{0});
    for (const auto& place : json.value("first", nlohmann::json::array())) {
      if (judgement.first.size() == most_places) break;
      judgement.first.push_back({place.at("index").get<std::vector<std::size_t>>(),
                                 text_of(place, "expected"), text_of(place, "got")});
    }
    need_consistent(judgement);
    return judgement;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::usage, error.what());
  }
}

/// Calls the judge again and again until it wants no more facts.
std::optional<lab::Judgement> ask_with_supplies(CaseResult& result, const Lab& lab, const Case& c,
                                                const CaseData& data, const JudgeContext& context,
                                                lab::JudgeRequest& facts) {
  for (;;) {
    lab::Judgement judgement = ask_lab_judge(lab, c, data, facts, context);
    const lab::JudgeWants& wants = judgement.wants;
    if (!wants.any()) return judgement;
    if (!context.supply) return std::nullopt;
    if ((wants.measured && facts.measured) || (!wants.times.empty() && facts.times))
      fail(lab, c, "wants facts that it was given");
    if (const auto settled = context.supply(wants, facts)) {
      result.verdict = settled->verdict;
      result.message = settled->message;
      result.next_step = settled->next_step;
      return std::nullopt;
    }
    if ((wants.measured && !facts.measured) || (!wants.times.empty() && !facts.times)) return std::nullopt;
  }
}

/// Checks that the judge accepts the oracle's own output. Otherwise its judgement proves nothing about a
/// student's output.
void need_right_oracle(const Lab& lab, const Case& c, const CaseData& data, const JudgeContext& context,
                       lab::JudgeRequest facts) {
  if (data.expected.empty()) return;
  (lab.output.is_printed() ? facts.printed_file : facts.got) = data.expected;
  if (ask_lab_judge(lab, c, data, facts, context).verdict == lab::Judgement::Verdict::wrong_answer)
    fail(lab, c, "calls the oracle's own output wrong");
}

}  // namespace

lab::JudgeRequest facts_for_judge(const Lab& lab, const Case& c, const RunResult& run, const CaseData& data,
                                  const JudgeContext& context) {
  lab::JudgeRequest facts;
  facts.lab = lab.id;
  facts.case_id = c.id;
  facts.backend = to_string(context.backend);
  facts.options = context.options;
  facts.arguments = c.args;
  for (const fs::path& input : data.inputs) facts.inputs.push_back(fs::absolute(input));
  if (!data.expected.empty()) facts.expected = fs::absolute(data.expected);
  if (!run.output.empty()) facts.got = fs::absolute(run.output);
  facts.no_kernel = run_facts(run.profile).no_kernel;
  for (const Activity& one : run.profile.activities) {
    if (one.kind != Activity::Kind::kernel || facts.launches.size() == most_launches) continue;
    lab::KernelLaunch launch{printable(one.name)};
    std::copy(std::begin(one.grid), std::end(one.grid), launch.grid);
    std::copy(std::begin(one.block), std::end(one.block), launch.block);
    facts.launches.push_back(std::move(launch));
  }
  return facts;
}

lab::Judgement ask_lab_judge(const Lab& lab, const Case& c, const CaseData& data,
                             const lab::JudgeRequest& facts, const JudgeContext& context) {
  const Machine& machine = machine_of(context);
  const ScratchFolder scratch(data.folder.parent_path(), "judge");
  const fs::path work = fs::canonical(scratch.path()) / "work",
                 file = fs::canonical(scratch.path()) / "facts";
  machine.files.make_empty(work);
  machine.files.write(file, lab::facts_text(facts));

  ProcessRequest request;
  request.argv = {data.judge, "judge", "--facts", file};
  request.limits.wall_s = judge_limit_s;
  request.limits.memory = judge_memory;
  request.limits.processes = 8;
  request.limits.file_size = request.limits.folder_size = std::uint64_t{64} << 20;
  request.limits.watched_folder = work;
  SandboxSpec spec;
  spec.program_folder = data.judge.parent_path();
  spec.read_only = {file};
  for (const std::string& one : facts.inputs) spec.read_only.emplace_back(one);
  for (const std::string& one : {facts.expected, facts.got, facts.printed_file})
    if (!one.empty()) spec.read_only.emplace_back(one);
  spec.work_folder = work;
  spec.of_the_kit = true;
  const ProcessResult done =
      run_unless_killed([&] { return machine.commands.run_confined(request, spec); }, Messages::quoting);
  if (done.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  if (done.end == ProcessResult::End::killed) throw killed_twice("The judge of " + lab.id);
  if (done.end == ProcessResult::End::not_started)
    throw Error(ErrorKind::environment,
                fmt::format("The judge of {} could not be started: {}.", lab.id, done.error),
                "grader doctor");
  const std::string again = fmt::format("{}", fmt::join(request.argv, " "));
  if (!done.ok())
    fail(lab, c,
         describe_end(done) +
             (trimmed(done.err).empty() ? "" : ": " + printable(std::string(trimmed(done.err)))),
         again);
  if (trimmed(done.out).empty()) fail(lab, c, "says nothing", again);
  try {
    return read_judgement(done.out);
  } catch (const Error& error) {
    fail(lab, c, fmt::format("gives an answer that can't be true ({})", error.what()), again);
  }
}

void judge_by_lab(CaseResult& result, const Lab& lab, const Case& c, const RunResult& run,
                  const CaseData& data, const JudgeContext& context) {
  const ScratchFolder scratch(data.folder.parent_path(), "printed");
  lab::JudgeRequest facts = facts_for_judge(lab, c, run, data, context);
  const fs::path printed = fs::canonical(scratch.path()) / "printed.txt";
  machine_of(context).files.write(printed, run.process.out);
  facts.printed_file = printed;
  const auto judgement = ask_with_supplies(result, lab, c, data, context, facts);
  if (!judgement) return;
  const bool of_output = c.verify == Verify::judge;
  switch (judgement->verdict) {
    case lab::Judgement::Verdict::passed:
      return;
    case lab::Judgement::Verdict::wrong_answer: {
      if (!of_output) fail(lab, c, "calls an output wrong that is verified in another way");
      need_right_oracle(lab, c, data, context, facts);
      Mismatch mismatch;
      mismatch.wrong = judgement->wrong;
      mismatch.total = judgement->total;
      mismatch.extent = judgement->extent;
      mismatch.pattern = judgement->pattern;
      mismatch.explanation = judgement->says;
      for (const lab::Judgement::Place& place : judgement->first)
        mismatch.first.push_back({place.index, place.expected, place.got});
      result.mismatch = std::move(mismatch);
      say_mismatch(result, lab, c);
      break;
    }
    case lab::Judgement::Verdict::requirement_failed:
      result.verdict = Verdict::requirement_failed;
      result.message =
          (c.verify == Verify::none || of_output ? "" : "the output is right, but: ") + judgement->says;
      break;
    case lab::Judgement::Verdict::unsupported:
      result.verdict = Verdict::unsupported;
      result.message = judgement->says;
      break;
  }
  if (!judgement->next.empty() || judgement->verdict != lab::Judgement::Verdict::wrong_answer)
    result.next_step = judgement->next;
}

}  // namespace grader
