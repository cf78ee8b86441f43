#include "verify/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>

#include "base/columns.hpp"
#include "verify/run_facts.hpp"

namespace grader {
namespace {

constexpr char no_profile[] = "The run left no profile, so what it did on the device is not known.";

/// "256 bytes", or "256 + 64 bytes": the largest sizes first, and only a few.
std::string sizes_words(std::vector<std::uint64_t> sizes) {
  std::sort(sizes.rbegin(), sizes.rend());
  constexpr std::size_t most = 4;
  std::string words;
  for (std::size_t i = 0; i < std::min(most, sizes.size()); ++i)
    words += fmt::format("{}{}", i == 0 ? "" : " + ", sizes[i]);
  return words + (sizes.size() > most ? " + … bytes" : " bytes");
}

/// A printed time, and the value of one unit of its last digit.
struct PrintedTime {
  double seconds = 0;
  double resolution = 0;
};

/// Parses "0.012 (ms)", "0.012 ms" or "0.012"; a time without a unit is in ms.
std::optional<PrintedTime> parse_time(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value) || value < 0) return std::nullopt;
  const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
  std::string unit(trimmed(text.substr(digits.size())));
  unit.erase(std::remove_if(unit.begin(), unit.end(),
                            [](char c) { return c == '(' || c == ')' || c == '[' || c == ']'; }),
             unit.end());
  const double scale = unit.empty() || unit == "ms"                   ? 1e-3
                       : unit == "s"                                  ? 1
                       : unit == "us" || unit == "µs" || unit == "μs" ? 1e-6
                       : unit == "ns"                                 ? 1e-9
                                                                      : 0;
  if (scale == 0) return std::nullopt;
  const std::size_t point = digits.find('.');
  const bool exponent = digits.find_first_of("eE") != std::string_view::npos;
  const double last_digit = exponent || point == std::string_view::npos
                                ? 1
                                : std::pow(10., -static_cast<double>(digits.size() - point - 1));
  return PrintedTime{value * scale, (exponent ? 0 : last_digit) * scale};
}

struct PrintedLine {
  bool found = false;
  bool readable = true;
  PrintedTime time;  ///< the sum, if the line was printed several times
};

PrintedLine find_line(const std::string& printed, const std::string& name) {
  PrintedLine line;
  for (std::size_t begin = 0; begin < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    const std::string_view text = trimmed(std::string_view(printed).substr(begin, end - begin));
    begin = end + 1;
    if (text.substr(0, name.size()) != name) continue;
    const std::string_view rest = trimmed(text.substr(name.size()));
    if (rest.empty() || rest.front() != ':') continue;
    line.found = true;
    if (const auto time = parse_time(rest.substr(1))) {
      line.time.seconds += time->seconds;
      line.time.resolution += time->resolution;
    } else {
      line.readable = false;
    }
  }
  return line;
}

std::string milliseconds(double seconds) {
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

std::string join_words(const std::vector<Measure>& measures) {
  std::string words;
  for (const Measure& measure : measures) {
    const std::string word = measure.kind == Measure::Kind::h2d   ? "copies to the device"
                             : measure.kind == Measure::Kind::d2h ? "copies from the device"
                             : measure.name.empty()               ? "kernels"
                                                                  : "kernel " + measure.name;
    words += fmt::format("{}{}", words.empty() ? "" : " and ", word);
  }
  return words;
}

/// The profile without warm-up launches, that is, launches that are followed by a larger launch of the same kernel.
/// Their times include CUDA's start-up. A timer need not cover them.
Profile without_warm_up(Profile profile) {
  std::map<std::string, double> largest;  // the largest of the launches after the current one, by kernel
  std::vector<Activity> work;
  for (auto activity = profile.activities.rbegin(); activity != profile.activities.rend(); ++activity) {
    if (activity->kind == Activity::Kind::kernel) {
      double& most = largest[activity->name];
      if (threads_of(*activity) < most) continue;
      most = threads_of(*activity);
    }
    work.push_back(std::move(*activity));
  }
  profile.activities.assign(std::make_move_iterator(work.rbegin()), std::make_move_iterator(work.rend()));
  return profile;
}

/// The call that makes the host wait for the work that a timer must cover.
std::string advice(const std::vector<Measure>& covers) {
  const bool kernel = std::any_of(covers.begin(), covers.end(),
                                  [](const Measure& m) { return m.kind == Measure::Kind::kernel; });
  return kernel ? "A launch returns at once: synchronise before you stop the timer"
                : "Start the timer before the copies and stop it after them, and synchronise first where "
                  "they are asynchronous";
}

}  // namespace

std::string freed_problem(const Profile& profile) {
  if (profile.source.empty()) return no_profile;
  std::map<std::uint64_t, std::uint64_t> live;  // address → bytes
  std::size_t allocations = 0;
  for (const Activity& activity : profile.activities) {
    if (activity.kind == Activity::Kind::alloc) {
      live[activity.address] = activity.bytes;
      ++allocations;
    } else if (activity.kind == Activity::Kind::free) {
      live.erase(activity.address);
    }
  }
  if (live.empty()) return {};
  std::vector<std::uint64_t> sizes;
  for (const auto& [address, bytes] : live) sizes.push_back(bytes);
  return fmt::format(
      "{} of {} device allocation{} {} never freed ({}): call cudaFree for each pointer that cudaMalloc "
      "gave.",
      live.size(), allocations, allocations == 1 ? "" : "s", live.size() == 1 ? "was" : "were",
      sizes_words(std::move(sizes)));
}

