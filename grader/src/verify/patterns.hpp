/// @file
/// Names how an output is wrong. A student who reads "every 16th column is wrong" or "this is the transpose
/// of the right result" knows where to look; one who reads 4,096 wrong numbers does not.
///
/// A pattern is a hypothesis about the whole array that is tested on evidence: it must explain (nearly) all
/// wrong elements, must not claim many that are right, and must not be true of any wrong array by chance. The
/// first one that holds wins, from the most telling to the least:
///
///   1. what the whole array holds instead:      nothing was written, zeros, one constant
///   2. the whole array is another result:       transposed, swapped operands, a multiple, a term missing …
///   3. where the wrong elements lie:            from some row on, the last of each block, one triangle …
///   4. what the wrong elements alone hold:      scattered NaN, zeros, wrapped integers …
///
/// For a matrix product too large to be computed again (see verify_product()) the same hypotheses are tested
/// on a few rows that are computed exactly.
#pragma once
#include "model/profile.hpp"
#include "verify/evidence.hpp"

namespace grader {

/// How an output is wrong.
struct Pattern {
  std::string name;         ///< one of pattern_names()
  std::string explanation;  ///< what is seen and what likely causes it, in a sentence or two
};

/// How near a pattern comes to the cause: what else was computed, where the wrong elements lie, or only what they hold.
enum class Tells { cause, place, content };

/// A name and what it stands for.
struct PatternName {
  std::string name;
  std::string meaning;
  Tells tells = Tells::cause;
};

/// Every pattern that find_pattern() and profile_pattern() know, in the order in which they are tried.
/// wrong.toml may name these and no others.
const std::vector<PatternName>& pattern_names();

/// Of the pattern with this name; content for none.
Tells tells(const std::string& pattern);

/// The most telling pattern that explains the wrong elements; none when no hypothesis holds.
/// Cost: a few passes over the array; for products a few dozen rows at n² operations each.
std::optional<Pattern> find_pattern(const Evidence& evidence);

/// A cause that the profile of the run proves and that explains a wrong output better than its values can: no
/// kernel ran, an input was never copied to the device, or an output was never copied back.
/// @param input_bytes, output_bytes sizes of the data of the arrays
std::optional<Pattern> profile_pattern(const Profile& profile, std::uint64_t input_bytes,
                                       std::uint64_t output_bytes);

}  // namespace grader
