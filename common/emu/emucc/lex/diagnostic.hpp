/// @file
/// What is wrong with a user's source, and where.
#pragma once
#include <cstdint>
#include <string>

namespace emucc {

/// What the user must change, at a place in a file of theirs.
struct Diagnostic {
  std::string file;
  std::uint32_t line = 0, column = 0;  ///< from 1; column 0: unknown
  std::string message;
};

}  // namespace emucc
