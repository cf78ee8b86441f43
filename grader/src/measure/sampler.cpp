#include "measure/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "judge/stop_words.hpp"
#include "verify/printed_number.hpp"

namespace grader {
namespace {

constexpr double in_turn_limit_s = 300;  ///< seconds; for a program that itself takes all samples of a row

/// The program's CUDA error, or else the last line of its error output, or else of its output.
std::string last_words(const RunResult& run) {
  if (run.cuda_error) return ": " + words_of_error(*run.cuda_error);
  const ProcessResult& process = run.process;
  const auto lines = split_lines(process.err.empty() ? process.out : process.err);
  return lines.empty() ? "" : ": " + printable(lines.back());
}

}  // namespace

Sampler::Sampler(const MeasureSetup& setup, fs::path oracle)
    : setup_(setup),
      lab_(*setup.submission.lab),
      oracle_(std::move(oracle)),
      scratch_(setup.kit.state() / "work", "table") {}

const CaseData& Sampler::data_of(const Case& c) {
  if (data_args_ != c.args) {
    data_args_.reset();  // so that no data remain if the oracle fails
    data_ = prepare_case(setup_.kit, lab_, c, oracle_, scratch_.path() / "data");
    data_args_ = c.args;
  }
  return data_;
}

Sample Sampler::verified(const fs::path& program, const Case& c, const Case& row) {
  const CaseData& data = data_of(row);
  Sample sample;
  sample.run = run_case(setup_.toolchain, lab_, c, setup_.backend, program, data, scratch_.path() / "run");
  if (interrupted()) return sample;
  const JudgeContext context{setup_.backend,
                             setup_.backend == Backend::emu || !setup_.toolchain.profile_library.empty()};
  const CaseResult judged = judge(lab_, c, sample.run, data, context).result;
  if (judged.verdict != Verdict::passed)
    sample.problem = fmt::format("{}: {}", words(judged.verdict), judged.message);
  return sample;
}

std::vector<LaunchCounts> Sampler::counted(const fs::path& program, const Case& c) {
  return run_counted(setup_.toolchain, setup_.submission, c, setup_.backend, program, data_of(c),
                     scratch_.path() / "run", {})
      .launches;
}

Sample Sampler::in_turn(const fs::path& program, const Case& c) {
  Lab alone = lab_;  // a lab without files, since the program draws its own inputs
  alone.inputs.clear();
  alone.output = {};
  Toolchain toolchain = setup_.toolchain;
  toolchain.profile_library.clear();
  Case longer = c;
  longer.timeout_emu = longer.timeout_gpu = in_turn_limit_s;
  Sample sample;
  sample.run = run_case(toolchain, alone, longer, setup_.backend, program, {}, scratch_.path() / "run");
  const ProcessResult& process = sample.run.process;
  if (interrupted()) return sample;
  if (!process.ok()) {
    sample.problem = "the program " + describe_end(process) + last_words(sample.run);
  } else if (timer_samples(sample.run, "own").empty() || timer_samples(sample.run, "peer").empty()) {
    sample.problem = "the program recorded no times called \"own\" and \"peer\"";
  }
  return sample;
}

std::optional<double> value_of(const Column& column, const RunResult& run) {
  switch (column.measure.kind) {
    case Measure::Kind::h2d:
    case Measure::Kind::d2h:
    case Measure::Kind::kernel: {
      const auto seconds = measured_seconds(run.profile, column.measure);
      if (column.unit != "B/s") return seconds;
      const auto bytes = measured_bytes(run.profile, column.measure);
      if (!seconds || !bytes || *seconds <= 0) return std::nullopt;
      return *bytes / *seconds;
    }
    case Measure::Kind::printed:
      return printed_number(run.process.out, column.measure.name);
    case Measure::Kind::counter:
    case Measure::Kind::ratio:
    case Measure::Kind::gain:
    case Measure::Kind::peer:
    case Measure::Kind::own:
    case Measure::Kind::speed:
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<double> timer_samples(const RunResult& run, const std::string& name) {
  std::vector<double> samples;
  for (const auto& [timer, seconds] : run.profile.timers) {
    if (timer == name) samples.push_back(seconds);
  }
  return samples;
}

}  // namespace grader
