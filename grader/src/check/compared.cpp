// The counters and the tracer need separate builds of each program. The counters see every block, and are
// validated against GPUs. Only the tracer knows which array an access belongs to, and only for the blocks
// that it records.
#include "check/compared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "check/recorded.hpp"
#include "check/tracing.hpp"
#include "judge/judge.hpp"
#include "model/data_file.hpp"
#include "model/json.hpp"
#include "run/counting.hpp"
#include "verify/elements.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr std::size_t most_blocks = 1024;    // recorded blocks of each launch
constexpr std::uint64_t usual_seed = 20111;  // fixed, so that the same programs give the same comparison

/// @throws std::invalid_argument when the value is not a count
std::uint64_t count_of(const json& from) {
  if (!from.is_number_unsigned()) throw std::invalid_argument("no count");
  return from.get<std::uint64_t>();
}

CountsByName counts_in(const json& from) {
  CountsByName out;
  for (const auto& [name, value] : from.items()) out[name] = count_of(value);
  return out;
}

std::vector<unsigned> extents_in(const json& from) {
  std::vector<unsigned> out;
  for (const json& one : from) out.push_back(static_cast<unsigned>(count_of(one)));
  return out;
}

}  // namespace

bool read_counters(ComparedSide& side, const std::string& report, const Submission& submission) {
  try {
    const json parsed = json_or_null(report);
    std::map<std::pair<std::string, unsigned>, CountsByName> lines;
    for (const json& kernel : parsed.at("kernels")) {
      ComparedKernel one;
      one.name = text_in(kernel, "name");
      one.counts = counts_in(kernel.at("totals"));
      one.counts["launches"] = kernel.at("launches").size();
      if (one.counts["launches"] == 0) continue;
      one.grid_dim = extents_in(kernel.at("launches").back().at("grid"));
      one.block_dim = extents_in(kernel.at("launches").back().at("block"));
      side.kernels.push_back(std::move(one));
      if (count_of(kernel.at("unseen")) > 0)
        side.left_out.push_back("Some accesses are not counted, since they are more than memory holds.");
      for (const json& line : kernel.at("lines"))
        for (const auto& [name, value] : counts_in(line.at("counters")))
          lines[{file_in(line, submission.files), static_cast<unsigned>(count_of(line.at("line")))}][name] +=
              value;
    }
    for (auto& [place, counts] : lines) side.lines.push_back({place.first, place.second, std::move(counts)});
    return true;
  } catch (const std::exception&) {  // the JSON is invalid, since a program overwrote the report
    return false;
  }
}

