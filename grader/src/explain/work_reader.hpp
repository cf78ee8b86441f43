/// @file
/// Reads the emulation's counters as work: one Work for all launches of a kernel with the same grid and block.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "explain/machine_code.hpp"

namespace grader {

/// @param report the JSON of `emucc --counters`, as text
/// @param disassemble the program's code at these stretches, as objdump prints it; empty: unknown
/// @return none for a damaged report
std::vector<Work> read_work(const std::string& report,
                            const std::function<std::string(const std::vector<Stretch>&)>& disassemble);

}  // namespace grader
