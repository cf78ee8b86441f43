/// @file
/// Text as JSON. One source for profiles and for the emulation's checker.
#pragma once
#include <cstdio>
#include <string>

namespace cuda_lab_profile {

/// Text as a JSON string, with its quotes.
inline std::string json_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace cuda_lab_profile
