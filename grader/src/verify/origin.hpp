/// @file
/// Where a right output came from: is it what a kernel left in device memory, or did the host compute it?
///
/// The profile has a hash of what each copy moved (Profile::contents), and from a hash of an output follow those of
/// its parts. So an output is proved when contents that came back from the device, one behind the other, make it up.
/// One that went to the device before it came back proves nothing.
///
/// A program that did it in another way is not accused:
///   * an output of up to 8 bytes may be the beginning of a longer copy: a sum in element 0 of an array
///   * floats may have come back as doubles, which the host rounded (-DREAL=double)
///   * what equals a part of an input (a product with [1]), or is zero, may have gone up for other reasons
///   * memory that the host reads without a copy, and copies that nobody saw, leave the origin unknown
#pragma once
#include "model/lab.hpp"
#include "model/profile.hpp"

namespace grader {

/// Whether a profile tells what copies moved. An older library for profiles on a GPU does not.
bool is_origin_known(const Profile& profile);

/// Each input, a .npy, went to the device as it is, in one copy or several. false also where that is unknown.
bool inputs_copied(const Profile& profile, const std::vector<fs::path>& inputs);

/// Case::from_device: empty when the output came from the device, and where that is unknown; else one sentence.
/// @param output a file that was verified
/// @param layout of a file that is no .npy
/// @param inputs of the case
std::string origin_problem(const Profile& profile, const fs::path& output,
                           const std::optional<FileLayout>& layout, const std::vector<fs::path>& inputs);

}  // namespace grader
