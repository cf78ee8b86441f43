/// @file
/// Finds how one element of an array got its value, with a run in emulation under the checker's recorder
/// (common/emu/check/recorder.cpp).
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/recording.hpp"
#include "run/run.hpp"

namespace grader {

/// @throws Error (usage) for invalid text
ElementName parse_element(const std::string& text);

/// Runs a program that was built with Instrument::check, in emulation, and reads the recording.
/// @param bytes the bytes of an element, for an array that the lab does not list
/// @throws Error (usage) when the array is missing, the index is out of bounds, or the program ends before anything
///         was recorded
Recording record_element(const Toolchain& toolchain, const Submission& submission, const Case& c,
                         const fs::path& program, const CaseData& data, const fs::path& work_folder,
                         const ElementName& element, const Machine& machine = this_machine(),
                         std::size_t bytes = 4);

nlohmann::json to_json(const Recording& recording);

}  // namespace grader
