/// @file
/// What a table's column or a printed timer measures: one word of lab.toml, parsed once.
#pragma once
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// A measure, written "KIND" or "KIND:NAME" in lab.toml and in JSON.
struct Measure {
  enum class Kind {
    h2d,      ///< copies to the device
    d2h,      ///< copies from the device
    kernel,   ///< all kernels, or those named `name`
    printed,  ///< the number after "NAME:" in the program's output
    counter,  ///< a performance counter (counting.hpp)
    ratio,    ///< the value in column `name` divided by that of the baseline's row
    gain,     ///< 1 − the value in column `name` divided by that of the preceding row along an axis
    peer,     ///< kernels of the peer `name`
    own,      ///< kernels of the lab's own program, which runs alternately with the peer `name`
    speed,    ///< the peer's time divided by the lab's own
  };
  /// The places where a measure may be used. Each scope includes the scopes before it.
  enum class Scope { timer, column, peers };

  Kind kind = Kind::kernel;
  std::string name = {};  ///< after the colon; empty: none

  std::string text() const;  ///< the form that measure_from() parses
  Scope scope() const;
  /// Whether the profile of a run contains the times of this measure.
  bool in_profile() const { return scope() == Scope::timer; }

  friend std::strong_ordering operator<=>(const Measure&, const Measure&) = default;
};

/// Parses a measure. No value if the kind is unknown, the name is missing, or the kind takes no name.
std::optional<Measure> measure_from(std::string_view text);

/// The forms of a scope's measures, for messages: h2d, d2h, kernel, kernel:NAME, …
std::vector<std::string> measure_forms(Measure::Scope scope);

}  // namespace grader
