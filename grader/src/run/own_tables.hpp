/// @file
/// Measured tables that `grader table` stores: a student's, or those in docs/results.
#pragma once
#include "catalog/catalog.hpp"
#include "model/table.hpp"

namespace grader {

/// The tables in a file of measure/journal.hpp; none where there is no such file.
/// @throws Error (usage) when it has other content, or tables of another lab
std::vector<Table> read_tables(const fs::path& file, const std::string& lab_id);

/// The file of a student's measured tables from `grader table LAB`.
fs::path own_tables_file(const Kit& kit, const Lab& lab);

/// The tables of a lab measured here; none where they can't be read, which the measuring command reports.
std::vector<Table> read_own_tables(const Kit& kit, const Lab& lab);

}  // namespace grader
