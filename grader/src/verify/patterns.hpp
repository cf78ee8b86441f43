/// @file
/// Names how an output is wrong. A student who reads "every 16th column is wrong" or "this is the transpose of the
/// right result" knows where to look; a list of 4,096 wrong numbers does not help.
///
/// A pattern is a hypothesis about the whole array that is tested on evidence: it must explain (nearly) all wrong
/// elements, contradict few right ones, and not hold for any wrong array by chance. The first hypothesis that holds
/// wins, in order of how much it explains:
///
///   1. content of the whole array:              nothing was written, zeros, one constant
///   2. the whole array is another result:       transposed, swapped operands, a multiple, a term missing …
///   3. places of the wrong elements:            from some row on, the last of each block, one triangle …
///   4. content of the wrong elements only:      scattered NaN, zeros, wrapped integers …
///
/// For a matrix product too large to recompute (see verify_product()) the same hypotheses are tested on a few rows
/// that are computed exactly.
#pragma once
#include "model/profile.hpp"
#include "verify/evidence.hpp"

namespace grader {

/// How an output is wrong.
struct Pattern {
  std::string name;         ///< one of pattern_names()
  std::string explanation;  ///< the observation and its likely cause, in a sentence or two
};

/// How much a pattern explains: the other computation, the places of the wrong elements, or only their content.
enum class Tells { cause, place, content };

/// A name and its meaning.
struct PatternName {
  std::string name;
  std::string meaning;
  Tells tells = Tells::cause;
};

/// Every pattern of find_pattern() and profile_pattern(), in the order of the tests. wrong.toml may name only these.
const std::vector<PatternName>& pattern_names();

/// For the pattern with this name; content for an unknown name.
Tells tells(const std::string& pattern);

/// The first pattern that explains the wrong elements; none when no hypothesis holds.
/// Cost: a few passes over the array; for products a few dozen rows at n² operations each.
std::optional<Pattern> find_pattern(const Evidence& evidence);

/// A cause that the run's profile proves, and that explains a wrong output better than its values: no kernel ran, an
/// input was never copied to the device, or an output was never copied back.
/// @param input_bytes, output_bytes sizes of the data of the arrays
std::optional<Pattern> profile_pattern(const Profile& profile, std::uint64_t input_bytes,
                                       std::uint64_t output_bytes);

}  // namespace grader
