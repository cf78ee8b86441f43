/// @file
/// Writes JSON for all programs except the grader. The grader parses this JSON, and never truncates it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace kit_wire {

/// The version of all lines and reports. It increases if the meaning of an existing line or report changes. Additions
/// need no new version, because readers ignore unknown kinds and members.
inline constexpr int format = 1;

/// Returns a text as a JSON string, with its quotes.
inline std::string json_string(std::string_view text) {
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

/// Returns a JSON array of the items; `write` returns an item's JSON.
template <class Items, class Write>
std::string json_array(const Items& items, const Write& write) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += write(item);
  }
  return text + "]";
}

/// Returns a JSON array of numbers.
template <class Numbers>
std::string json_numbers(const Numbers& numbers) {
  return json_array(numbers, [](auto number) { return std::to_string(number); });
}

/// A JSON object whose members are added one by one.
class Object {
 public:
  /// Adds a member whose value is already JSON.
  Object& json(const char* name, std::string_view value) {
    if (text_.size() > 1) text_ += ',';
    text_ += json_string(name);
    text_ += ':';
    text_ += value;
    return *this;
  }
  Object& add(const char* name, std::string_view value) { return json(name, json_string(value)); }
  template <class Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
  Object& add(const char* name, Number value) {
    if constexpr (std::is_same_v<Number, bool>) return json(name, value ? "true" : "false");
    return json(name, std::to_string(value));
  }
  /// Returns sizes or an index in x, y and z as a JSON array.
  template <class Number, std::enable_if_t<!std::is_same_v<Number, char>, int> = 0>
  Object& add(const char* name, const Number (&xyz)[3]) {
    return json(name, json_numbers(xyz));
  }
  std::string text() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

}  // namespace kit_wire
