/// @file
/// A class that never was: hand-ins of a lab as students write them. Right ones, skeletons, the lab's planted mistakes in turn, and
/// what can't be read (a damaged archive, a link out of the folder). Each has a comment of its own in a blank, so that no two
/// are the same program.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// @param folder made; gets a folder or an archive for each student
/// @param first number of the first one: classes with other numbers have no program in common
void make_class(const fs::path& folder, const Kit& kit, const Lab& lab, int hand_ins, int first = 0);

}  // namespace grader
