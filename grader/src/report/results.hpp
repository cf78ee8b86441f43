/// @file
/// Measures every table of every lab, and writes them in the form of docs/results: for each lab a page (`<lab>.md`),
/// and for each table its samples (`<lab>-<table>.csv`, from which a later run resumes) and a plot
/// (`<lab>-<table>.svg`).
#pragma once
#include "measure/measure.hpp"

namespace grader {

struct ResultsRequest {
  fs::path folder;  ///< created if missing
  std::vector<const Lab*> labs;
  std::function<Submission(const Lab&)> read;  ///< returns a lab's sources
  bool solution = false;                       ///< they are the solutions: affects the commands in the pages
  Backend backend = Backend::gpu;
  std::string id;              ///< id of the only table to measure; empty: all
  std::optional<int> samples;  ///< runs for each row; no value: the number that each table declares
  bool plots = false;          ///< plot every table; else only those with a plot in the folder
  bool resume = false;         ///< keep the folder's results of the same programs and machine
  std::function<bool()> out_of_time = [] { return false; };
};

struct ResultsDone {
  int tables = 0;                     ///< requested, including those with peers
  int measured = 0;                   ///< tables in which every row is measured or has a note
  std::vector<std::string> problems;  ///< a sentence for each table that was not measured
};

/// Compiles the programs of all tables in parallel, and measures one table after the other. Then it does the
/// same for all searches. A table that has only kernel times and has peers is measured only together with its
/// peers. Pages and samples are written during the run. If a table fails, the page notes this, and the next
/// table is measured.
/// @throws Error (environment) when no program can be built here, or the folder can't be written
ResultsDone measure_results(const Kit& kit, const Catalog& catalog, const Toolchain& toolchain,
                            const ResultsRequest& request, const Progress& progress);

/// Rewrites pages and plots from a folder's samples, without measuring. @param plots as in ResultsRequest
/// @return the counts of the existing tables
ResultsDone rewrite_results(const std::vector<const Lab*>& labs, const fs::path& folder, bool plots);

/// The page of a lab: its tables in the order of lab.toml. A table with peers follows its table without peers.
/// @param folder the folder of the tables' plots
std::string results_page(const Lab& lab, const Journal& journal, const fs::path& folder);

/// The machine of the measurements: "NVIDIA H200, driver 580.159, CUDA 13.0, SM clock up to 1980 MHz; 16
/// cores of AMD EPYC 9554".
std::string machine_words(const Toolchain& toolchain, Backend backend);

}  // namespace grader
