/// @file
/// The form of every moment that the grader writes down.
#pragma once
#include <ctime>
#include <string>

namespace grader {

/// "2030-01-02T03:04:05Z". @param format of strftime, for another one
inline std::string utc_text(std::time_t time, const char* format = "%Y-%m-%dT%H:%M:%SZ") {
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[64];
  std::strftime(text, sizeof text, format, &utc);
  return text;
}

}  // namespace grader
