/// @file
/// Two runs on the same inputs side by side, as plain data: what each asked of memory, and where their results part.
#pragma once
#include <map>
#include <optional>

#include "model/trace.hpp"

namespace grader {

/// The emulation's counters by name (common/emu/counters/counter_names.hpp).
using CountsByName = std::map<std::string, std::uint64_t>;

/// All launches of a kernel.
struct ComparedKernel {
  std::string name;
  std::vector<unsigned> grid_dim, block_dim;  ///< of its last launch
  CountsByName counts;                        ///< with "launches"
};

struct ComparedLine {
  std::string file;
  unsigned line = 0;
  CountsByName counts;
};

/// What is done to an array in one way.
struct ComparedArray {
  std::string name;
  bool shared = false;
  TracedStep::Does does = TracedStep::Does::read;
  std::uint64_t accesses = 0;   ///< of threads
  std::uint64_t requests = 0;   ///< of warps
  std::uint64_t sectors = 0;    ///< of 32 bytes, of global memory
  std::uint64_t turns = 0;      ///< of the 32 banks, of shared memory
  std::uint64_t conflicts = 0;  ///< turns that a better layout saves
};

struct ComparedSide {
  std::string name;  ///< "the solution", "your files", "before/"
  std::string lab, case_id;
  std::vector<std::string> args;
  bool solution = false;
  bool judged = true;  ///< it is known what the result should be
  bool right = true;
  std::string end;  ///< how the program ended, where that was not well
  std::vector<Finding> findings;
  std::vector<ComparedKernel> kernels;
  std::vector<ComparedLine> lines;
  std::vector<ComparedArray> arrays;  ///< of the blocks that were recorded
  bool whole = true;                  ///< all blocks were recorded, from beginning to end
  std::vector<std::string> left_out;  ///< sentences
  std::vector<TracedSource> sources;
};

/// Who wrote an element last, of those who are recorded.
struct ComparedWrite {
  std::string kernel;
  std::vector<unsigned> block, thread;
  TracedPlace place;
};

struct ComparedResults {
  std::string name;                        ///< of the array: "P"
  std::uint64_t count = 0;                 ///< of its elements
  std::uint64_t differ = 0, rounding = 0;  ///< beyond the case's tolerance, and within it
  std::string element;                     ///< the first that differs: "P[2][3]"; empty: none does
  std::string a, b, expected;              ///< its values; expected is empty where it is not known
  std::optional<ComparedWrite> written_a, written_b;
};

struct ComparedInput {
  std::string name, type;
  std::vector<std::size_t> shape;  ///< empty of one that is no array
};

struct RunsBeside {
  ComparedSide a, b;
  std::vector<ComparedInput> inputs;
  std::optional<ComparedResults> results;
  std::string not_compared;  ///< why there are no results, a sentence
};

/// One row of the comparison: a count, or the ratio of two.
struct ComparedMeasure {
  std::string id, title;
  std::optional<double> a,
      b;  ///< none where it can't be told: a ratio to 0, accesses of blocks that are not recorded
};
/// Of all kernels together; what neither side does is left out.
std::vector<ComparedMeasure> measures_of(const RunsBeside& comparison);

std::uint64_t count_in(const CountsByName& counts, const std::string& name);

/// From a to b in words: "÷ 8", "× 1.5", "="; empty where nothing can be said.
std::string change_text(const std::optional<double>& a, const std::optional<double>& b);

/// A number with at most two digits behind the point: "4096", "1.5"; "–" for none.
std::string measure_text(const std::optional<double>& value);

/// What a line costs, in a few words: "64 loads, 96 sectors"; empty: nothing.
std::string line_cost_text(const CountsByName& counts);

/// The lines of two sources beside each other: those that are the same in both stand in one row. A number from 1, 0 for none.
struct LinePair {
  unsigned a = 0, b = 0;
  bool same = false;
};
std::vector<LinePair> paired_lines(const std::string& a, const std::string& b);

/// Which sources stand beside each other: of the same name first, then in their order. −1: none.
std::vector<std::pair<int, int>> paired_sources(const RunsBeside& comparison);

/// What is done to the arrays, from a trace.
std::vector<ComparedArray> arrays_in(const Trace& trace);
bool is_whole(const Trace& trace);

}  // namespace grader
