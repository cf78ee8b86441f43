/// @file
/// Measures tables: makes rows from the axes of a table, builds a program for each row, and takes samples
/// from the rows in turn. Each sample is verified before its time counts.
///
///     table_rows.cpp   order, the case of a row, without any program
///     peers.cpp        the programs beside the lab's own, and their columns
///     fingerprint.cpp  whether earlier measured values may be kept
///     sampler.cpp      one run of one program: its inputs, its verification, its times
///     measure.cpp      the sweep over the rows
///     journal.cpp      the values so far, so that they need not be measured again
#pragma once
#include "grade/grade.hpp"
#include "measure/journal.hpp"

namespace grader {

/// The number of rows of a search that are measured as often as rows of other tables. All other rows of the
/// search are measured once.
constexpr int search_finalists = 10;

/// What measuring the tables of one lab needs. It must outlive the measurements.
struct MeasureSetup {
  const Kit& kit;
  const Catalog& catalog;  ///< needed for peers that are other labs' solutions
  const Toolchain& toolchain;
  const Submission& submission;
  Backend backend;
};

struct MeasureOptions {
  bool peers = false;          ///< whether to measure with_peers() of the given table
  Journal* journal = nullptr;  ///< stores each row as soon as it is measured; null: nothing is stored
  bool resume = false;         ///< reuse the journal's values of the same program and machine
  std::function<bool()> out_of_time = [] { return false; };  ///< called before each run
  std::string machine = {}, command = {};                    ///< stored with the table
};

/// Measures a table of a lab: compiles all its programs, then runs each row `spec.samples` times, and
/// verifies each run before its times count. Runs with the same arguments have the same inputs, which are
/// drawn for this table. In a search, every row runs once, and then the fastest rows run as often as the rows
/// of other tables. A row that fails gets a note and no values, and the sweep continues. Ctrl-C or the end of
/// the time limit ends the sweep: the rows that were measured are returned, and the others get a note.
/// @throws Error (usage) when no row could be measured, since a wrong program has no times; (environment)
///   when the sweep ended before the first row
Table measure(const MeasureSetup& setup, const TableSpec& spec, const MeasureOptions& options,
              const Progress& progress);

// -- table_rows.cpp

/// Sorts rows by their last column of kernel times. Rows without values come last.
void sort_fastest_first(const TableSpec& spec, std::vector<TableRow>& rows);

/// The macros of a row.
Macros macros_of(const TableSpec& spec, const TableRow& row);

/// Why a row can't be measured: its argument "--devices=N" requires more GPUs than are present. Empty if it can be
/// measured.
std::string missing_devices(const TableSpec& spec, const TableRow& row, Backend backend, std::size_t present);

/// The case with which a row runs and is verified: case_for() its arguments, with the table's tolerance.
Case case_of_row(const Lab& lab, const TableSpec& spec, const TableRow& row);

/// Every program that measure() would build for a table. If a sweep resumes, the programs of measured rows
/// are left out.
std::vector<ProgramToBuild> programs_of(const MeasureSetup& setup, const TableSpec& spec,
                                        const MeasureOptions& options);

}  // namespace grader
