/// @file
/// The origin of a right output: was it copied from device memory, or did the host compute it?
///
/// The profile has a hash of each copy's content (Profile::contents), and the hash of an output gives those of its
/// parts. So an output is proved when it is a concatenation of contents that came back from the device. A content
/// that went to the device before it came back proves nothing.
///
/// A program that did it in another way is not accused:
///   * an output of up to 8 bytes may be the beginning of a longer copy: a sum in element 0 of an array
///   * floats may have come back as doubles, which the host rounded (-DREAL=double)
///   * parts of an input (a product with [1]) and zeros may have been copied to the device for other reasons
///   * memory that the host reads without a copy, and unrecorded copies, leave the origin unknown
#pragma once
#include "model/lab.hpp"
#include "model/profile.hpp"

namespace grader {

/// Whether a profile records the contents of copies. An older library for profiles on a GPU does not.
bool is_origin_known(const Profile& profile);

/// Whether each input, a .npy, was copied to the device whole, in one copy or several. false also where that is
/// unknown.
bool inputs_copied(const Profile& profile, const std::vector<fs::path>& inputs);

/// Case::from_device: empty when the output came from the device or its origin is unknown; else one sentence.
/// @param output a verified file
/// @param layout for a file that is no .npy
std::string origin_problem(const Profile& profile, const fs::path& output,
                           const std::optional<FileLayout>& layout, const std::vector<fs::path>& inputs);

}  // namespace grader
