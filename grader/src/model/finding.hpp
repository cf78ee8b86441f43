/// @file
/// One mistake that the checker saw, as plain data.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace grader {

/// One access or event that a finding is about.
struct FindingParty {
  std::string what;  ///< "write by thread (4,17,0)"
  std::string file;  ///< relative to the submission where it is one of its files; empty: not known
  unsigned line = 0;
  unsigned column = 0,
           end_column = 0;  ///< of the expression in that line, from 1, the end not included; 0: not known
  std::string text;         ///< of the source line, without the blanks around it
  unsigned indent = 0;      ///< blanks before the text in that line
};

/// One mistake that the checker saw, or compute-sanitizer.
struct Finding {
  std::string rule;      ///< "race", "out-of-bounds" …: docs/checker.md has them all
  bool error = true;     ///< false: a warning, which fails nothing
  std::string headline;  ///< one sentence without a full stop
  std::string kernel;
  std::string array;  ///< empty where none is concerned
  std::vector<FindingParty> parties;
  std::vector<std::string> notes;
  std::string first;  ///< when it was first seen: "in the 2nd iteration of the loop at line 39"; may be empty
  std::string hint;
  std::uint64_t count = 1;   ///< how often it was seen
  std::uint64_t blocks = 0;  ///< in so many blocks; 0: not known
  std::string
      between;  ///< of a race in one launch: "warp", "block", "cluster" or "grid", the smallest group of both; or empty
  std::string
      within;  ///< of a race: "warp", "block", "cluster" or "grid", the smallest that its barrier is for; or empty
};

}  // namespace grader
