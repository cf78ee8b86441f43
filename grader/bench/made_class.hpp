/// @file
/// A made-up class: a lab's hand-ins as students write them. Right ones, skeletons, the lab's planted mistakes in turn,
/// and unreadable ones (a damaged archive, a link out of the folder). Each has its own comment in a blank, so that all
/// differ as programs.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// @param folder made; gets a folder or an archive for each student
/// @param first number of the first hand-in: classes with other numbers have no program in common
void make_class(const fs::path& folder, const Kit& kit, const Lab& lab, int hand_ins, int first = 0);

}  // namespace grader
