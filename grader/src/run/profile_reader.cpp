// Reads a profile, which has one JSON object on each line. A student's process wrote it, so it may have any
// content.
#include <nlohmann/json.hpp>

#include "model/json.hpp"
#include "run/run.hpp"
#include "run/wire_reader.hpp"

namespace grader {
namespace {

using nlohmann::json;
using Kind = Activity::Kind;

constexpr std::size_t longest_line = 64 << 10;
constexpr std::size_t most_activities = 1 << 20;

std::optional<Kind> kind_of(const WireFields& line) {
  const std::string kind = line.text("kind");
  if (kind == "kernel") return Kind::kernel;
  if (kind == "memset") return Kind::memset;
  if (kind == "alloc") return Kind::alloc;
  if (kind == "free") return Kind::free;
  if (kind != "memcpy") return {};
  const std::string direction = line.text("direction");
  if (direction == "h2d") return Kind::h2d;
  if (direction == "d2h") return Kind::d2h;
  if (direction == "d2d") return Kind::d2d;
  if (direction == "h2h") return Kind::h2h;
  return {};
}

void add_content(const WireFields& line, Profile& profile) {
  const std::string direction = line.text("direction");
  if (direction != "h2d" && direction != "d2h") return;
  Content content;
  content.to_host = direction == "d2h";
  content.shared = line.is_set("shared");
  content.bytes = line.count("bytes");
  content.hash = line.count("hash");
  content.head = line.count("head");
  profile.contents.push_back(content);
}

void add_line(const WireFields& line, Profile& profile) {
  const std::string kind = line.text("kind");
  if (kind == "header") {
    profile.source = line.text("source");
    profile.device = line.text("device");
    profile.has_contents = line.is_set("content");
    if (line.has("format") && line.count("format") != kit_wire::format)
      profile.doubt = "its lines are of another version of the kit: build the kit anew";
  } else if (kind == "timer") {
    profile.timers.emplace_back(line.text("name"), line.number("duration_ns") / 1e9);
  } else if (kind == "note") {
    profile.notes.push_back(line.text("text"));
  } else if (kind == "content") {
    add_content(line, profile);
  } else if (kind == "host_visible") {
    profile.host_visible = true;
  } else if (kind == "end") {
    profile.complete = true;
  } else if (const auto activity_kind = kind_of(line)) {
    Activity activity;
    activity.kind = *activity_kind;
    activity.name = line.text("name");
    activity.start_s = line.number("start_ns") / 1e9;
    activity.duration_s = line.number("duration_ns") / 1e9;
    activity.bytes = *activity_kind == Kind::kernel
                         ? line.count("static_shared") + line.count("dynamic_shared")
                         : line.count("bytes");
    activity.address = line.count("address");
    line.read_three("grid", activity.grid);
    line.read_three("block", activity.block);
    profile.activities.push_back(std::move(activity));
  }
}

/// Takes the next line, up to its newline. @return false at the end of the text, for a line without newline,
/// and for a line that is too long
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
    add_line(WireFields(parsed), profile);
  }
  return profile;
}

}  // namespace grader
