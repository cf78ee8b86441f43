/// @file
/// What a program that was built by `emucc --record` told of itself, line by line (common/emu/check/record.hpp): the trace of
/// its kernels, what the checker found, its sources and how it ended. It needs no lab, nor any file but the record.
#pragma once
#include "check/recorded.hpp"
#include "model/trace.hpp"

namespace grader {

struct ProgramTrace {
  Trace trace;
  std::string name;                  ///< "a.out"
  std::vector<std::string> remarks;  ///< sentences: on shapes that do not fit
};

/// Whether a file begins as a record does.
bool is_program_record(const fs::path& file);

/// Reads lines as long as there are any, also where the program ends in their midst.
/// @param record a file, or "-": standard input
/// @param shapes of arrays that the user named; they have no dtype
/// @throws Error (usage) where it is no record, or where no kernel ran
ProgramTrace read_program_record(const fs::path& record, const KnownArrays& shapes);

/// Of "A=64x64". @throws Error (usage)
std::pair<std::string, KnownArray> parse_shape(const std::string& text);

}  // namespace grader
