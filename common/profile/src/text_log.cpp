#include "text_log.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace cuda_profile_log {
namespace {

struct Option {
  const char* name;
  std::vector<const char*> columns;
};

const std::vector<Option>& known_options() {
  static const std::vector<Option> options = {
      {"timestamp", {"timestamp"}},
      {"gpustarttimestamp", {"gpustarttimestamp"}},
      {"gpuendtimestamp", {"gpuendtimestamp"}},
      {"gridsize", {"gridsizeX", "gridsizeY"}},
      {"gridsize3d", {"gridsizeX", "gridsizeY", "gridsizeZ"}},
      {"threadblocksize", {"threadblocksizeX", "threadblocksizeY", "threadblocksizeZ"}},
      {"dynsmemperblock", {"dynsmemperblock"}},
      {"stasmemperblock", {"stasmemperblock"}},
      {"regperthread", {"regperthread"}},
      {"memtransfersize", {"memtransfersize"}},
      {"memtransferdir", {"memtransferdir"}},
  };
  return options;
}

const Option* find_option(const std::string& name) {
  for (const Option& option : known_options())
    if (name == option.name) return &option;
  return nullptr;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string fixed(double value, int digits = 3) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// Returns the value of an option's column; empty if the record has none.
std::string value_of(const Record& r, const std::string& column) {
  if (column == "timestamp") return fixed(r.start_us);
  if (column == "gpustarttimestamp" || column == "gpuendtimestamp") {
    char text[32];
    const double at_us = column == "gpustarttimestamp" ? r.start_us : r.start_us + r.gpu_us;
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(at_us * 1000));
    return text;
  }
  if (column == "memtransfersize") return r.is_kernel ? "" : std::to_string(r.bytes);
  if (column == "memtransferdir") return r.method == "memcpyHtoD" ? "1" : r.method == "memcpyDtoH" ? "2" : "";
  if (!r.is_kernel) return "";
  const char* const axes = "XYZ";
  for (int axis = 0; axis < 3; ++axis) {
    if (column == std::string("gridsize") + axes[axis]) return std::to_string(r.grid[axis]);
    if (column == std::string("threadblocksize") + axes[axis]) return std::to_string(r.block[axis]);
  }
  if (column == "dynsmemperblock") return std::to_string(r.dynamic_shared);
  if (column == "stasmemperblock") return std::to_string(r.static_shared);
  return column == "regperthread" ? std::to_string(r.registers) : "";
}

struct Cell {
  std::string name, value;
};

std::vector<Cell> cells_of(const Settings& settings, const Record& record) {
  std::vector<Cell> cells;
  if (contains(settings.options, "timestamp")) cells.push_back({"timestamp", value_of(record, "timestamp")});
  cells.push_back({"method", record.method});
  cells.push_back({"gputime", fixed(record.gpu_us)});
  cells.push_back({"cputime", record.cpu_us ? fixed(*record.cpu_us) : ""});
  cells.push_back({"occupancy", record.is_kernel ? fixed(record.occupancy) : ""});
  for (const std::string& option : settings.options) {
    if (option == "timestamp") continue;
    for (const char* const column : find_option(option)->columns)
      cells.push_back({column, value_of(record, column)});
  }
  for (const std::string& counter : settings.counters) {
    const auto found = record.counters.find(counter);
    cells.push_back({counter, found != record.counters.end() ? std::to_string(found->second) : ""});
  }
  return cells;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

}  // namespace

const std::vector<std::string>& known_counters() {
  static const std::vector<std::string> counters = {
      "warp_serialize", "divergent_branch",
      "gld_coherent",   "gld_incoherent",
      "gst_coherent",   "gst_incoherent",
      "gld_request",    "gst_request",
      "shared_load",    "shared_store",
      "cta_launched",   "warps_launched",
      "atom_count",     "l1_shared_bank_conflict",
  };
  return counters;
}

void read_config(const std::string& text, const std::string& name, Settings& settings) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) continue;
    if (find_option(word) != nullptr) {
      if (!contains(settings.options, word)) settings.options.push_back(word);
    } else if (contains(known_counters(), word)) {
      if (!contains(settings.counters, word)) settings.counters.push_back(word);
    } else if (word == "conckerneltrace" || word == "enableonstart" || word == "countermodeaggregate") {
      continue;  // these settings concern the old profiler's operation, not its output
    } else {
      std::string options;
      for (const Option& option : known_options()) options += std::string(", ") + option.name;
      settings.problems.push_back("'" + word + "' (" + name + ":" + std::to_string(number) +
                                  ") is no counter or option that is known here; known are " +
                                  listed(known_counters()) + options);
    }
  }
}

Settings read_settings() {
  Settings settings;
  settings.on = is_set("CUDA_PROFILE");
  if (!settings.on) return settings;
  settings.csv = is_set("CUDA_PROFILE_CSV");
  const char* const path = std::getenv("CUDA_PROFILE_LOG");
  if (path != nullptr && *path != '\0') settings.path = path;
  if (const std::size_t at = settings.path.find("%d"); at != std::string::npos)
    settings.path.replace(at, 2, "0");
  const char* const config = std::getenv("CUDA_PROFILE_CONFIG");
  if (config == nullptr || *config == '\0') return settings;
  std::ifstream in(config);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in)
    settings.problems.push_back(std::string("the file ") + config +
                                " (CUDA_PROFILE_CONFIG) can't be read: the log has no counters");
  read_config(text.str(), config, settings);
  return settings;
}

std::string copy_method(const std::string& direction) {
  if (direction == "h2d") return "memcpyHtoD";
  if (direction == "d2h") return "memcpyDtoH";
  return direction == "d2d" ? "memcpyDtoD" : "memcpyHtoH";
}

std::string head(const Settings& settings, int device, const std::string& device_name) {
  std::string text = "# CUDA_PROFILE_LOG_VERSION 2.0\n# CUDA_DEVICE " + std::to_string(device) + " " +
                     device_name + "\n# CUDA_CONTEXT 1\n";
  if (settings.csv) text += "# CUDA_PROFILE_CSV 1\n";
  std::string columns;
  for (const Cell& cell : cells_of(settings, {})) columns += (columns.empty() ? "" : ",") + cell.name;
  return text + columns + "\n";
}

std::string line(const Settings& settings, const Record& record) {
  std::string text;
  bool first = true;
  for (const Cell& cell : cells_of(settings, record)) {
    if (settings.csv) {
      text += (first ? "" : ",") + cell.value;
    } else if (!cell.value.empty()) {
      text += (first ? "" : " ") + cell.name + "=[ " + cell.value + " ]";
    }
    first = false;
  }
  return text + "\n";
}

}  // namespace cuda_profile_log
