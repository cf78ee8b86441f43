/// @file
/// Parts of the kit that are built when they are first used, so that a first grading need not wait for them.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "build/build.hpp"

namespace grader {

/// Archives that emucc links programs with when they ask for them.
enum class KitPart { checker, counters, libraries };

/// Those that a program takes.
/// @param link names of libraries: "cublas"
std::set<KitPart> parts_for(Instrument instrument, const std::vector<std::string>& link);

/// Sees to it that they are there. Where ./bootstrap built the kit a missing one is built now, by the build folder's own script,
/// which lets one process at a time build; a sentence on standard error says so. An installed kit has them. emucc would do so too,
/// but not where the grader lets it compile: the kit can't be written to there.
/// @param emucc of the toolchain; empty: nothing is done
/// @throws Error (environment) when one can't be built
void need_parts(const Machine& machine, const fs::path& emucc, const std::set<KitPart>& parts);

}  // namespace grader
