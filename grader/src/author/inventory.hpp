/// @file
/// Is every lab complete, and does every file belong to one? What CONTRIBUTING's checklist asks, both ways.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// One sentence for each thing that is missing, broken or stray, sorted; empty when all is well. Nothing is
/// built or run: that skeletons compile and solutions pass is for the integration tests to prove.
///
/// Each lab has a handout, an oracle, an annotated solution that marks every part, hints for each part,
/// committed skeletons that are what the solution gives and that call LAB_TODO for each blank, at least one
/// wrong solution, each of which still fits the solution, stored arrays for its gold cases, and prerequisites
/// that exist. Nothing else lies in labs/, solutions/ and gold/; hidden files do not count.
std::vector<std::string> inventory_problems(const Kit& kit, const Catalog& catalog);

}  // namespace grader
