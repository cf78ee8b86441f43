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
      {"unwritten", "the mark of fresh device memory is still there", PatternMeaning::content},
      {"unset-variable", "computed from a local variable that was never set", PatternMeaning::content},
      {"nan", "not a number", PatternMeaning::content},
      {"zeros", "zero instead of the result", PatternMeaning::content},
      {"constant", "one and the same value everywhere", PatternMeaning::content},
      // The whole array is the result of another computation.
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
      {"one-array", "one of several arrays in a file, in no way that is known", PatternMeaning::place},
      {"blank-in-groups", "of each b rows or columns only the first were written", PatternMeaning::place},
      {"beyond-the-edge", "threads outside the array stored at the beginning of the next row",
       PatternMeaning::place},
      {"rows-from", "every row from some row on", PatternMeaning::place},
      {"rows-until", "every row before some row", PatternMeaning::place},
      {"columns-from", "every column from some column on", PatternMeaning::place},
      {"columns-until", "every column before some column", PatternMeaning::place},
      {"tail", "the last elements in memory", PatternMeaning::place},
      {"only-first-block", "only the first block is right", PatternMeaning::place},
      {"edges-from", "every row from some row on and every column from some column on",
       PatternMeaning::place},
      {"block-edges", "every b-th element, row or column", PatternMeaning::place},
      {"checkerboard", "every other element, row by row in turn", PatternMeaning::place},
      {"diagonal", "the diagonal", PatternMeaning::place},
      {"diagonal-only", "all but the diagonal"},
      {"upper-triangle", "above the diagonal", PatternMeaning::place},
      {"lower-triangle", "below the diagonal", PatternMeaning::place},
      {"box", "one rectangle", PatternMeaning::place},
      // Only the wrong elements have this content.
      {"imprecise", "near the expected values: rounding", PatternMeaning::content},
      {"infinite", "infinity", PatternMeaning::content},
      {"garbage", "absurdly large or small values: memory that was never written", PatternMeaning::content},
  };
  return names;
}

PatternMeaning meaning_of(const std::string& pattern) {
  const std::vector<PatternName>& all = pattern_names();
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const PatternName& one) { return one.name == pattern; });
  if (known != all.end()) return known->tells;
  return pattern.empty() ? PatternMeaning::content : PatternMeaning::cause;  // named by a lab's judge
}

}  // namespace grader
