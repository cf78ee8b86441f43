// The names of all patterns in one list, for documentation, for wrong.toml, and for the tests of completeness.
#include <algorithm>

#include "verify/patterns.hpp"

namespace grader {

const std::vector<PatternName>& pattern_names() {
  static const std::vector<PatternName> names = {
      // Proved by the profile.
      {"no-kernel", "no kernel ran on the device"},
      {"input-not-copied", "fewer bytes went to the device than the inputs have"},
      {"output-not-copied", "fewer bytes came back from the device than the output has"},
      // Proved by a single element.
      {"unfilled-shared", "computed from shared memory that no thread had filled"},
      // The whole array has this content instead of a result.
      {"unwritten", "the mark of fresh device memory is still there", Tells::content},
      {"unset-variable", "computed from a local variable that was never set", Tells::content},
      {"nan", "not a number", Tells::content},
      {"zeros", "zero instead of the result", Tells::content},
      {"constant", "one and the same value everywhere", Tells::content},
      // The whole array is another result.
      {"copied-input", "equals an input"},
      {"transposed", "rows and columns exchanged"},
      {"swapped-inputs", "N · M instead of M · N"},
      {"same-operand-twice", "M · M or N · N"},
      {"operand-transposed", "an operand was read with row and column exchanged"},
      {"operand-index", "an operand was read at the place of another index"},
      {"operand-tile", "another tile of an operand was read, or at another place of it"},
      {"operand-stride", "an operand was read with a wrong row length"},
      {"elementwise", "product or sum element by element instead of the matrix product"},
      {"scaled", "k times the expected result, the same k everywhere"},
      {"offset", "the same number was added everywhere"},
      {"off-by-one-term", "the first or the last term of the sum is missing or counted twice"},
      {"last-term-only", "each element holds the last term of its sum"},
      {"partial-sum", "several terms at the beginning or the end of the sum are missing"},
      {"shifted", "each element holds the value of a neighbour"},
      {"reversed", "in reverse order"},
      {"swapped-rows", "whole rows are at the places of others"},
      {"row-stride", "rows were stored with a wrong row length"},
      {"truncated-integers", "fractions were cut off or rounded to whole numbers"},
      {"wrapped-integers", "the values modulo 2^8, 2^16 or 2^32, or cut to that range"},
      {"permuted", "the right values at wrong places"},
      {"accumulated-garbage", "the sum goes on from what was there before"},
      // The region of the wrong elements.
      {"swapped-arrays", "two arrays of a file hold each other's values"},
      {"one-array", "one of several arrays in a file, in no way that is known", Tells::place},
      {"blank-in-groups", "of each b rows or columns only the first were written", Tells::place},
      {"beyond-the-edge", "threads outside the array stored at the beginning of the next row", Tells::place},
      {"rows-from", "every row from some row on", Tells::place},
      {"rows-until", "every row before some row", Tells::place},
      {"columns-from", "every column from some column on", Tells::place},
      {"columns-until", "every column before some column", Tells::place},
      {"tail", "the last elements in memory", Tells::place},
      {"only-first-block", "only the first block is right", Tells::place},
      {"edges-from", "every row from some row on and every column from some column on", Tells::place},
      {"block-edges", "every b-th element, row or column", Tells::place},
      {"checkerboard", "every other element, row by row in turn", Tells::place},
      {"diagonal", "the diagonal", Tells::place},
      {"diagonal-only", "all but the diagonal"},
      {"upper-triangle", "above the diagonal", Tells::place},
      {"lower-triangle", "below the diagonal", Tells::place},
      {"box", "one rectangle", Tells::place},
      // Printed lines.
      {"no-lines", "none of the expected lines was printed"},
      {"twice", "every line was printed several times"},
      {"one-block-only",
       "all lines that are missing name other blocks or threads than those that were printed"},
      {"extra-lines", "all expected lines were printed, and others that begin as they do"},
      {"missing-lines", "lines are missing, and those that were printed are right"},
      {"swapped-numbers", "the numbers of each line are in another order"},
      {"wording", "the right numbers in other words"},
      // Content of the wrong elements only.
      {"imprecise", "near the expected values: rounding", Tells::content},
      {"infinite", "infinity", Tells::content},
      {"garbage", "absurdly large or small values: memory that was never written", Tells::content},
  };
  return names;
}

Tells tells(const std::string& pattern) {
  const std::vector<PatternName>& all = pattern_names();
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const PatternName& one) { return one.name == pattern; });
  return known == all.end() ? Tells::content : known->tells;
}

}  // namespace grader