std::string timers_problem(const std::vector<PrintedTimer>& timers, const std::string& printed,
                           const Profile& profile) {
  if (profile.source.empty()) return no_profile;
  const Profile timed = without_warm_up(profile);
  for (const PrintedTimer& timer : timers) {
    const PrintedLine line = find_line(printed, timer.line);
    if (!line.found) return fmt::format("The line \"{} : … (ms)\" was not printed.", timer.line);
    if (!line.readable)
      return fmt::format(
          "The line \"{} : … (ms)\" was printed without a time that can be read, such as 0.012 (ms).",
          timer.line);
    double device = 0;
    for (const Measure& measure : timer.covers) device += measured_seconds(timed, measure).value_or(0);
    if (line.time.seconds + line.time.resolution < 0.8 * device)
      return fmt::format("The timer \"{}\" shows {}, but the {} took {} on the device. {}.", timer.line,
                         milliseconds(line.time.seconds), join_words(timer.covers), milliseconds(device),
                         advice(timer.covers));
  }
  return {};
}

std::string took_place_problem(const std::vector<Requirement>& requirements,
                               const std::vector<PrintedTimer>& timers, const Profile& profile) {
  if (profile.source.empty()) return no_profile;
  const auto asked = [&](Requirement r) {
    return std::find(requirements.begin(), requirements.end(), r) != requirements.end();
  };
  const bool allocated =
      std::any_of(profile.activities.begin(), profile.activities.end(),
                  [](const Activity& activity) { return activity.kind == Activity::Kind::alloc; });
  if (asked(Requirement::freed) && !allocated)
    return "No device memory was allocated, so none could be freed: call cudaMalloc.";
  for (const PrintedTimer& timer : timers) {
    if (!asked(Requirement::timers)) break;
    for (const Measure& measure : timer.covers) {
      if (!measured_seconds(profile, measure))
        return fmt::format("The timer \"{}\" covers no {}: there were none.", timer.line,
                           join_words({measure}));
    }
  }
  return {};
}

std::string shared_problem(const Profile& profile) {
  if (profile.source.empty()) return no_profile;
  const Activity* longest = nullptr;
  for (const Activity& activity : profile.activities) {
    const bool longer = longest == nullptr || activity.duration_s > longest->duration_s;
    if (activity.kind == Activity::Kind::kernel && longer) longest = &activity;
  }
  if (longest == nullptr) return kernel_problem(profile);
  if (longest->bytes > 0) return {};
  return fmt::format(
      "The kernel {} has no shared memory: each thread fetches from global memory what its neighbours fetch "
      "too.",
      longest->name);
}

std::map<std::string, double> counted_in(const Profile& profile) {
  if (profile.source.empty()) return {};
  std::map<std::string, double> counted;
  for (const char* const name : counted_in_profile) counted[name] = 0;
  for (const Activity& activity : profile.activities) {
    const auto bytes = static_cast<double>(activity.bytes);
    if (activity.kind == Activity::Kind::h2d) counted["bytes_to_device"] += bytes;
    if (activity.kind == Activity::Kind::d2h) counted["bytes_from_device"] += bytes;
    if (activity.kind != Activity::Kind::kernel) continue;
    counted["launches"] += 1;
    counted["threads"] += threads_of(activity);
  }
  return counted;
}

std::string counts_problem(const std::vector<Count>& asked, const std::map<std::string, double>& counted) {
  for (const Count& count : asked) {
    const auto amount = counted.find(count.of);
    if (amount == counted.end()) continue;
    const auto shares = counted.find(count.per);
    if (!count.per.empty() && (shares == counted.end() || shares->second == 0)) continue;
    const double value = count.per.empty() ? amount->second : amount->second / shares->second;
    const bool few = count.least && value < *count.least;
    if (!few && !(count.most && value > *count.most)) continue;
    std::string name = count.of;
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string one =  // the unit of "launches", "warps"
        count.per == "launches" ? "launch"
                                : count.per.substr(0, count.per.empty() ? 0 : count.per.size() - 1);
    const double limit = few ? *count.least : *count.most;
    return fmt::format("{} ({}: {:.6g}{}; at {} {:.6g} {} expected.)", count.says, name, value,
                       count.per.empty() ? "" : " for each " + one, few ? "least" : "most", limit,
                       limit == 1 ? "is" : "are");
  }
  return {};
}

std::string kernel_problem(const Profile& profile) {
  if (profile.source.empty()) return no_profile;
  if (measured_seconds(profile, {Measure::Kind::kernel})) return {};
  return "No kernel ran on the device, so the result was not computed there: launch your kernel.";
}

}  // namespace grader
