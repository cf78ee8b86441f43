/// @file
/// The measured tables that `grader table` stores: a student's own tables, or the tables in docs/results.
#pragma once
#include "catalog/catalog.hpp"
#include "model/table.hpp"

namespace grader {

/// The file of a table in a folder, in the form of model/table_csv.hpp.
/// @param id the table's id, which ends in "-peers" for the table with peers
fs::path table_file(const fs::path& folder, const Lab& lab, const std::string& id);

/// The tables of a lab in a folder, in the order of lab.toml. A table comes before its table with peers.
/// @throws Error (usage) when a file has other content
std::vector<Table> read_tables(const fs::path& folder, const Lab& lab);

/// The folder of a student's measured tables from `grader table LAB`.
fs::path own_tables_folder(const Kit& kit);

/// The tables of a lab that were measured here. A table that can't be read is left out, and the command that
/// measures it reports the problem.
std::vector<Table> read_own_tables(const Kit& kit, const Lab& lab);

}  // namespace grader
