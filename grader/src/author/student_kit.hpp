/// @file
/// `grader release --to DIR` writes a kit for students. It has the chosen levels of each lab, and neither
/// solutions, planted mistakes nor hidden cases. Grading, hints, reset and tables work in it.
#pragma once
#include <map>

#include "catalog/catalog.hpp"

namespace grader {

/// Levels by lab id. Labs that are not in the map are left out.
using ChosenLevels = std::map<std::string, std::vector<int>>;

/// Reads "1", "2,3", "lab3.1=2". A choice without a lab applies to all labs that have such a level.
/// @param words the choices; empty: level 1 of every lab
/// @throws Error (usage) for an unknown lab or level, or for invalid text
ChosenLevels choose_levels(const Catalog& catalog, const std::vector<std::string>& words);

/// Who gets the kit. Students don't get hidden cases, but systems that grade their hand-ins elsewhere do.
enum class KitFor { students, grading };

/// The result, for messages to people.
struct StudentKit {
  std::size_t files = 0;
  std::vector<std::string> notes;  ///< sentences about what was left out
};

/// Writes the kit into a new folder, atomically.
/// @throws Error (usage) for a folder that exists, a lab whose levels are not proved, chosen levels if one of
///         them gives what another leaves blank, a lab.toml that loses the last case of a part; (environment)
///         when it can't be written; (fault) when a solution's text is found in the written files
StudentKit write_student_kit(const Kit& kit, const Catalog& catalog, const ChosenLevels& levels,
                             const fs::path& to, KitFor whom = KitFor::students);

}  // namespace grader
