/// @file
/// A measured table, as plain data.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/lab.hpp"

namespace grader {

/// A value with its samples.
struct Measurement {
  std::vector<double> samples;  ///< in SI units
  double median() const;        ///< NaN without samples
  double spread() const;        ///< (max - min) / median; 0 with fewer than two samples
};

struct TableRow {
  std::vector<std::string> key;  ///< a value for each axis
  std::string label;
  std::vector<Measurement> cells;  ///< a cell for each column; without samples it is not measured
  std::string note;                ///< why a row has no values
};

/// A measured table; printers turn it into text, Markdown, CSV, LaTeX, JSON and SVG.
struct Table {
  std::string lab;
  TableSpec spec;
  Backend backend = Backend::emu;
  std::string device;
  std::string time_source;  ///< Profile::source
  std::string measured_at;  ///< UTC, ISO 8601
  std::string machine;      ///< GPU, driver, CUDA, clock and host in words; empty: not recorded
  std::string command;      ///< the command that measures it; empty: not recorded
  std::string fingerprint;  ///< digest of all that affects the values: program, compiler, device, table
  std::vector<std::string> notes;  ///< notes on the whole table, such as a peer that could not be built
  std::vector<TableRow> rows;
};

/// The rows of a table for a backend, without measurements: all combinations of the axes' values. The last
/// axis varies fastest.
std::vector<TableRow> table_rows(const TableSpec& spec, Backend backend);

/// The arguments of a row.
std::vector<std::string> arguments_of(const TableSpec& spec, const TableRow& row);

/// The index of the last column of kernel times, which shows a table's main result.
std::optional<std::size_t> main_column(const TableSpec& spec);

/// The largest number of samples in any cell of a row; 0 if there are none.
std::size_t samples_of(const TableRow& row);

// -- derived.cpp

/// Whether a column is computed from the samples of another column. Such a column is neither measured nor
/// stored in a file.
bool is_derived(const Measure& measure);

/// Computes the derived columns. A ratio is each sample divided by the median of the row that has the baseline as its
/// first value and the same other values. A gain is 1 minus each sample divided by the median of the preceding row
/// along an axis.
void fill_derived(const TableSpec& spec, std::vector<TableRow>& rows);

// -- table_peers.cpp

/// The lab's peers that a table has and that run on a backend. @param spec the lab's table, not the result of
/// with_peers()
std::vector<const Peer*> peers_of(const Lab& lab, const TableSpec& spec, Backend backend);

/// The table with its kernel times only, and with the peers' times. Its columns have the measures peer and
/// speed (the peer's time divided by the lab's own, sample by sample), and own for a peer that runs both
/// sides itself. Its id is the table's id with "-peers" appended.
/// @throws Error (usage) when the table has no kernel times or the lab no peers for it
TableSpec with_peers(const Lab& lab, const TableSpec& spec, Backend backend);

}  // namespace grader
