/// @file
/// `grader release --to DIR`: a kit for students. It has no solutions, no planted mistakes, no hidden cases, and of
/// each lab the levels that were chosen; grading, hints, reset and tables work in it.
#pragma once
#include <map>

#include "catalog/catalog.hpp"

namespace grader {

/// Levels by lab id. A lab that is not named is left out.
using ChosenLevels = std::map<std::string, std::vector<int>>;

/// Reads "1", "2,3", "lab3.1=2": words without a lab stand for all labs that have such a level.
/// @param words none: level 1 of every lab
/// @throws Error (usage) for an unknown lab or level, or for a text of another form
ChosenLevels choose_levels(const Catalog& catalog, const std::vector<std::string>& words);

/// Whom a kit is for: students don't get hidden cases; what grades their hand-ins elsewhere does.
enum class KitFor { students, grading };

/// What was written, for people.
struct StudentKit {
  std::size_t files = 0;
  std::vector<std::string> notes;  ///< what was left out, one sentence each
};

/// Writes the kit into a new folder; it appears whole or not at all.
/// @throws Error (usage) for a folder that exists, a lab whose levels are not proved, chosen levels of which one
///         hands out what another asks for, a lab.toml that loses the last case of a part; (environment) when
///         it can't be written; (fault) when a solution's text is found in what was written
StudentKit write_student_kit(const Kit& kit, const Catalog& catalog, const ChosenLevels& levels,
                             const fs::path& to, KitFor whom = KitFor::students);

}  // namespace grader
