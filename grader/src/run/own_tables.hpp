/// @file
/// What a student measured: the tables that `grader table LAB` keeps.
#pragma once
#include "catalog/catalog.hpp"
#include "model/table.hpp"

namespace grader {

/// The tables of a lab that were measured here; none where they can't be read, which whoever measures is told.
std::vector<Table> read_own_tables(const Kit& kit, const Lab& lab);

}  // namespace grader
