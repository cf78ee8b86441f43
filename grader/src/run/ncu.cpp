#include "run/ncu.hpp"

#include <fmt/format.h>
#include <optional>

#include <algorithm>
#include <charconv>

#include "base/columns.hpp"
#include "base/csv_row.hpp"
#include "base/error.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

/// A metric of ncu, and the grader's counter for it.
struct Metric {
  const char* name;
  const char* counter;
};
constexpr Metric metrics[] = {
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "shared_load_conflicts"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "shared_store_conflicts"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_wavefronts"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_wavefronts"},
    {"smsp__sass_inst_executed_op_shared_ld.sum", "shared_loads"},
    {"smsp__sass_inst_executed_op_shared_st.sum", "shared_stores"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global_loads"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global_load_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global_stores"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global_store_sectors"},
    {"smsp__sass_branch_targets_threads_divergent.sum", "divergent_branches"},
};

/// Reads "12,345". No value for "n/a".
std::optional<std::int64_t> count_in(std::string text) {
  std::erase(text, ',');
  text = text.substr(0, text.find('.'));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// "scan" for "void scan<256>(float *, int)".
std::string short_name(std::string name) {
  name = name.substr(0, name.find('('));
  name = name.substr(0, name.find('<'));
  const std::size_t blank = name.rfind(' ');
  return blank == std::string::npos ? name : name.substr(blank + 1);
}

[[noreturn]] void refuse(const std::string& why, const std::string& next) {
  throw Error(ErrorKind::environment, why, next);
}

/// Throws if ncu reports that it counted nothing.
void refuse_complaints(const std::string& printed) {
  if (printed.find("ERR_NVGPUCTRPERM") != std::string::npos)
    refuse(
        "The GPU's counters are for administrators on this machine (ERR_NVGPUCTRPERM), so ncu counts "
        "nothing.",
        "ask the administrator to allow them (https://developer.nvidia.com/ERR_NVGPUCTRPERM), or count in "
        "emulation: --backend emu");
  const std::size_t error = printed.find("==ERROR==");
  if (error == std::string::npos) return;
  const std::size_t begin = error + std::string("==ERROR== ").size();
  const std::string sentence =
      printed.substr(std::min(begin, printed.size()), printed.find('\n', error) - begin);
  refuse(fmt::format("ncu counts nothing: {}", sentence), "count in emulation: --backend emu");
}

/// The last line that was printed, as a sentence.
std::string last_words(const std::string& printed) {
  const std::vector<std::string> lines = split_lines(printed);
  const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) {
    return line.find_first_not_of(" \t\r") != std::string::npos;
  });
  return last == lines.rend() ? "" : fmt::format(" The last line printed was: {}", *last);
}

const char* counter_of(const std::string& metric) {
  for (const Metric& each : metrics)
    if (metric == each.name) return each.counter;
  return nullptr;
}

}  // namespace

fs::path find_ncu(const fs::path& nvcc) {
  for (const fs::path& candidate :
       {find_program("ncu"), nvcc.empty() ? fs::path() : nvcc.parent_path() / "ncu",
        fs::path("/usr/local/cuda/bin/ncu")}) {
    std::error_code missing;
    if (!candidate.empty() && fs::exists(candidate, missing)) return candidate;
  }
  return {};
}

std::vector<std::string> ncu_command(const fs::path& ncu) {
  std::string list;
  for (const Metric& metric : metrics) list += (list.empty() ? "" : ",") + std::string(metric.name);
  // Only counts are needed, so clocks are not locked, and caches are not flushed between passes.
  return {ncu, "--csv", "--print-units", "base", "--clock-control", "none", "--metrics", list};
}

std::vector<LaunchCounts> parse_ncu(const std::string& printed) {
  std::vector<LaunchCounts> launches;
  std::map<std::string, std::size_t> by_id;
  std::map<std::string, std::size_t> column;
  for (const std::string& line : split_lines(printed)) {
    std::size_t at = 0;
    const std::vector<std::string> fields = read_csv_row(line, at).cells;
    if (!fields.empty() && fields[0] == "ID") {
      column.clear();
      for (std::size_t i = 0; i < fields.size(); ++i) column[fields[i]] = i;
      continue;
    }
    const auto field = [&](const char* name) -> std::string {
      const auto found = column.find(name);
      return found != column.end() && found->second < fields.size() ? fields[found->second] : "";
    };
    const char* const counter = counter_of(field("Metric Name"));
    if (counter == nullptr) continue;
    const auto [launch, fresh] = by_id.try_emplace(field("ID"), launches.size());
    if (fresh) launches.push_back({short_name(field("Kernel Name")), {}});
    if (const auto value = count_in(field("Metric Value"))) launches[launch->second].values[counter] = *value;
  }
  if (launches.empty()) {
    refuse_complaints(printed);
    refuse(fmt::format("ncu printed no counts: the program launched no kernel, or was stopped before.{}",
                       last_words(printed)),
           "run the program alone first");
  }
  for (LaunchCounts& launch : launches) add_profiler_names(launch.values);
  return launches;
}

void add_profiler_names(std::map<std::string, std::int64_t>& values) {
  const auto name = [&values](const char* old, std::initializer_list<const char*> parts) {
    std::int64_t sum = 0;
    for (const char* const part : parts) {
      const auto found = values.find(part);
      if (found == values.end()) return;
      sum += found->second;
    }
    values.try_emplace(old, sum);
  };
  values.try_emplace("constant_turns", 0);  // no current metric counts these turns
  name("warp_serialize", {"shared_load_conflicts", "shared_store_conflicts", "constant_turns"});
  name("l1_shared_bank_conflict", {"shared_load_conflicts", "shared_store_conflicts"});
  name("divergent_branch", {"divergent_branches"});
  name("gld_request", {"global_loads"});
  name("gst_request", {"global_stores"});
  name("shared_load", {"shared_loads"});
  name("shared_store", {"shared_stores"});
}

std::string profile_counters(const std::vector<LaunchCounts>& launches) {
  std::string text;
  for (std::size_t i = 0; i < launches.size(); ++i)
    for (const auto& [counter, value] : launches[i].values)
      text += fmt::format("{} {} {}\n", i, counter, value);
  return text;
}

}  // namespace grader
