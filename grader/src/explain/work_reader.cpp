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

std::vector<Work> launches_of(const Json& kernel, const Mix& mix) {
  std::vector<Work> works;
  std::map<std::tuple<double, double, double>, std::size_t> known;
  Counts all;
  for (const Json& launch : kernel.at("launches")) {
    const double blocks = volume(launch.at("grid")), threads = volume(launch.at("block"));
    const auto shared = launch.at("shared").get<std::uint64_t>();
    const auto [at, fresh] = known.try_emplace({blocks, threads, static_cast<double>(shared)}, works.size());
    if (fresh) {
      Work work;
      work.kernel = kernel.at("name");
      work.launches = work.counted_blocks = 0;
      work.blocks = blocks;
      work.threads = static_cast<int>(threads);
      work.shared = shared;
      works.push_back(work);
    }
    Work& work = works[at->second];
    const Counts counts = counts_in(launch.at("counters"));
    ++work.launches;
    work.counted_blocks += counts[Counter::blocks];
    work.counts += counts;
    all += counts;
    work.loaded_bytes = std::max(work.loaded_bytes, launch.at("loaded_bytes").get<double>());
    work.stored_bytes = std::max(work.stored_bytes, launch.at("stored_bytes").get<double>());
  }
  // Lines and code are counted over all launches of the kernel: each group has its share of the steps.
  for (Work& work : works) {
    const double share = all[Counter::steps] > 0 ? work.counts[Counter::steps] / all[Counter::steps] : 0;
    work.mix = mix * share;
    for (const Json& json : kernel.at("lines")) {
      WorkLine line{json.at("file"), json.at("text"), json.at("line"), json.at("accesses"),
                    counts_in(json.at("counters"))};
      line.counts *= share;
      work.lines.push_back(std::move(line));
    }
  }
  std::erase_if(works, [](const Work& work) { return work.counted_blocks == 0; });
  return works;
}

}  // namespace

std::vector<Work> read_work(const std::string& report,
                            const std::function<std::string(const std::vector<Stretch>&)>& disassemble) {
  std::vector<Work> works;
  const Json json = json_or_null(report);
  try {
    for (const Json& kernel : json.at("kernels")) {
      std::vector<Stretch> code;
      for (const Json& stretch : kernel.at("code")) code.push_back({stretch.at("address"), stretch.at("warps")});
      const Mix mix = code.empty() ? Mix{} : mix_of(disassemble(code), code);
      for (Work& work : launches_of(kernel, mix)) works.push_back(std::move(work));
    }
  } catch (const Json::exception&) {
    return {};  // the program overwrote it
  }
  return works;
}

}  // namespace grader
