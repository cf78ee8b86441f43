/// @file
/// Checks that every lab is complete, and that every file belongs to a lab, as CONTRIBUTING's checklist
/// requires.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// One sentence for each missing, broken or stray file, sorted. Empty if there is no problem. The function
/// builds and runs no program: integration tests prove that skeletons compile and solutions pass.
///
/// Each lab has a handout, an oracle, an annotated solution that marks every part, hints for each part, committed
/// skeletons that match the solution and call LAB_TODO for each blank, at least one wrong solution (each of which
/// still applies to the solution), stored arrays for its gold cases, and existing prerequisites. labs/, solutions/
/// and gold/ contain no other files; hidden files are ignored.
std::vector<std::string> inventory_problems(const Kit& kit, const Catalog& catalog);

}  // namespace grader
