#include "run/channel.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "run/wire_reader.hpp"
#include "wire/seal.hpp"

namespace grader {
namespace {

using kit_wire::seal_digits;

std::string fresh_key() {
  std::uint64_t random[2];
  if (getrandom(random, sizeof random, 0) != static_cast<ssize_t>(sizeof random))
    throw Error(ErrorKind::environment, "The system gives no random numbers (getrandom failed).");
  return fmt::format("{:016x}{:016x}", random[0], random[1]);
}

/// The line without its seal. No value if the seal does not match this line and its number.
std::optional<std::string_view> unsealed(std::string_view line, const std::string& key,
                                         std::uint64_t number) {
  if (line.size() <= seal_digits || line[seal_digits] != ' ') return std::nullopt;
  const std::string_view text = line.substr(seal_digits + 1);
  if (line.substr(0, seal_digits) != kit_wire::seal_of(key, number, text)) return std::nullopt;
  return text;
}

/// The content of a line with a report. No value for other lines. Reports are large, so only their readers
/// parse them.
std::optional<std::string_view> report_in(std::string_view line, std::string_view kind) {
  constexpr std::string_view before_kind = R"({"kind":")", before_report = R"(","report":)";
  if (kind.empty() || !line.ends_with('}')) return std::nullopt;
  line.remove_prefix(before_kind.size() + kind.size());
  if (!line.starts_with(before_report)) return std::nullopt;
  return line.substr(before_report.size(), line.size() - before_report.size() - 1);
}

void add_line(std::string_view line, ChannelContent& content, bool sealed) {
  const std::string_view kind = kind_of_line(line);
  if (kind == "fork") {
    content.forked = true;
  } else if (const auto report = report_in(line, kind)) {
    content.reports[std::string(kind)] = *report;
  } else if (kind == "stop" && sealed) {
    auto stop = read_stop(line);
    if (stop && (!content.stop || stop->reason == kit_wire::Reason::time_limit))
      content.stop = std::move(stop);
  } else if (kind == "cuda_error" && sealed) {
    content.cuda_error = read_cuda_error(line);
  } else if (kind == "todo" && sealed) {
    if (!content.todo) content.todo = read_todo(line);
  } else {
    content.profile.append(line).append("\n");
  }
}

}  // namespace

Hello::Hello(const std::map<std::string, std::string>& settings) : key_(fresh_key()) {
  text_ = "key=" + key_ + "\n";
  for (const auto& [name, value] : settings) text_ += name + "=" + value + "\n";
}

ChannelContent read_channel(std::string_view said, const std::string& key) {
  ChannelContent content;
  std::uint64_t number = 0;
  while (!said.empty()) {
    const std::size_t end = said.find('\n');
    if (end == std::string_view::npos) break;  // the program was stopped while writing this line
    std::string_view line = said.substr(0, end);
    said.remove_prefix(end + 1);
    if (!key.empty()) {
      const auto own = unsealed(line, key, number);
      if (!own) {
        content.forged = true;
        continue;
      }
      ++number;
      line = *own;
    }
    add_line(line, content, !key.empty());
  }
  return content;
}

std::string implausible(const Profile& profile, double wall_s) {
  constexpr double shortest = 20e-9;  // seconds; no launch is shorter, and 0 means not measured
  constexpr double slack_s = 0.05;    // difference between the clocks of two processes
  double first = 0, last = 0;
  bool any = false;
  for (const Activity& activity : profile.activities) {
    if (activity.duration_s > 0 && activity.kind == Activity::Kind::kernel && activity.duration_s < shortest)
      return fmt::format("the kernel {} is reported to have taken {:.3g} ns, less than any launch takes",
                         activity.name, 1e9 * activity.duration_s);
    if (activity.duration_s > wall_s + slack_s)
      return fmt::format(
          "an activity is reported to have taken {:.3g} s on the device, and the whole run took {:.3g} s",
          activity.duration_s, wall_s);
    if (activity.start_s <= 0) continue;
    first = any ? std::min(first, activity.start_s) : activity.start_s;
    last = std::max(last, activity.start_s + activity.duration_s);
    any = true;
  }
  if (any && last - first > wall_s + slack_s)
    return fmt::format("the device is reported to have worked for {:.3g} s, and the whole run took {:.3g} s",
                       last - first, wall_s);
  return {};
}

}  // namespace grader
