/// @file
/// Implements timer.hpp.
#pragma once
#include "../timer.hpp"

namespace lab {

LAB_INLINE void record_time(const std::string& name, double ms) {
  const char* const profile = std::getenv("LAB_PROFILE");
  if (profile == nullptr || *profile == '\0') return;
  int channel = -1;
  if (std::sscanf(profile, "fd:%d", &channel) == 1) {  // the channel of a grader
    if (cuemu_record_time != nullptr)
      cuemu_record_time(name.c_str(), ms);
    else
      dprintf(channel, "{\"kind\":\"timer\",\"name\":\"%s\",\"duration_ns\":%.0f}\n", name.c_str(), ms * 1e6);
    return;
  }
  // A single call writes the whole line, since the device's profile appends to the same file.
  if (std::FILE* file = std::fopen(profile, "a")) {
    std::fprintf(file, "{\"kind\":\"timer\",\"name\":\"%s\",\"duration_ns\":%.0f}\n", name.c_str(), ms * 1e6);
    std::fclose(file);
  }
}

LAB_INLINE void print_time(const std::string& label, double ms, const std::string& measure) {
  std::printf("%s: %f (ms)\n", label.c_str(), ms);
  if (!measure.empty()) record_time(measure, ms);
}

}  // namespace lab
