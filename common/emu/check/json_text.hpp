// JSON text for the checker's reports.
#pragma once

#include <string>

#include "wire/json.hpp"

namespace cuemu::check {

using kit_wire::json_string;

inline std::string member(const char* name, const std::string& value) {
  return json_string(name) + ": " + json_string(value);
}

template <class Items, class Write>
std::string list(const Items& items, const Write& write) {
  std::string text = "[";
  for (const auto& item : items) text += (text.size() > 1 ? ", " : "") + write(item);
  return text + "]";
}

}  // namespace cuemu::check
