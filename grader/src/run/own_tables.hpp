/// @file
/// Measured tables that `grader table` stores: a student's, or those in docs/results.
#pragma once
#include "catalog/catalog.hpp"
#include "model/table.hpp"

namespace grader {

/// The file of a table, in the form of model/table_csv.hpp.
/// @param id of the table; "-peers" is added for the table with peers
fs::path table_file(const fs::path& folder, const Lab& lab, const std::string& id);

/// The tables of a lab in a folder, in the order of lab.toml, each before the one with peers.
/// @throws Error (usage) when a file has other content
std::vector<Table> read_tables(const fs::path& folder, const Lab& lab);

/// The folder of a student's measured tables from `grader table LAB`.
fs::path own_tables_folder(const Kit& kit);

/// The tables of a lab measured here; none where they can't be read, which the measuring command reports.
std::vector<Table> read_own_tables(const Kit& kit, const Lab& lab);

}  // namespace grader
