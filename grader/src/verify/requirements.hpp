/// @file
/// A case's requirements besides the right output, judged by the profile of its run.
#pragma once
#include <map>

#include "model/lab.hpp"
#include "model/profile.hpp"

namespace grader {

/// Requirement::freed: empty when every allocation was freed, else one sentence.
std::string freed_problem(const Profile& profile);

/// Requirement::timers: empty when each printed timer covers the work in the profile, except for warm-ups: launches
/// before a larger one of the same kernel. Else one sentence with the likely cause.
std::string timers_problem(const std::vector<PrintedTimer>& timers, const std::string& printed,
                           const Profile& profile);

/// For Verify::none: empty when the run did the work that the requirements judge, else one sentence. A program that
/// allocates nothing has freed nothing, and one that copies nothing has timed no copy.
std::string took_place_problem(const std::vector<Requirement>& requirements,
                               const std::vector<PrintedTimer>& timers, const Profile& profile);

/// Requirement::shared: empty when the longest kernel uses shared memory, else one sentence.
std::string shared_problem(const Profile& profile);

/// A case's required counts: empty when each holds, else one sentence with the counted value. Uncounted ones are not
/// judged.
std::string counts_problem(const std::vector<Count>& asked, const std::map<std::string, double>& counted);

/// Launches and threads of the kernels, by the names of countable().
std::map<std::string, double> counted_in(const Profile& profile);

/// Empty when at least one kernel ran, else one sentence: a right output without a kernel is no solution.
std::string kernel_problem(const Profile& profile);

}  // namespace grader
