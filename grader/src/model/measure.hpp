/// @file
/// What a column of a table measures, or a printed timer covers: one word of lab.toml, parsed once.
#pragma once
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// Written "KIND" or "KIND:NAME", in lab.toml and in JSON.
struct Measure {
  enum class Kind {
    h2d,      ///< copies to the device
    d2h,      ///< copies from the device
    kernel,   ///< kernels: all of them, or those called `name`
    printed,  ///< the number behind "NAME:" in what the program prints
    counter,  ///< a performance counter (counting.hpp)
    ratio,    ///< the value in column `name` over that of the baseline's row
    peer,     ///< kernels of the peer `name`
    own,      ///< kernels of the lab's own program, run in turn with those of the peer `name`
    speed,    ///< the peer's time over the lab's own
  };
  /// Who may name a measure. Each may name those of the scopes before it too.
  enum class Scope { timer, column, peers };

  Kind kind = Kind::kernel;
  std::string name = {};  ///< behind the colon; empty: there is none

  std::string text() const;  ///< as it is written: measure_from() reads it back
  Scope scope() const;
  /// Times that the profile of a run has.
  bool in_profile() const { return scope() == Scope::timer; }

  friend std::strong_ordering operator<=>(const Measure&, const Measure&) = default;
};

/// None when the text is no measure: an unknown kind, or a name too many or too few.
std::optional<Measure> measure_from(std::string_view text);

/// How the measures that a scope may name are written, for messages: h2d, d2h, kernel, kernel:NAME, …
std::vector<std::string> measure_forms(Measure::Scope scope);

}  // namespace grader
