/// @file
/// The flow of one submission: build → run → verify → score, case by case. The only module that knows these
/// four.
#pragma once
#include <functional>

#include "build.hpp"
#include "gold.hpp"
#include "run.hpp"
#include "score.hpp"
#include "verify.hpp"

namespace grader {

/// Called before each step with what is being done and how far it is; drives the progress line.
using Progress = std::function<void(const std::string& step, int done, int of)>;

/// Grades a submission. A submission with blanks is built and its first case run all the same, which proves
/// that it does not crash. After two cases ran out of time the others are not run, and get that verdict.
/// What students may not see of hidden cases is not in the result, unless the
/// solution was graded.
/// @throws Error (environment, usage) when nothing can be said of the submission: no compiler, no room, damaged gold; (environment)
///         after Ctrl-C, see interrupted(). A broken oracle is no error: its cases get the verdict
///         grader_fault.
Grading grade(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
              const Progress& progress);

/// Rows of a search that are measured as often as those of any table; the others are measured once.
constexpr int search_finalists = 10;

/// Measures a table of a lab: every row several times with fresh inputs, each run verified before its times
/// count. A row that fails has a note and no values, and the sweep goes on. Ctrl-C ends the sweep; the rows
/// so far are returned, the others have a note.
/// @throws Error (usage) when no row could be measured: a wrong program has no times
Table measure(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
              const TableSpec& spec, const Progress& progress);

/// The rows of a table for a backend, unmeasured: the product of its axes' values, the last axis fastest.
std::vector<TableRow> table_rows(const TableSpec& spec, Backend backend);

/// Sorts rows by their last column of kernel times, those without values at the end.
void sort_fastest_first(const TableSpec& spec, std::vector<TableRow>& rows);

/// Fills the columns "ratio:COLUMN" of rows whose other columns are measured: each sample over the median of
/// the row that has the baseline as its first value and the same other values.
void fill_ratios(const TableSpec& spec, std::vector<TableRow>& rows);

/// The time now as "2030-01-02T03:04:05Z".
std::string utc_now();

}  // namespace grader
