/// @file
/// Finds the pattern of a wrong output, and names it. A student who reads "every 16th column is wrong" or "this is
/// the transpose of the right result" knows where to look; a list of 4,096 wrong numbers does not help.
///
/// A pattern is a hypothesis about the whole array that is tested on evidence: it must explain (nearly) all wrong
/// elements, contradict few right elements, and not fit just any wrong array. The first hypothesis that holds
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
enum class PatternMeaning { cause, place, content };

/// A name and its meaning.
struct PatternName {
  std::string name;
  std::string meaning;
  PatternMeaning tells = PatternMeaning::cause;
};

/// All patterns of find_pattern() and profile_pattern(), in the order of the tests. wrong.toml may name only these
/// patterns.
const std::vector<PatternName>& pattern_names();

/// The value for the pattern with this name; PatternMeaning::content for an unknown name.
PatternMeaning meaning_of(const std::string& pattern);

/// The first pattern that explains the wrong elements; no value if no hypothesis holds. The search takes a few passes
/// over the array. For products it takes a few dozen rows with n² operations each.
std::optional<Pattern> find_pattern(const Evidence& evidence);

/// A cause that the run's profile proves, and that explains a wrong output better than its values: no kernel ran, an
/// input was never copied to the device, or an output was never copied back.
/// @param input_bytes, output_bytes the sizes of the arrays' data
std::optional<Pattern> profile_pattern(const Profile& profile, std::uint64_t input_bytes,
                                       std::uint64_t output_bytes);

}  // namespace grader
