/// @file
/// Files that other platforms run to grade a hand-in: Gradescope's autograder, and a workflow for GitHub Classroom.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// Writes the content of Gradescope's zip (https://gradescope-autograders.readthedocs.io/en/latest/specs/): setup.sh,
/// run_autograder, and the folder kit/, with hidden cases and without solutions.
/// @param to a new folder @throws Error under the same conditions as write_student_kit()
void write_gradescope(const Kit& kit, const Catalog& catalog, const Lab& lab, int level, const fs::path& to);

/// The workflow that grades every level of every lab in a class's kit, and reports the points of each part.
std::string classroom_workflow(const Catalog& catalog);

/// Writes the workflow as .github/workflows/classroom.yml into a kit from `grader release --to`, and a .gitignore if
/// the kit has none.
/// @return the files @throws Error (usage) when the folder is not such a kit
std::vector<fs::path> write_classroom(const fs::path& folder);

}  // namespace grader
