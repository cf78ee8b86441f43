/// @file
/// Writes measured tables in all formats of reports, except for the CSV of samples and JSON, which model/ writes.
///
/// Values are stored in SI units and scaled only here. Every format says how the times were measured, and a
/// table of the emulation says that its times are those of a CPU.
#pragma once
#include "base/terminal.hpp"
#include "model/table.hpp"

namespace grader {

std::string table_text(const Table& table, const Style& style);
std::string table_markdown(const Table& table);
std::string table_latex(const Table& table);  ///< a `table` environment that needs no package
/// The table as SVG, drawn by gnuplot. @throws Error (environment) when gnuplot is not installed or fails
std::string table_svg(const Table& table);

/// The content of a table's plot, as a paragraph of Markdown for readers who can't see the plot.
/// @throws Error (usage) for a table without measured cells
std::string table_in_words(const Table& table);

/// The gnuplot commands of table_svg(): they write SVG to standard output. Text of the lab is quoted so that gnuplot,
/// which can start programs, never executes it.
/// @throws Error (usage) for a table without measured cells
std::string table_plot_script(const Table& table);

/// "12.3 µs", "3.2 GB/s", "0.81", "2.138·10¹²": a value in a column's unit.
/// @param spread the spread of its samples: a plain number has no more digits than the spread allows, such as "600"
///        for 0.8 and "617" for 0.03
std::string value_text(double value, const std::string& unit, double spread = 0);

/// "times from CUPTI", …: Profile::source in words.
std::string time_source_words(const std::string& source);

}  // namespace grader
