/// @file
/// What the blocks of kernels do, from a run in emulation under the checker's tracer (common/emu/check/tracer.cpp).
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <optional>

#include "check/recorded.hpp"
#include "model/trace.hpp"
#include "run/run.hpp"

namespace grader {

/// Runs a program that was built with `checked`, in emulation, and reads what its first blocks did, what the checker found,
/// and which elements of the result are wrong.
/// @param blocks of each launch, at most
/// @throws Error (usage) for a program that ends before anything could be recorded, and one without a kernel
Trace trace_case(const Toolchain& toolchain, const Submission& submission, const Case& c,
                 const fs::path& program, const CaseData& data, const fs::path& work_folder,
                 std::size_t blocks, const Machine& machine = this_machine());

/// What is known of a program besides what it told: by a lab (trace_case), or by its user (program_record.hpp).
struct TraceContext {
  std::vector<SubmissionFile> files;  ///< its sources
  KnownArrays known;                  ///< by the name that people call them
  std::string output;                 ///< the array that is the result; empty: none
  std::vector<Finding> findings = {};
};

/// The report alone, which is what the program told. @return nothing for one that tells what can't be
std::optional<Trace> read_trace(const std::string& report, const TraceContext& context);
/// The same of a report that was put together from a record's lines.
std::optional<Trace> read_trace(const nlohmann::json& report, const TraceContext& context);

/// Something about it is wrong: a finding that is an error, or the result.
bool shows_a_mistake(const Trace& trace);

nlohmann::json to_json(const Trace& trace);

}  // namespace grader
