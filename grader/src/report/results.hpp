/// @file
/// Every table of every lab, as docs/results keeps them: for each lab a page (`<lab>.md`), its plots
/// (`<lab>-<table>.svg`) and the samples (`<lab>.json`, a Journal, from which a later run goes on).
#pragma once
#include "measure/measure.hpp"

namespace grader {

struct ResultsRequest {
  fs::path folder;  ///< made when it is not there
  std::vector<const Lab*> labs;
  std::function<Submission(const Lab&)> read;  ///< a lab's sources
  bool solution = false;                       ///< they are the solutions: for the commands in the pages
  Backend backend = Backend::gpu;
  std::string id;              ///< the one table of these labs that is wanted; empty: all
  std::optional<int> samples;  ///< runs for each row; none: what each table says
  bool resume = false;         ///< keep what the folder holds of the same programs on the same machine
  std::function<bool()> out_of_time = [] { return false; };
};

struct ResultsDone {
  int tables = 0;                     ///< asked for, those beside peers counted too
  int measured = 0;                   ///< of them, every row measured or its failure noted
  std::vector<std::string> problems;  ///< a sentence for each that could not be measured
};

/// Compiles the programs of all tables in parallel, then measures table after table; after them the same with
/// all searches. A table of kernel times alone is measured only beside its peers, where it has some. Pages
/// and samples are written as it goes. What fails is noted, and the next table follows.
/// @throws Error (environment) when nothing can be built here, or the folder can't be written
ResultsDone measure_results(const Kit& kit, const Catalog& catalog, const Toolchain& toolchain,
                            const ResultsRequest& request, const Progress& progress);

/// Writes pages and plots anew from the samples that a folder holds, and measures nothing.
/// @return counts of the tables that are there
ResultsDone rewrite_results(const std::vector<const Lab*>& labs, const fs::path& folder);

/// The page of a lab: its tables in the order of lab.toml, those beside peers behind their own.
/// @param folder where a table's plot is looked for
std::string results_page(const Lab& lab, const Journal& journal, const fs::path& folder);

/// What the times were measured on: "NVIDIA H200, driver 580.159, CUDA 13.0, SM clock up to 1980 MHz; 16
/// cores of AMD EPYC 9554".
std::string machine_words(const Toolchain& toolchain, Backend backend);

}  // namespace grader
