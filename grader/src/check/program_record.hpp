/// @file
/// The record of a program built by `emucc --record`, line by line (common/emu/check/record.hpp): the trace of its
/// kernels, the checker's findings, its sources and its end. Reading needs neither a lab nor any other file.
#pragma once
#include "check/recorded.hpp"
#include "model/trace.hpp"

namespace grader {

struct ProgramTrace {
  Trace trace;
  std::string name;                  ///< "a.out"
  std::vector<std::string> remarks;  ///< sentences on shapes that do not fit
};

/// Whether a file begins like a record.
bool is_program_record(const fs::path& file);

/// Reads lines to the end of the input, also where the program ended in the middle of one.
/// @param record a file, or "-": standard input
/// @param shapes of arrays, given by the user; they have no dtype
/// @throws Error (usage) when it is no record, or when no kernel ran
ProgramTrace read_program_record(const fs::path& record, const KnownArrays& shapes);

/// Parses "A=64x64". @throws Error (usage)
std::pair<std::string, KnownArray> parse_shape(const std::string& text);

}  // namespace grader
