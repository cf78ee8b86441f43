/// @file
/// Sizes that a class draws. lab.toml says of a case's arguments within which limits (`drawn = ["--length={257..511}"]`), and a class
/// has one of them: the same for all who hand in, and none that a program can know before it runs.
#pragma once
#include "model/lab.hpp"

namespace grader {

/// Numbers that follow from a secret and from what they are for: the same for the same, and no others tell of them.
/// @return 64 bits
std::uint64_t number_from(const std::string& secret, const std::vector<std::string>& words);

/// The lab with one size for each case that has a choice. @param secret the class's
Lab with_drawn_sizes(Lab lab, const std::string& secret);

/// "case n37 with 41; case n512 with --length=519": those that ran, differ from what lab.toml has, and students may see.
std::string words_of_drawn(const Lab& published, const Lab& drawn, Backend backend);

}  // namespace grader