namespace {

/// What the two runs of one side gave.
struct Compared {
  ComparedSide side;
  Trace trace;
  fs::path output;
};

Compared run_side(const Toolchain& toolchain, const RunToCompare& it, const CaseData& data,
                  const fs::path& folder, const Machine& machine) {
  Compared out;
  const Lab& lab = *it.submission.lab;
  ComparedSide& side = out.side;
  out.trace =
      trace_case(toolchain, it.submission, it.c, it.checked, data, folder / "traced", most_blocks, machine);
  const CountedRun counted = run_counted(toolchain, it.submission, it.c, Backend::emu, it.counted, data,
                                         folder / "counted", {}, machine);
  side.name = it.name;
  side.lab = lab.id;
  side.case_id = it.c.id;
  side.args = it.c.args;
  side.solution = it.submission.origin == Origin::solution;
  side.judged = out.trace.judged;
  // A side is right only if both its runs have right results.
  side.right = out.trace.right && judge(lab, it.c, counted.run, data, JudgeContext{}).right.value_or(true);
  side.end = out.trace.end;
  side.findings = out.trace.findings;
  side.arrays = arrays_in(out.trace);
  side.whole = is_whole(out.trace);
  side.left_out = left_out_of(out.trace);
  side.sources = out.trace.sources;
  if (!read_counters(side, counted.report, it.submission))
    throw Error(ErrorKind::usage,
                fmt::format("The program of {} {}, so nothing could be counted.", it.name,
                            describe_end(counted.run.process)),
                "grader check " + lab.id);
  out.output = counted.run.output;
  return out;
}

std::optional<ComparedWrite> last_write(const Trace& trace, std::size_t flat) {
  std::optional<ComparedWrite> out;
  for (const TracedLaunch& launch : trace.launches)
    for (const TracedBlock& block : launch.blocks)
      for (const TracedPhase& phase : block.phases)
        for (const TracedStep& step : phase.steps) {
          if (!step.accesses() || step.does == TracedStep::Does::read) continue;
          const TracedArray& array = trace.arrays[step.array];
          if (!array.output) continue;
          const auto begin = static_cast<std::int64_t>(flat * array.element);
          step.each_lane([&](std::uint32_t thread, std::size_t, std::int64_t offset) {
            if (begin < offset || begin >= offset + step.bytes) return;
            const auto [x, y, z] = launch.thread(thread);
            out = ComparedWrite{launch.kernel, block.block, {x, y, z}, trace.places[step.place]};
          });
        }
  return out;
}

void compare_results(RunsBeside& out, const Compared& a, const Compared& b, const RunToCompare& run,
                     const RunToCompare& other, const CaseData& data) {
  const Lab& lab = *run.submission.lab;
  const auto no = [&](std::string why) { out.not_compared = std::move(why); };
  if (lab.output.name() != other.submission.lab->output.name())
    return no(fmt::format("Their results are not compared: {} computes {}, {} {}.", lab.id, lab.output.name(),
                          other.submission.lab->id, other.submission.lab->output.name()));
  for (const Compared* one : {&a, &b})
    if (one->output.empty())
      return no(fmt::format("Their results are not compared: {} left none.", one->side.name));
  if (!is_npy(a.output) || !is_npy(b.output))
    return no("Their results are not compared, since they are no arrays.");
  const Array left = Array::read(a.output, lab::NpyLinks::refuse),
              right = Array::read(b.output, lab::NpyLinks::refuse);
  if (left.shape() != right.shape())
    return no(fmt::format("Their results are not compared: one is {}, the other {}.",
                          fmt::join(left.shape(), " × "), fmt::join(right.shape(), " × ")));
  if (left.dtype() != right.dtype())
    return no(fmt::format("Their results are not compared: one holds {}, the other {}.",
                          lab::npy_dtype_words(left.dtype()), lab::npy_dtype_words(right.dtype())));
  const std::vector<bool> unlike = wrong_elements(right, left, {}),
                          apart = wrong_elements(right, left, run.c.tolerance);
  ComparedResults results;
  results.name = lab.output.name();
  results.count = left.size();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!unlike[i] || (std::isnan(left[i]) && std::isnan(right[i]))) continue;
    if (!apart[i]) {
      ++results.rounding;
      continue;
    }
    if (++results.differ > 1) continue;
    results.element = results.name;
    for (const std::size_t index : left.coordinates(i)) results.element += fmt::format("[{}]", index);
    results.a = left.text(i);
    results.b = right.text(i);
    if (!data.expected.empty() && is_npy(data.expected)) {
      const Array expected = Array::read(data.expected);
      if (expected.shape() == left.shape()) results.expected = expected.text(i);
    }
    results.written_a = last_write(a.trace, i);
    results.written_b = last_write(b.trace, i);
  }
  out.results = std::move(results);
}

}  // namespace

