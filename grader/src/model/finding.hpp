/// @file
/// One mistake that the checker found, as plain data.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// One access or event in a finding.
struct FindingParty {
  std::string what;  ///< "write by thread (4,17,0)"
  std::string file;  ///< relative to the submission for its own files; empty: unknown
  unsigned line = 0;
  unsigned column = 0,
           end_column = 0;  ///< columns of the expression, from 1, end exclusive; 0: unknown
  std::string text;         ///< text of the source line, trimmed
  unsigned indent = 0;      ///< blanks before the text in that line
  std::string access = {};  ///< "read", "atomic_update" … of kit_wire::Access; empty: it is not an access
  std::optional<std::array<unsigned, 3>> thread = {}, block = {};  ///< no value: not one thread's, or unknown
};

/// One mistake that the checker or compute-sanitizer found. The sentences are only shown; no code searches
/// them.
struct Finding {
  std::string rule;      ///< "race", "out-of-bounds" …: docs/checker.md lists all
  bool error = true;     ///< false: a warning, which does not fail a case
  std::string headline;  ///< one sentence without a full stop
  std::string kernel;
  std::string array;  ///< empty if no array is involved
  std::string space;  ///< memory space: "global", "shared" … of kit_wire::Element; empty: unknown
  std::vector<std::int64_t> indices;    ///< indices of the element, one for each extent; may be out of bounds
  std::optional<std::int64_t> element;  ///< its position in the array, row by row; may be out of bounds
  std::uint64_t bytes = 0;              ///< bytes of the access; 0: unknown
  std::vector<FindingParty> parties;
  std::vector<std::string> notes;
  std::string first;  ///< its first occurrence: "in the 2nd iteration of the loop at line 39"; may be empty
  std::string hint;
  std::uint64_t count = 1;   ///< number of occurrences
  std::uint64_t blocks = 0;  ///< number of blocks with an occurrence; 0: unknown
  /// For a race in one launch, the smallest group that contains both threads: "warp", "block", "cluster" or
  /// "grid". Else empty.
  std::string between;
  std::string
      within;  ///< for a race, the smallest scope of its barrier: "warp", "block", "cluster" or "grid"
  std::string missing;                  ///< the missing order, "block-barrier" …: docs/checker.md lists all
  std::vector<unsigned> barrier_lines;  ///< lines where the barrier is missing; empty: unknown
};

}  // namespace grader
