/// @file
/// Judges a case's requirements besides the right output, by the profile of its run.
#pragma once
#include <map>

#include "model/lab.hpp"
#include "model/profile.hpp"

namespace grader {

/// For Requirement::freed: one sentence if an allocation was not freed; else empty.
std::string freed_problem(const Profile& profile);

/// For Requirement::timers: empty if each printed timer covers the work in the profile, except for warm-ups, which
/// are launches before a larger launch of the same kernel. Otherwise one sentence with the likely cause.
std::string timers_problem(const std::vector<PrintedTimer>& timers, const std::string& printed,
                           const Profile& profile);

/// For Verify::none: empty if the run did the work that the requirements judge, else one sentence. A program that
/// allocates no memory has not shown that it frees memory, and a program without copies has timed no copy.
std::string took_place_problem(const std::vector<Requirement>& requirements,
                               const std::vector<PrintedTimer>& timers, const Profile& profile);

/// For Requirement::shared: empty if the longest kernel uses shared memory, else one sentence.
std::string shared_problem(const Profile& profile);

/// For a case's required counts: empty if each count is within its limits, else one sentence with the counted value.
/// Counts that are unknown are not judged.
std::string counts_problem(const std::vector<Count>& asked, const std::map<std::string, double>& counted);

/// The numbers of launches and threads of the kernels, by the names in countable().
std::map<std::string, double> counted_in(const Profile& profile);

/// Empty if at least one kernel ran, else one sentence: a right output without a kernel is not a solution.
std::string kernel_problem(const Profile& profile);

}  // namespace grader
