/// @file
/// Lists, for editors, the lines of a submission that a grading mentions: blanks that are not filled, the
/// line that ended a case, and the places of each finding.
#pragma once
#include "model/grading.hpp"

namespace grader {

struct Place {
  std::string file;  ///< relative to the submission
  unsigned line = 0;
  unsigned column = 0;  ///< 0: unknown
  std::string
      severity;  ///< "error", "warning" or "note", as compilers name them; a finding's other places are notes
  std::string rule = {};     ///< the finding's rule, else empty
  std::string message = {};  ///< the message; for a finding its headline
  std::string what = {};     ///< the finding's party: "write by thread (0,0,0)"
  std::string hint = {};     ///< the hint, at the first place of a finding
};

/// The places of a grading. All texts are printable.
std::vector<Place> places_of(const Grading& grading);

/// One place per line in the compilers' format: "k.cu:97:5: error: race: two threads … (write by thread (0,0,0))".
std::string places_text(const Grading& grading);

}  // namespace grader
