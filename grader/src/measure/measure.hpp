/// @file
/// Measured tables: rows from a table's axes, a program for each, samples in turn,
/// each verified before its time counts.
///
///     table_rows.cpp   ratios, order, the case of a row: no program is touched
///     peers.cpp        which programs stand beside the lab's own, and the columns that they get
///     fingerprint.cpp  whether what was measured before may be kept
///     sampler.cpp      one run of one program: its inputs, its verification, its times
///     measure.cpp      the sweep over the rows
///     journal.cpp      what was measured so far, so that it need not be measured again
#pragma once
#include "grade/grade.hpp"
#include "measure/journal.hpp"

namespace grader {

/// Rows of a search that are measured as often as those of any table; the others are measured once.
constexpr int search_finalists = 10;

/// What tables of one lab are measured with. It must outlive their measurement.
struct MeasureSetup {
  const Kit& kit;
  const Catalog& catalog;  ///< for peers that are the solutions of other labs
  const Toolchain& toolchain;
  const Submission& submission;
  Backend backend;
};

struct MeasureOptions {
  bool peers = false;          ///< beside the lab's peers: the table is then with_peers() of the one given
  Journal* journal = nullptr;  ///< keeps each row as soon as it is measured; none: nothing is kept
  bool resume = false;         ///< take over what the journal holds of the same program on the same machine
  std::function<bool()> out_of_time = [] { return false; };  ///< asked before each run
  std::string machine = {}, command = {};                    ///< kept with the table
};

/// Measures a table of a lab: all its programs are compiled, then each row runs `spec.samples` times, and
/// each run is verified before its times count. Runs of a table with the same arguments have the same inputs,
/// drawn for this table. Of a search every row runs once, and the fastest of them as often as any row of a
/// table. A row that fails has a note and no values, and the sweep goes on. Ctrl-C, or the end of the time,
/// ends the sweep; the rows so far are returned, the others have a note.
/// @throws Error (usage) when no row could be measured: a wrong program has no times; (environment) when it was
///         ended before the first row
Table measure(const MeasureSetup& setup, const TableSpec& spec, const MeasureOptions& options,
              const Progress& progress);

// -- table_rows.cpp

/// Sorts rows by their last column of kernel times, those without values at the end.
void sort_fastest_first(const TableSpec& spec, std::vector<TableRow>& rows);

/// Fills the ratios of rows whose other columns are measured: each sample over the median of
/// the row that has the baseline as its first value and the same other values.
void fill_ratios(const TableSpec& spec, std::vector<TableRow>& rows);

/// Index of the last column of kernel times: what a table is about.
std::optional<std::size_t> main_column(const TableSpec& spec);

/// Whether any of a row's cells has a sample, and the most samples that one has.
std::size_t samples_of(const TableRow& row);

/// The macros that a row stands for.
Macros macros_of(const TableSpec& spec, const TableRow& row);

/// What a row runs and how it is verified: case_for() the row's arguments, with the table's tolerance.
Case case_of_row(const Lab& lab, const TableSpec& spec, const TableRow& row);

/// Every program that measure() would build for a table: when it resumes, not those of measured rows.
std::vector<ProgramToBuild> programs_of(const MeasureSetup& setup, const TableSpec& spec,
                                        const MeasureOptions& options);

}  // namespace grader
