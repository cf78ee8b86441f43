/// @file
/// Reads the emulation's counters as work: one KernelWork for all launches of a kernel with equal grid and
/// block.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "explain/machine_code.hpp"

namespace grader {

/// @param report the JSON of `emucc --counters`, as text
/// @param disassemble returns the program's code for these stretches, as objdump prints it. Empty if it is
///   unknown
/// @return an empty list for a damaged report
std::vector<KernelWork> read_work(const std::string& report,
                                  const std::function<std::string(const std::vector<Stretch>&)>& disassemble);

/// Converts work to JSON and back. @throws nlohmann::json::exception for any other JSON
nlohmann::json to_json(const KernelWork& work);
KernelWork work_of(const nlohmann::json& json);

}  // namespace grader