RunsBeside compare_runs(const Kit& kit, const Toolchain& toolchain, const RunToCompare& a,
                        const RunToCompare& b, const fs::path& folder, const Machine& machine) {
  const Lab& lab = *a.submission.lab;
  Case first = a.c;
  if (!first.seed) first.seed = usual_seed;
  const CaseData data = prepare_case(kit, lab, first, a.oracle, folder / "data-a", machine);
  const CaseData same =
      prepare_case_on(data, lab, first, kit, *b.submission.lab, b.c, b.oracle, folder / "data-b", machine);
  const Compared left = run_side(toolchain, a, data, folder / "a", machine);
  const Compared right = run_side(toolchain, b, same, folder / "b", machine);
  RunsBeside out{left.side, right.side, {}, {}, {}};
  for (std::size_t i = 0; i < lab.inputs.size() && i < data.inputs.size(); ++i) {
    ComparedInput input{lab.inputs[i], "", {}};
    if (is_npy(data.inputs[i])) {
      const lab::NpyHeader header = lab::read_npy_header(data.inputs[i].string());
      input.type = header.dtype;
      input.shape = header.shape;
    }
    out.inputs.push_back(std::move(input));
  }
  compare_results(out, left, right, a, b, data);
  return out;
}

namespace {

const char* doing_name(TracedStep::Does does) {
  return does == TracedStep::Does::read ? "read" : does == TracedStep::Does::write ? "write" : "update";
}

json to_json(const ComparedSide& side) {
  json out = {{"name", side.name},         {"lab", side.lab},
              {"case", side.case_id},      {"args", side.args},
              {"solution", side.solution}, {"right", side.judged ? json(side.right) : json(nullptr)},
              {"end", side.end},           {"whole", side.whole},
              {"left_out", side.left_out}};
  for (const char* list : {"findings", "kernels", "lines", "arrays", "sources"}) out[list] = json::array();
  for (const Finding& finding : side.findings) out["findings"].push_back(grader::to_json(finding));
  for (const ComparedKernel& kernel : side.kernels)
    out["kernels"].push_back({{"name", kernel.name},
                              {"grid", kernel.grid_dim},
                              {"block", kernel.block_dim},
                              {"counters", kernel.counts}});
  for (const ComparedLine& line : side.lines)
    out["lines"].push_back({{"file", line.file}, {"line", line.line}, {"counters", line.counts}});
  for (const ComparedArray& array : side.arrays)
    out["arrays"].push_back({{"name", array.name},
                             {"shared", array.shared},
                             {"does", doing_name(array.does)},
                             {"accesses", array.accesses},
                             {"requests", array.requests},
                             {"sectors", array.sectors},
                             {"turns", array.turns},
                             {"conflicts", array.conflicts}});
  for (const TracedSource& source : side.sources)
    out["sources"].push_back({{"file", source.file}, {"text", source.text}});
  return out;
}

json to_json(const std::optional<ComparedWrite>& write) {
  if (!write) return nullptr;
  return {{"kernel", write->kernel},
          {"block", write->block},
          {"thread", write->thread},
          {"file", write->place.file},
          {"line", write->place.line}};
}

json number(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

json to_json(const RunsBeside& comparison) {
  json out = {{"format", 1},
              {"kind", "beside"},
              {"a", to_json(comparison.a)},
              {"b", to_json(comparison.b)},
              {"inputs", json::array()},
              {"totals", json::array()},
              {"results", nullptr},
              {"not_compared", comparison.not_compared}};
  for (const ComparedInput& input : comparison.inputs)
    out["inputs"].push_back({{"name", input.name}, {"type", input.type}, {"shape", input.shape}});
  for (const ComparedMeasure& measure : measures_of(comparison)) {
    const std::string title(trimmed(measure.title));
    out["totals"].push_back(
        {{"id", measure.id},
         {"title", title},
         {"a", number(measure.a)},
         {"b", number(measure.b)},
         {"ratio",
          measure.a && measure.b && *measure.a != 0 ? json(*measure.b / *measure.a) : json(nullptr)}});
  }
  if (const auto& results = comparison.results)
    out["results"] = {{"name", results->name},
                      {"count", results->count},
                      {"differ", results->differ},
                      {"rounding", results->rounding},
                      {"element", results->element},
                      {"a", results->a},
                      {"b", results->b},
                      {"expected", results->expected},
                      {"written_a", to_json(results->written_a)},
                      {"written_b", to_json(results->written_b)}};
  return out;
}

}  // namespace grader
