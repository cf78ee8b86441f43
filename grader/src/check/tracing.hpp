/// @file
/// The work of kernels' blocks, from a run in emulation under the checker's tracer (common/emu/check/tracer.cpp).
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <optional>

#include "check/recorded.hpp"
#include "model/trace.hpp"
#include "run/run.hpp"

namespace grader {

/// Runs a program that was built with `checked`, in emulation, and reads the work of its first blocks, the checker's
/// findings, and the wrong elements of the result.
/// @param blocks of each launch, at most
/// @throws Error (usage) for a program that ends before anything was recorded, and one without a kernel
Trace trace_case(const Toolchain& toolchain, const Submission& submission, const Case& c,
                 const fs::path& program, const CaseData& data, const fs::path& work_folder,
                 std::size_t blocks, const Machine& machine = this_machine());

/// Facts about a program besides its own report: from a lab (trace_case), or from its user (program_record.hpp).
struct TraceContext {
  std::vector<SubmissionFile> files;  ///< its sources
  KnownArrays known;                  ///< by their user-visible names
  std::string output;                 ///< name of the result array; empty: none
  std::vector<Finding> findings = {};
};

/// Reads the report only, which the program wrote. @return nothing for an invalid one
std::optional<Trace> read_trace(const std::string& report, const TraceContext& context);
/// The same for a report combined from a record's lines.
std::optional<Trace> read_trace(const nlohmann::json& report, const TraceContext& context);

/// Whether something is wrong: a finding that is an error, or the result.
bool shows_a_mistake(const Trace& trace);

nlohmann::json to_json(const Trace& trace);

}  // namespace grader
