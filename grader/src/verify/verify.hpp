/// @file
/// The fifth step: decides whether the output is right, and if not, how it is wrong. It never trusts the verdict that
/// the program prints.
///
/// Output files come from a student's program and may be hostile. Pipes, links (which could point to the
/// answer), and huge or damaged headers are reported as a problem. Links are never followed, and pipes are
/// never waited for.
#pragma once
#include "model/grading.hpp"
#include "model/lab.hpp"
#include "model/profile.hpp"
#include "verify/array.hpp"
#include "verify/run_facts.hpp"

namespace grader {

struct Verification {
  bool right = false;
  std::string problem;  ///< why it is unreadable: dtype, shape, truncated, Fortran order, missing
  std::optional<Mismatch> mismatch;  ///< the mismatch of an output that is readable but has wrong values
  std::vector<bool> wrong = {};  ///< for each element of a wrong array, whether it is wrong; empty: unknown
};

/// Special properties of an array and its comparison.
struct Comparison {
  std::optional<FileLayout> layout;  ///< the layout of files that are not .npy
  bool sample = false;               ///< Verify::sample: where NaN is expected, any finite value is right
  RunFacts run = {};                 ///< facts about the run that wrote the array, which patterns use
};

/// Compares a whole array with the expected array. NaN never passes, nor does infinity for a finite value; -0 equals
/// 0. Integers are compared exactly, regardless of the tolerance. Shape and dtype must match those of the expected
/// array; for a file with a layout, size and header must match.
/// @param inputs the case's inputs, which patterns such as "swapped inputs" and "transposed operand" use
/// @throws Error (fault) when the expected array or an input can't be read, or when a sample has fewer than
///         100 elements of a larger array
Verification verify_array(const fs::path& got, const fs::path& expected, const Tolerance& tolerance,
                          const std::vector<fs::path>& inputs, const Comparison& how = {});

/// Verifies got = inputs[0] · inputs[1] by Freivalds' method in double, in O(n²) per round.
///
/// An exact comparison has a zero tolerance, and inputs of whole numbers, or of multiples of a power of two
/// down to 2^-12. Then right products always pass, and a wrong product passes with a probability of at most
/// S^-rounds. S is the number of values from which each entry of a random vector is drawn. It is the largest
/// number that keeps all sums exact in double. For 4096 × 4096 matrices of numbers up to 3, S is 2,097,153
/// (so 2^-63 for three rounds). In the worst case that is still exact, S is three.
///
/// With a tolerance, and for other data, no such bound holds. Right products always pass, since a row is
/// called wrong only after its elements were computed in double and compared. The rows with the largest
/// residuals are checked. An error of one element is found unless the sum of the permitted rounding errors of
/// its row exceeds it.
///
/// Wrong rows are computed exactly, so that the report shows coordinates and values. `Mismatch::wrong` counts rows.
/// @param seed the seed of the random vectors. It is secret, since a program that knew it could pass with a wrong
///   product
/// @throws Error (fault) when the inputs can't be read, don't fit each other or aren't finite
Verification verify_product(const fs::path& got, const std::vector<fs::path>& inputs,
                            const Tolerance& tolerance, std::uint64_t seed, int rounds = 3,
                            const RunFacts& run = {});

/// Replaces a mismatch's pattern by a cause that the profile proves, if any: no kernel ran, an input was never copied
/// to the device, or an output was never copied back.
/// @param inputs, output the case's arrays, whose sizes are used
void explain_with_profile(Mismatch& mismatch, const Profile& profile, const std::vector<fs::path>& inputs,
                          const fs::path& output);

}  // namespace grader
