/// @file
/// A measured table as CSV. The files of docs/results, a student's own tables, and `grader table --format
/// csv` use it.
///
///     # Samples of table sizes of lab1.1, in s, B/s, B or 1. `grader table` reads and writes this file.
///     # backend: gpu
///     # device: NVIDIA H200
///     # times: cupti
///     # measured: 2026-11-23T00:49:20Z
///     # machine: NVIDIA H200, driver 580.159.04, …
///     # command: grader table lab1.1 --id sizes --solution
///     # fingerprint: 0123…
///     # runs: 5
///     # note: CUB: does not compile
///     Matrix size,BLOCK_SIZE,to_device (s),execution (s),registers,note
///     128,16,1.2e-05 1.3e-05 1.2e-05,4.1e-06 4.2e-06 4.1e-06,32,
///
/// Each line is a row: its values of the axes (an option without its two dashes), its samples in each
/// measured column, separated by blanks, and a note if it has no samples. Titles and labels come from
/// lab.toml, and derived columns are computed when the file is read. "# runs" is the number of runs for each
/// row. "# note" is a note on the whole table, and may be repeated.
#pragma once
#include "model/table.hpp"

namespace grader {

std::string table_csv(const Table& table);

/// @param spec the lab's table, not the result of with_peers()
/// @param peers whether the file contains the table with the lab's peers
/// @return no value if the axes in lab.toml have changed, so that the text is no longer a table of `spec`
/// @throws Error (fault) when the text is not such a table
std::optional<Table> table_from_csv(const std::string& text, const Lab& lab, const TableSpec& spec,
                                    bool peers);

}  // namespace grader
