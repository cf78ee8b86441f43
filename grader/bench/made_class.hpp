/// @file
/// Makes a class: hand-ins for a lab as students write them. They alternate between right answers, skeletons,
/// the lab's planted mistakes, and hand-ins that can't be read (a damaged archive, a link out of the folder).
/// Each has a comment of its own in a blank, so that all programs differ.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// @param folder created, with a folder or an archive for each student
/// @param first number of the first hand-in: classes whose numbers differ have no program in common
void make_class(const fs::path& folder, const Kit& kit, const Lab& lab, int hand_ins, int first = 0);

}  // namespace grader
