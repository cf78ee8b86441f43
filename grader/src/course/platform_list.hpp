/// @file
/// Reads the lists that platforms put beside the hand-ins: names, numbers, and times of arrival.
#pragma once
#include <functional>
#include <map>
#include <vector>

#include "course/platform_name.hpp"

namespace grader {

/// The facts in one line of a list.
struct Listed {
  std::vector<Person> people;  ///< the owner; several for a group's hand-in
  std::string received_at;     ///< UTC, as in HandIn; empty if nothing was handed in, or the time is unknown
};

struct PlatformList {
  std::map<std::string, Listed>
      lines;  ///< by the participant's number (Moodle) or the folder's name (Gradescope)
  std::vector<std::string> remarks;  ///< sentences: the parts that can't be read
};

/// Converts a time without a zone, "2030-01-31T10:11:12", to UTC. Empty for any other text.
using InUtc = std::function<std::string(const std::string& local_time)>;

/// Reads Moodle's grading worksheet (CSV). No value for any other CSV file. Its times have neither seconds
/// nor a zone.
/// @throws Error (usage) for a file that can't be read
std::optional<PlatformList> read_moodle_worksheet(const fs::path& file, const InUtc& in_utc);

/// Reads the owners and times of the folders from Gradescope's submission_metadata.yml.
/// @throws Error (usage) for a file that can't be read
PlatformList read_gradescope_list(const fs::path& file);
inline constexpr const char* gradescope_list = "submission_metadata.yml";

/// Reads "Thursday, 5 November 2026, 10:30 PM", "Thursday, November 5, 2026, 10:30 PM" or "2026-11-05 22:30"
/// as "2026-11-05T22:30:00". Empty for any other text.
std::string moodle_time(const std::string& text);

}  // namespace grader
