// Functions that the recorders of a run (recorder.cpp, tracer.cpp) share, for values as bytes, places and points.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "source.hpp"
#include "wire/finding.hpp"

namespace cuemu::check {

/// The bytes of an access, or the first 16 of them.
struct Value {
  std::array<unsigned char, 16> bytes{};
  std::uint32_t size = 0;
  Value() = default;
  Value(std::uintptr_t address, std::size_t all)
      : size(static_cast<std::uint32_t>(std::min(all, bytes.size()))) {
    std::memcpy(bytes.data(), reinterpret_cast<const void*>(address), size);
  }
  bool operator==(const Value& other) const { return size == other.size && bytes == other.bytes; }
  /// Two digits for each byte, in memory order.
  std::string hex() const {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (std::uint32_t i = 0; i < size; ++i) {
      text += digits[bytes[i] >> 4];
      text += digits[bytes[i] & 15u];
    }
    return text;
  }
};

/// x, y and z as JSON.
inline std::string json_of(const kit_wire::Index& at) {
  return kit_wire::json_numbers(at);
}
inline std::string json_of(const dim3& size) {
  return json_of(kit_wire::Index{size.x, size.y, size.z});
}

inline kit_wire::Object& add_line(kit_wire::Object& to, const Line& line) {
  return to.add("file", line.file).add("line", line.line);
}

/// A pointer's name without usual prefixes and suffixes: "P" for d_P, dev_P, P_d, dP, data.P.
inline std::string bare_name(std::string name) {
  if (const std::size_t at = name.find_last_of(".>"); at != name.npos) name.erase(0, at + 1);
  for (const std::string mark : {"d_", "dev_", "device_", "gpu_"})
    if (name.size() > mark.size() && name.rfind(mark, 0) == 0) return name.substr(mark.size());
  for (const std::string mark : {"_d", "_dev", "_device", "_gpu"})
    if (name.size() > mark.size() && name.compare(name.size() - mark.size(), mark.size(), mark) == 0)
      return name.substr(0, name.size() - mark.size());
  const auto is_capital = [&](std::size_t i) {
    return std::isupper(static_cast<unsigned char>(name[i])) != 0;
  };
  if (name.size() > 1 && name[0] == 'd' && is_capital(1)) return name.substr(1);
  if (name.size() > 1 && name.back() == 'd' && is_capital(name.size() - 2)) name.pop_back();
  return name;
}

}  // namespace cuemu::check
