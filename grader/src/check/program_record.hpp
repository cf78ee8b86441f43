/// @file
/// The record of a program built by `emucc --record` (common/emu/check/record.hpp). Its lines contain the trace of
/// the program's kernels, the checker's findings, the sources and the program's end. Reading it needs neither a lab
/// nor any other file.
#pragma once
#include "check/recorded.hpp"
#include "model/trace.hpp"

namespace grader {

struct ProgramTrace {
  Trace trace;
  std::string name;                  ///< "a.out"
  std::vector<std::string> remarks;  ///< sentences about shapes that do not fit
};

/// Whether a file begins like a record.
bool is_program_record(const fs::path& file);

/// Reads all lines of a record. The last line may be incomplete, since the program may have ended while
/// writing it.
/// @param record a file, or "-" for standard input
/// @param shapes shapes of arrays that the user gave; they have no dtype
/// @throws Error (usage) when the input is not a record, or no kernel ran
ProgramTrace read_program_record(const fs::path& record, const KnownArrays& shapes);

/// Parses "A=64x64". @throws Error (usage)
std::pair<std::string, KnownArray> parse_shape(const std::string& text);

}  // namespace grader
