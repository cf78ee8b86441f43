#include "explain/work_reader.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "model/json.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

Counts counts_in(const Json& json) {
  Counts counts;
  for (std::size_t i = 0; i < counter_count; ++i)
    counts.values[i] = json.value(cuemu::counters::counter_names[i], 0.0);
  return counts;
}

double volume(const Json& size) {
  return size.at(0).get<double>() * size.at(1).get<double>() * size.at(2).get<double>();
}

std::vector<KernelWork> launches_of(const Json& kernel, const Mix& mix) {
  std::vector<KernelWork> works;
  std::map<std::tuple<double, double, double>, std::size_t> known;
  Counts all;
  for (const Json& launch : kernel.at("launches")) {
    const double blocks = volume(launch.at("grid")), threads = volume(launch.at("block"));
    const auto shared = launch.at("shared").get<std::uint64_t>();
    const auto [at, fresh] = known.try_emplace({blocks, threads, static_cast<double>(shared)}, works.size());
    if (fresh) {
      KernelWork work;
      work.kernel = kernel.at("name");
      work.launches = work.counted_blocks = 0;
      work.blocks = blocks;
      work.threads = static_cast<int>(threads);
      work.shared = shared;
      works.push_back(work);
    }
    KernelWork& work = works[at->second];
    const Counts counts = counts_in(launch.at("counters"));
    ++work.launches;
    work.counted_blocks += counts[Counter::blocks];
    work.counts += counts;
    all += counts;
    work.loaded_bytes = std::max(work.loaded_bytes, launch.at("loaded_bytes").get<double>());
    work.stored_bytes = std::max(work.stored_bytes, launch.at("stored_bytes").get<double>());
  }
  // Lines and code are counted over all launches of the kernel, so each group gets its share of the steps.
  for (KernelWork& work : works) {
    const double share = all[Counter::steps] > 0 ? work.counts[Counter::steps] / all[Counter::steps] : 0;
    work.mix = mix * share;
    for (const Json& json : kernel.at("lines")) {
      WorkLine line{json.at("file"), json.at("text"), json.at("line"), json.at("accesses"),
                    counts_in(json.at("counters"))};
      line.counts *= share;
      work.lines.push_back(std::move(line));
    }
  }
  std::erase_if(works, [](const KernelWork& work) { return work.counted_blocks == 0; });
  return works;
}

}  // namespace

Json to_json(const Counts& counts) {
  Json json = Json::object();  // without zeros
  for (std::size_t i = 0; i < counter_count; ++i)
    if (counts.values[i] != 0) json[cuemu::counters::counter_names[i]] = counts.values[i];
  return json;
}

nlohmann::json to_json(const KernelWork& work) {
  Json lines = Json::array();
  for (const WorkLine& line : work.lines)
    lines.push_back({{"file", line.file},
                     {"line", line.line},
                     {"text", line.text},
                     {"accesses", line.accesses},
                     {"counters", to_json(line.counts)}});
  const Mix& mix = work.mix;
  return {{"kernel", work.kernel},
          {"launches", work.launches},
          {"blocks", work.blocks},
          {"counted_blocks", work.counted_blocks},
          {"threads", work.threads},
          {"shared", work.shared},
          {"registers", work.registers},
          {"loaded_bytes", work.loaded_bytes},
          {"stored_bytes", work.stored_bytes},
          {"counters", to_json(work.counts)},
          {"arithmetic",
           {{"fp32", mix.fp32},
            {"fp64", mix.fp64},
            {"integer", mix.integer},
            {"special", mix.special},
            {"operations", mix.flops}}},
          {"lines", lines}};
}

KernelWork work_of(const nlohmann::json& json) {
  KernelWork work;
  work.kernel = json.at("kernel");
  work.launches = json.at("launches");
  work.blocks = json.at("blocks");
  work.counted_blocks = json.at("counted_blocks");
  work.threads = json.at("threads");
  work.shared = json.at("shared");
  work.registers = json.at("registers");
  work.loaded_bytes = json.at("loaded_bytes");
  work.stored_bytes = json.at("stored_bytes");
  work.counts = counts_in(json.at("counters"));
  const Json& mix = json.at("arithmetic");
  work.mix = {mix.at("fp32"), mix.at("fp64"), mix.at("integer"), mix.at("special"), mix.at("operations")};
  for (const Json& line : json.at("lines"))
    work.lines.push_back({line.at("file"), line.at("text"), line.at("line"), line.at("accesses"),
                          counts_in(line.at("counters"))});
  return work;
}

std::vector<KernelWork> read_work(
    const std::string& report, const std::function<std::string(const std::vector<Stretch>&)>& disassemble) {
  std::vector<KernelWork> works;
  const Json json = json_or_null(report);
  try {
    for (const Json& kernel : json.at("kernels")) {
      std::vector<Stretch> code;
      for (const Json& stretch : kernel.at("code"))
        code.push_back({stretch.at("address"), stretch.at("warps")});
      const Mix mix = code.empty() ? Mix{} : mix_of(disassemble(code), code);
      for (KernelWork& work : launches_of(kernel, mix)) works.push_back(std::move(work));
    }
  } catch (const Json::exception&) {
    return {};  // the program overwrote the report
  }
  return works;
}

}  // namespace grader
