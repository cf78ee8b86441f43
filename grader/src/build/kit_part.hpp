/// @file
/// Parts of the kit that are built on first use, so that a first grading need not wait for them.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "build/build.hpp"

namespace grader {

/// An archive that emucc links programs with on request, by its target in the build.
using KitPart = std::string;
inline const KitPart checker_part = "cuemu_check", counters_part = "cuemu_counters";

/// The parts that a program needs.
/// @param link names of libraries: "cublas"
/// @param emucc of the toolchain: beside it is the list of the emulation's extras, lib/extras.txt
std::set<KitPart> parts_for(Instrument instrument, const std::vector<std::string>& link,
                            const fs::path& emucc);

/// Makes sure that they exist. If ./bootstrap built the kit, a missing part is built now by the build folder's own
/// script, which runs one build at a time; a line on standard error reports it. An installed kit has all parts. emucc
/// would build them too, but not in the grader's sandbox, where the kit is read-only.
/// @param emucc of the toolchain; empty: no effect
/// @throws Error (environment) when one can't be built
void need_parts(const Machine& machine, const fs::path& emucc, const std::set<KitPart>& parts);

}  // namespace grader
