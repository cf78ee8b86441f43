/// @file
/// Errors in a user's source, with their position.
#pragma once
#include <cstdint>
#include <string>

namespace emucc {

/// An error that the user must correct, at a position in one of the user's files.
struct Diagnostic {
  std::string file;
  std::uint32_t line = 0, column = 0;  ///< from 1; column 0: unknown
  std::string message;
};

}  // namespace emucc
