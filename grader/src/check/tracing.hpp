/// @file
/// Reads what kernels' blocks did, from a run in emulation under the checker's tracer
/// (common/emu/check/tracer.cpp).
#pragma once
#include <nlohmann/json.hpp>
#include <optional>

#include "check/recorded.hpp"
#include "model/trace.hpp"
#include "run/run.hpp"

namespace grader {

/// Runs a program that was built with Instrument::check, in emulation. Reads what its first blocks did, the
/// checker's findings, and the wrong elements of the result.
/// @param blocks the number of blocks of each launch that are recorded at most
/// @throws Error (usage) when the program ends before anything was recorded, or has no kernel
Trace trace_case(const Toolchain& toolchain, const Submission& submission, const Case& c,
                 const fs::path& program, const CaseData& data, const fs::path& work_folder,
                 std::size_t blocks, const Machine& machine = this_machine());

/// Facts about a program that its own report does not contain. They come from a lab (trace_case) or from the
/// program's user (program_record.hpp).
struct TraceContext {
  std::vector<SubmissionFile> files;  ///< its sources
  KnownArrays known;                  ///< by their names for the user
  std::string output;                 ///< name of the result array; empty: none
  std::vector<Finding> findings = {};
};

/// The records of a trace (common/wire/include/wire/trace.hpp), from a report or from a record's lines.
struct TraceRecords {
  std::vector<nlohmann::json> places, arrays, launches;
  std::vector<std::vector<nlohmann::json>> blocks;  ///< for each launch, its blocks
  std::uint64_t launches_in_all = 0;
  /// @param record a record with its kind; records that are not a trace's are ignored
  /// @throws an exception of JSON, or std::out_of_range, when the record is invalid
  void add(nlohmann::json record);
};

/// Reads a trace from the program's report alone. @return no value if the report is invalid
std::optional<Trace> read_trace(const std::string& report, const TraceContext& context);
std::optional<Trace> read_trace(const TraceRecords& records, const TraceContext& context);

/// Whether a finding is an error, or the result is wrong.
bool shows_a_mistake(const Trace& trace);

nlohmann::json to_json(const Trace& trace);

}  // namespace grader
