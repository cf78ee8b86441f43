/// @file
/// How one element of an array came by its value, from a run in emulation under the checker's recorder
/// (common/emu/check/recorder.cpp).
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/recording.hpp"
#include "run/run.hpp"

namespace grader {

/// @throws Error (usage) when it is written otherwise
ElementName parse_element(const std::string& text);

/// Runs a program that was built with `checked`, in emulation, and reads what was recorded.
/// @throws Error (usage) for an array that is not there, an index outside it, and a program that ends before anything
///         could be recorded
Recording record_element(const Toolchain& toolchain, const Submission& submission, const Case& c,
                         const fs::path& program, const CaseData& data, const fs::path& work_folder,
                         const ElementName& element, const Machine& machine = this_machine());

nlohmann::json to_json(const Recording& recording);

}  // namespace grader
