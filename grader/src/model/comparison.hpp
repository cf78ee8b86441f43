/// @file
/// Two runs on the same inputs side by side, as plain data: their memory accesses, and the elements in which
/// their results differ.
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
  std::vector<unsigned> grid_dim, block_dim;  ///< sizes of its last launch
  CountsByName counts;                        ///< includes "launches"
};

struct ComparedLine {
  std::string file;
  unsigned line = 0;
  CountsByName counts;
};

/// One kind of access to an array.
struct ComparedArray {
  std::string name;
  bool shared = false;
  TracedStep::Does does = TracedStep::Does::read;
  std::uint64_t accesses = 0;   ///< accesses by threads
  std::uint64_t requests = 0;   ///< requests by warps
  std::uint64_t sectors = 0;    ///< sectors of 32 bytes in global memory
  std::uint64_t turns = 0;      ///< cycles of the 32 banks of shared memory
  std::uint64_t conflicts = 0;  ///< wavefronts that a better layout would save
};

struct ComparedSide {
  std::string name;  ///< "the solution", "your files", "before/"
  std::string lab, case_id;
  std::vector<std::string> args;
  bool solution = false;
  bool judged = true;  ///< whether the right result is known
  bool right = true;
  std::string end;  ///< the program's failure, if any
  std::vector<Finding> findings;
  std::vector<ComparedKernel> kernels;
  std::vector<ComparedLine> lines;
  std::vector<ComparedArray> arrays;  ///< counted in recorded blocks
  bool whole = true;                  ///< whether all blocks were recorded from beginning to end
  std::vector<std::string> left_out;  ///< sentences
  std::vector<TracedSource> sources;
};

/// The last recorded writer of an element.
struct ComparedWrite {
  std::string kernel;
  std::vector<unsigned> block, thread;
  TracedPlace place;
};

struct ComparedResults {
  std::string name;                        ///< name of the array: "P"
  std::uint64_t count = 0;                 ///< number of its elements
  std::uint64_t differ = 0, rounding = 0;  ///< elements beyond the case's tolerance, and within it
  std::string element;                     ///< first element that differs, "P[2][3]"; empty: none
  std::string a, b, expected;              ///< its values; expected is empty if unknown
  std::optional<ComparedWrite> written_a, written_b;
};

struct ComparedInput {
  std::string name, type;
  std::vector<std::size_t> shape;  ///< empty if it is not an array
};

struct RunsBeside {
  ComparedSide a, b;
  std::vector<ComparedInput> inputs;
  std::optional<ComparedResults> results;
  std::string not_compared;  ///< a sentence that says why there are no results; may be empty
};

/// One row of the comparison: a count, or the ratio of two.
struct ComparedMeasure {
  std::string id, title;
  std::optional<double> a,
      b;  ///< no value if undefined: a ratio to 0, or accesses of unrecorded blocks
};
/// The measures over all kernels. Measures that are 0 on both sides are left out.
std::vector<ComparedMeasure> measures_of(const RunsBeside& comparison);

std::uint64_t count_in(const CountsByName& counts, const std::string& name);

/// The change from a to b: "÷ 8", "× 1.5", "="; empty if undefined.
std::string change_text(const std::optional<double>& a, const std::optional<double>& b);

/// A number with at most two decimals: "4096", "1.5"; "–" if there is no value.
std::string measure_text(const std::optional<double>& value);

/// The costs of a line in short: "64 loads, 96 sectors". Empty if it has none.
std::string line_cost_text(const CountsByName& counts);

/// A row of two sources side by side. Equal lines are in one row. Line numbers count from 1; 0 means no line.
struct LinePair {
  unsigned a = 0, b = 0;
  bool same = false;
};
std::vector<LinePair> paired_lines(const std::string& a, const std::string& b);

/// Pairs of sources to show side by side. Sources with equal names come first, then the others in order. −1 means no
/// source.
std::vector<std::pair<int, int>> paired_sources(const RunsBeside& comparison);

/// The accesses to arrays in a trace.
std::vector<ComparedArray> arrays_in(const Trace& trace);
bool is_whole(const Trace& trace);

}  // namespace grader
