#include "course/platform_name.hpp"

#include <charconv>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/regex.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_receipt = 4 << 20;

std::uint64_t number_of(const std::string& digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::optional<PlatformName> moodle_name(const std::string& whole, bool is_folder) {
  // A group that has no number hands in as a group, too.
  static const Regex form(R"(^(.+?)(?:_(\d+))?_assignsubmission_[a-z]+(?:_(.*))?$)");
  const auto m = form.match(whole);
  if (!m) return std::nullopt;
  PlatformName out;
  out.platform = Platform::moodle;
  out.person = {.name = (*m)[1], .number = (*m)[2]};
  if (out.person.name == "Participant") out.person.name += " " + out.person.number;
  if (!is_folder) out.file = (*m)[3];
  return out;
}

/// The name is in small letters, without blanks. The user's number is the first number that is followed by
/// another number.
std::optional<PlatformName> canvas_name(const std::string& whole) {
  static const Regex without_names(R"(^(LATE_)?anon_([A-Za-z0-9]+)_(?:(\d+)_(.+)|((?:text|link)\.html))$)");
  static const Regex with_names(R"(^(.+?)(_LATE)?_(\d+)_(?:(\d+)_(.+)|((?:text|link)\.html))$)");
  auto m = without_names.match(whole);
  PlatformName out;
  out.platform = Platform::canvas;
  if (m) {
    out.person = {.name = "anon " + (*m)[2], .number = (*m)[2]};
    out.is_late = m->has(1);
    out.newer = number_of((*m)[3]);
    out.file = (*m)[4] + (*m)[5];
  } else if ((m = with_names.match(whole))) {
    out.person = {.name = (*m)[1], .number = (*m)[3]};
    out.is_late = m->has(2);
    out.newer = number_of((*m)[4]);
    out.file = (*m)[5] + (*m)[6];
  } else {
    return std::nullopt;
  }
  // A download holds each student's last submission. If there are a timely and a late one, they come from two
  // downloads.
  out.attempt = out.is_late ? "2" : "1";
  return out;
}

/// Reads "Name: Ada Lovelace (alovelace)" from the receipt of an attempt.
std::optional<Person> on_receipt(const fs::path& receipt) {
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(receipt, failed))) return std::nullopt;
  try {
    const std::string text = read_file(receipt, largest_receipt);
    static const Regex form("^(?:\xEF\xBB\xBF)?Name: *(.*?) *\\(([^()]+)\\) *\r?$");
    if (const auto m = form.match(text.substr(0, text.find('\n'))))
      return Person{.name = (*m)[1], .number = "", .logins = {(*m)[2]}};
  } catch (const Error&) {
    // not a receipt of Blackboard
  }
  return std::nullopt;
}

std::optional<PlatformName> blackboard_name(const fs::path& path) {
  static const Regex form(R"(^((.+)_attempt_(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d))(?:_(.+)|\.txt)$)");
  const auto m = form.match(path.filename().string());
  if (!m) return std::nullopt;
  PlatformName out;
  out.platform = Platform::blackboard;
  // The names of the assignment and of the user may both contain a "_".
  const std::string both = (*m)[2];
  if (const auto person = on_receipt(path.parent_path() / ((*m)[1] + ".txt"));
      person && both.ends_with("_" + person->logins.front())) {
    out.person = *person;
  } else {
    const std::size_t bar = both.rfind('_');
    if (bar == std::string::npos) return std::nullopt;
    out.person.logins = {both.substr(bar + 1)};
  }
  out.local_time = (*m)[3] + "T" + (*m)[4] + ":" + (*m)[5] + ":" + (*m)[6];
  out.attempt = out.local_time;
  out.file = (*m)[7];
  return out;
}

}  // namespace

std::string to_string(Platform platform) {
  switch (platform) {
    case Platform::canvas:
      return "Canvas";
    case Platform::moodle:
      return "Moodle";
    case Platform::blackboard:
      return "Blackboard";
    case Platform::gradescope:
      return "Gradescope";
    case Platform::none:
      break;
  }
  return "";
}

std::optional<PlatformName> platform_name(const fs::path& path, bool is_folder) {
  const std::string whole = path.filename().string();
  if (auto name = moodle_name(whole, is_folder)) return name;
  if (is_folder) return std::nullopt;
  if (auto name = blackboard_name(path)) return name;
  return canvas_name(whole);
}

}  // namespace grader
