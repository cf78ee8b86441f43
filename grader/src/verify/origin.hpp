/// @file
/// Finds the origin of a right output: was it copied from device memory, or did the host compute it?
///
/// The profile has a hash of each copy's content (Profile::contents), and the hashes of all parts of an output can be
/// computed from its prefix hashes. So the origin of an output is proved if the output is a concatenation of contents
/// that came back from the device. A content that was copied to the device before it came back is no proof.
///
/// A program is not accused if its output may have come from the device in another way:
///   * an output of up to 8 bytes may be the beginning of a longer copy, such as a sum in element 0 of an array
///   * floats may have come back as doubles, which the host rounded (-DREAL=double)
///   * parts of an input (a product with [1]) and zeros may have been copied to the device for other reasons
///   * memory that the host reads without a copy, and unrecorded copies, leave the origin unknown
#pragma once
#include "model/lab.hpp"
#include "model/profile.hpp"

namespace grader {

/// Whether a profile records the contents of copies. An older version of the library for profiles on a GPU does not.
bool is_origin_known(const Profile& profile);

/// Whether each input, a .npy file, was completely copied to the device, in one copy or several. Also false
/// if the profile does not show it.
bool inputs_copied(const Profile& profile, const std::vector<fs::path>& inputs);

/// For Case::from_device: one sentence if the output did not come from the device; empty if it did or its origin is
/// unknown.
/// @param output a verified file
/// @param layout the layout of a file that is not .npy
std::string origin_problem(const Profile& profile, const fs::path& output,
                           const std::optional<FileLayout>& layout, const std::vector<fs::path>& inputs);

}  // namespace grader
