// Reads a profile: one JSON object per line. A student's process wrote it, so it may have any content.
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/json.hpp"
#include "run/run.hpp"

namespace grader {
namespace {

using nlohmann::json;
using Kind = Activity::Kind;

constexpr std::size_t longest_line = 64 << 10;
constexpr std::size_t most_activities = 1 << 20;
constexpr std::size_t longest_text = 1024;

std::string text_of(const json& line, const char* name) {
  const auto value = line.find(name);
  return value != line.end() && value->is_string() ? value->get<std::string>().substr(0, longest_text)
                                                   : std::string();
}

/// A count or time; anything that is no number, negative or absurd counts as zero.
double number_of(const json& line, const char* name) {
  const auto value = line.find(name);
  if (value == line.end() || !value->is_number()) return 0;
  const double number = value->get<double>();
  return std::isfinite(number) && number >= 0 && number < 1e19 ? number : 0;
}

std::uint64_t count_of(const json& line, const char* name) {
  const auto value = line.find(name);
  return value != line.end() && value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
}

void read_extent(const json& line, const char* name, std::uint32_t (&extent)[3]) {
  const auto value = line.find(name);
  if (value == line.end() || !value->is_array()) return;
  for (std::size_t i = 0; i < 3 && i < value->size(); ++i) {
    const json& number = (*value)[i];
    if (number.is_number_unsigned() && number.get<std::uint64_t>() <= UINT32_MAX)
      extent[i] = number.get<std::uint32_t>();
  }
}

std::optional<Kind> kind_of(const json& line) {
  const std::string kind = text_of(line, "kind");
  if (kind == "kernel") return Kind::kernel;
  if (kind == "memset") return Kind::memset;
  if (kind == "alloc") return Kind::alloc;
  if (kind == "free") return Kind::free;
  if (kind != "memcpy") return {};
  const std::string direction = text_of(line, "direction");
  if (direction == "h2d") return Kind::h2d;
  if (direction == "d2h") return Kind::d2h;
  if (direction == "d2d") return Kind::d2d;
  if (direction == "h2h") return Kind::h2h;
  return {};
}

bool is_set(const json& line, const char* name) {
  const auto value = line.find(name);
  return value != line.end() && value->is_boolean() && value->get<bool>();
}

void add_content(const json& line, Profile& profile) {
  const std::string direction = text_of(line, "direction");
  if (direction != "h2d" && direction != "d2h") return;
  Content content;
  content.to_host = direction == "d2h";
  content.shared = is_set(line, "shared");
  content.bytes = count_of(line, "bytes");
  content.hash = count_of(line, "hash");
  content.head = count_of(line, "head");
  profile.contents.push_back(content);
}

void add_line(const json& line, Profile& profile) {
  const std::string kind = text_of(line, "kind");
  if (kind == "header") {
    profile.source = text_of(line, "source");
    profile.device = text_of(line, "device");
    profile.has_contents = is_set(line, "content");
  } else if (kind == "timer") {
    profile.timers.emplace_back(text_of(line, "name"), number_of(line, "duration_ns") * 1e-9);
  } else if (kind == "note") {
    profile.notes.push_back(text_of(line, "text"));
  } else if (kind == "content") {
    add_content(line, profile);
  } else if (kind == "host_visible") {
    profile.host_visible = true;
  } else if (kind == "end") {
    profile.complete = true;
  } else if (const auto activity_kind = kind_of(line)) {
    Activity activity;
    activity.kind = *activity_kind;
    activity.name = text_of(line, "name");
    activity.start_s = number_of(line, "start_ns") * 1e-9;
    activity.duration_s = number_of(line, "duration_ns") * 1e-9;
    activity.bytes = *activity_kind == Kind::kernel
                         ? count_of(line, "static_shared") + count_of(line, "dynamic_shared")
                         : count_of(line, "bytes");
    activity.address = count_of(line, "address");
    read_extent(line, "grid", activity.grid);
    read_extent(line, "block", activity.block);
    profile.activities.push_back(std::move(activity));
  }
}

/// Reads up to the next newline. False at the end, for a line without newline, and for one that is too long.
bool next_line(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || end >= longest_line) return false;
  line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

}  // namespace

Profile read_profile(std::string_view text) {
  Profile profile;
  std::string_view line;
  while (profile.activities.size() < most_activities && profile.contents.size() < most_activities &&
         next_line(text, line)) {
    const json parsed = json_or_null(line);
    if (!parsed.is_object()) break;
    add_line(parsed, profile);
  }
  return profile;
}

}  // namespace grader
