/// @file
/// Parts of the kit that are built on first use, so that a first grading need not wait for them.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "build/build.hpp"

namespace grader {

/// An archive that emucc links into programs on request, named by its target in the build.
using KitPart = std::string;
inline const KitPart checker_part = "cuemu_check", counters_part = "cuemu_counters";

/// The parts that a program needs.
/// @param link names of libraries, such as "cublas"
/// @param emucc the toolchain's emucc, whose prefix contains the list of the emulation's extras, lib/extras.txt
std::set<KitPart> parts_for(Instrument instrument, const std::vector<std::string>& link,
                            const fs::path& emucc);

/// Makes sure that these parts exist. If ./bootstrap built the kit, a script in the build folder builds a
/// missing part now, one build at a time, and a line on standard error reports it. An installed kit has all
/// parts. emucc could build the parts, too, but not in the grader's sandbox, where the kit is read-only.
/// @param emucc the toolchain's emucc; if empty, the call has no effect
/// @throws Error (environment) when a part can't be built
void need_parts(const Machine& machine, const fs::path& emucc, const std::set<KitPart>& parts);

}  // namespace grader
