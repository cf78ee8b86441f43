// The names of all patterns: one list, for documentation,
// for what wrong.toml may name, and for the tests' completeness.
#include "verify/patterns.hpp"

namespace grader {

const std::vector<PatternName>& pattern_names() {
  static const std::vector<PatternName> names = {
      // What the profile proves.
      {"input-not-copied", "fewer bytes went to the device than the inputs have"},
      {"output-not-copied", "fewer bytes came back from the device than the output has"},
      // What a single element proves.
      {"unfilled-shared", "computed from shared memory that no thread had filled"},
      // What the whole array holds instead of the result.
      {"unwritten", "the mark of fresh device memory is still there"},
      {"nan", "not a number"},
      {"zeros", "zero instead of the result"},
      {"constant", "one and the same value everywhere"},
      // The whole array is another result.
      {"copied-input", "equals an input"},
      {"transposed", "rows and columns exchanged"},
      {"swapped-inputs", "N · M instead of M · N"},
      {"same-operand-twice", "M · M or N · N"},
      {"operand-transposed", "an operand was read with row and column exchanged"},
      {"operand-stride", "an operand was read with a wrong row length"},
      {"elementwise", "product or sum element by element instead of the matrix product"},
      {"scaled", "k times the expected result, the same k everywhere"},
      {"offset", "the same number was added everywhere"},
      {"off-by-one-term", "the first or the last term of the sum is missing or counted twice"},
      {"last-term-only", "each element holds the last term of its sum"},
      {"partial-sum", "several terms at the beginning or the end of the sum are missing"},
      {"shifted", "each element holds the value of a neighbour"},
      {"reversed", "in reverse order"},
      {"swapped-rows", "whole rows stand at the places of others"},
      {"row-stride", "rows were stored with a wrong row length"},
      {"truncated-integers", "fractions were cut off or rounded to whole numbers"},
      {"wrapped-integers", "the values modulo 2^8, 2^16 or 2^32, or cut to that range"},
      {"permuted", "the right values at wrong places"},
      {"accumulated-garbage", "the sum goes on from what stood there before"},
      // Where the wrong elements lie.
      {"one-array", "one of several arrays in a file, in no way that is known"},
      {"rows-from", "every row from some row on"},
      {"rows-until", "every row before some row"},
      {"columns-from", "every column from some column on"},
      {"columns-until", "every column before some column"},
      {"tail", "the last elements in memory"},
      {"only-first-block", "only the first block is right"},
      {"edges-from", "every row from some row on and every column from some column on"},
      {"block-edges", "every b-th element, row or column"},
      {"checkerboard", "every other element, row by row in turn"},
      {"diagonal", "the diagonal"},
      {"diagonal-only", "all but the diagonal"},
      {"upper-triangle", "above the diagonal"},
      {"lower-triangle", "below the diagonal"},
      {"box", "one rectangle"},
      // Of printed lines.
      {"no-lines", "none of the expected lines was printed"},
      {"twice", "every line was printed several times"},
      {"one-block-only",
       "all lines that are missing name other blocks or threads than those that were printed"},
      {"swapped-numbers", "two numbers of each line are exchanged"},
      {"wording", "the right numbers in other words"},
      // What the wrong elements alone hold.
      {"imprecise", "near the expected values: rounding"},
      {"infinite", "infinity"},
      {"garbage", "absurdly large or small values: memory that nobody wrote"},
  };
  return names;
}

}  // namespace grader
