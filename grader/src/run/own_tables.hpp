/// @file
/// What was measured: the tables that `grader table` keeps, of a student or in docs/results.
#pragma once
#include "catalog/catalog.hpp"
#include "model/table.hpp"

namespace grader {

/// The tables in a file as measure/journal.hpp writes it; none where there is no such file.
/// @throws Error (usage) when it holds something else, or tables of another lab
std::vector<Table> read_tables(const fs::path& file, const std::string& lab_id);

/// Where `grader table LAB` keeps what a student measured.
fs::path own_tables_file(const Kit& kit, const Lab& lab);

/// The tables of a lab that were measured here; none where they can't be read, which whoever measures is told.
std::vector<Table> read_own_tables(const Kit& kit, const Lab& lab);

}  // namespace grader
