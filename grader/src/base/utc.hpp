/// @file
/// Formats times for everything that the grader writes.
#pragma once
#include <ctime>
#include <string>

namespace grader {

/// A time as "2030-01-02T03:04:05Z". @param format another format, of strftime
inline std::string utc_text(std::time_t time, const char* format = "%Y-%m-%dT%H:%M:%SZ") {
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[64];
  std::strftime(text, sizeof text, format, &utc);
  return text;
}

inline std::string utc_now() {
  return utc_text(std::time(nullptr));
}

/// "2030-01-02 03:04" from "2030-01-02T03:04:05Z".
inline std::string minute_of(const std::string& time) {
  return time.size() < 16 ? time : time.substr(0, 10) + " " + time.substr(11, 5);
}

}  // namespace grader
