#include "text_profile.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cuda_lab_profile {

LaunchCounters read_counters(const std::string& text) {
  constexpr std::size_t most_launches = 1u << 20;
  LaunchCounters result;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::size_t launch = 0;
    std::string counter;
    std::int64_t value = 0;
    if (line.empty()) continue;
    if (!(words >> launch >> counter >> value) || launch >= most_launches)
      throw std::runtime_error("line " + std::to_string(number) + " is not LAUNCH COUNTER VALUE: " + line);
    if (launch >= result.size()) result.resize(launch + 1);
    result[launch][counter] = value;
  }
  return result;
}

TextProfile::TextProfile(cuda_profile_log::Settings settings) : settings_(std::move(settings)) {}

void TextProfile::set_device(const std::string& name, const Multiprocessor& limits) {
  device_ = name;
  limits_ = limits;
}

void TextProfile::add(cuda_profile_log::Record record, std::uint64_t start_ns, std::uint64_t end_ns,
                      std::uint32_t correlation) {
  record.gpu_us = end_ns > start_ns ? static_cast<double>(end_ns - start_ns) / 1e3 : 0;
  entries_.push_back({std::move(record), start_ns, correlation});
}

void TextProfile::add_call(std::uint64_t start_ns, std::uint64_t end_ns, std::uint32_t correlation) {
  call_us_[correlation] = end_ns > start_ns ? static_cast<double>(end_ns - start_ns) / 1e3 : 0;
}

std::string TextProfile::text(std::vector<std::string>& problems) {
  LaunchCounters counters;
  const char* const path = std::getenv("CUDA_PROFILE_COUNTERS");
  if (path != nullptr && *path != '\0') {
    std::ifstream in(path);
    std::ostringstream read;
    if (in) read << in.rdbuf();
    try {
      if (!in) throw std::runtime_error("it can't be read");
      counters = read_counters(read.str());
    } catch (const std::runtime_error& failure) {
      problems.push_back(std::string("the file ") + path + " (CUDA_PROFILE_COUNTERS): " + failure.what());
    }
  }
  std::string missing;
  for (auto counter = settings_.counters.begin(); counter != settings_.counters.end();) {
    const bool known = std::any_of(counters.begin(), counters.end(),
                                   [&](const auto& launch) { return launch.count(*counter) != 0; });
    if (!known) missing += (missing.empty() ? "" : ", ") + *counter;
    counter = known ? counter + 1 : settings_.counters.erase(counter);
  }
  if (!missing.empty())
    problems.push_back("no counts of " + missing +
                       ": hardware counters come from ncu; `grader profile --backend gpu` runs it first");

  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.start_ns < b.start_ns; });
  std::string log = cuda_profile_log::head(settings_, 0, device_);
  std::size_t launch = 0;
  for (Entry& entry : entries_) {
    cuda_profile_log::Record& record = entry.record;
    record.start_us = static_cast<double>(entry.start_ns - entries_.front().start_ns) / 1e3;
    const auto call = call_us_.find(entry.correlation);
    if (call != call_us_.end()) record.cpu_us = call->second;
    if (record.is_kernel) {
      const auto threads = static_cast<int>(record.block[0] * record.block[1] * record.block[2]);
      record.occupancy =
          occupancy(limits_, threads, record.registers, record.static_shared + record.dynamic_shared).share;
      if (launch < counters.size()) record.counters = counters[launch];
      ++launch;
    }
    log += cuda_profile_log::line(settings_, record);
  }
  return log;
}

std::vector<std::string> TextProfile::write() {
  std::vector<std::string> problems = settings_.problems;
  const std::string log = text(problems);
  std::ofstream out(settings_.path);
  out << log;
  if (!out.flush())
    problems.push_back("the log can't be written to " + settings_.path + ": check the folder and its rights");
  return problems;
}

}  // namespace cuda_lab_profile
