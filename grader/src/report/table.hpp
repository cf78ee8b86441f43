/// @file
/// Measured tables in every form that a report needs.
///
/// Values are kept in SI units and scaled here alone. Every form says where the times came from, and a table
/// of the emulation says that its times are of a CPU.
#pragma once
#include "base/terminal.hpp"
#include "model/table.hpp"

namespace grader {

std::string table_text(const Table& table, const Style& style);
std::string table_markdown(const Table& table);
std::string table_csv(const Table& table);    ///< SI values; every sample has a row of its own
std::string table_latex(const Table& table);  ///< a `table` environment that needs no package
/// SVG through gnuplot. @throws Error (environment) when gnuplot is not installed or fails
std::string table_svg(const Table& table);

/// What the plot of a table shows, as a paragraph of Markdown beside it: for readers who can't see it.
/// @throws Error (usage) when no cell of the table was measured
std::string table_in_words(const Table& table);

/// The gnuplot commands that table_svg() runs: they write SVG to standard output. Text of the lab is quoted
/// so that gnuplot, which can start programs, never reads it as commands.
/// @throws Error (usage) when no cell of the table was measured
std::string table_plot_script(const Table& table);

/// "12.3 µs", "3.2 GB/s", "0.81", "2.138·10¹²": a value in a column's unit.
std::string value_text(double value, const std::string& unit);

/// "times from CUPTI", …: what Profile::source means to a reader.
std::string time_source_words(const std::string& source);

}  // namespace grader
