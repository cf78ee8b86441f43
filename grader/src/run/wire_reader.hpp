/// @file
/// Reads the records of common/wire. A student's process wrote them, so each field may have any content: a
/// value of the wrong type counts as missing, and values are limited to a plausible size.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "wire/stop.hpp"
#include "wire/todo.hpp"

namespace grader {

/// The fields of one JSON object, which must outlive this view.
class WireFields {
 public:
  /// @param object a JSON value of any type; it has no fields unless it is an object
  explicit WireFields(const nlohmann::json& object) : object_(object) {}

  std::string text(const char* name) const;
  /// A count or a time. Zero if the value is not a number, is negative, or is implausibly large.
  double number(const char* name) const;
  std::uint64_t count(const char* name) const;
  bool is_set(const char* name) const;
  bool has(const char* name) const;
  /// Reads three numbers. A number that is missing is left unchanged.
  void read_three(const char* name, std::uint32_t (&into)[3]) const;
  /// An array with at most `most` elements; null if there is none.
  const nlohmann::json* list(const char* name) const;

 private:
  const nlohmann::json* find(const char* name) const;
  const nlohmann::json& object_;
};

/// The kind of a line, such as "stop" in `{"kind":"stop",…`. Empty for other text.
std::string_view kind_of_line(std::string_view line);

/// @return no value if the line is not a record of this kind
std::optional<kit_wire::Stop> read_stop(std::string_view line);
std::optional<kit_wire::CudaError> read_cuda_error(std::string_view line);
std::optional<kit_wire::Todo> read_todo(std::string_view line);

}  // namespace grader
