/// @file
/// A measured table, as plain data.
#pragma once
#include <string>
#include <vector>

#include "model/lab.hpp"

namespace grader {

/// A value with its samples.
struct Measurement {
  std::vector<double> samples;  ///< SI units
  double median() const;        ///< NaN without samples
  double spread() const;        ///< (max - min) / median; 0 with fewer than two samples
};

struct TableRow {
  std::vector<std::string> key;  ///< one value per axis
  std::string label;
  std::vector<Measurement> cells;  ///< one per column; no samples: not measured
  std::string note;                ///< why a row has no values
};

/// A measured table; printers turn it into text, Markdown, CSV, LaTeX, JSON and SVG.
struct Table {
  std::string lab;
  TableSpec spec;
  Backend backend = Backend::emu;
  std::string device;
  std::string time_source;         ///< Profile::source
  std::string measured_at;         ///< UTC, ISO 8601
  std::string machine;             ///< GPU, driver, CUDA, clock and host in words; empty: not recorded
  std::string command;             ///< that measures it again; empty: not recorded
  std::string fingerprint;         ///< of all that the values depend on: program, compiler, device and table
  std::vector<std::string> notes;  ///< on the whole table, such as a peer that could not be built
  std::vector<TableRow> rows;
};

/// The unmeasured rows of a table for a backend: the product of its axes' values, the last axis fastest.
std::vector<TableRow> table_rows(const TableSpec& spec, Backend backend);

/// The arguments of a row.
std::vector<std::string> arguments_of(const TableSpec& spec, const TableRow& row);

}  // namespace grader
