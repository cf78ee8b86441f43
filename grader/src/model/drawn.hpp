/// @file
/// Draws the sizes of a class. lab.toml gives limits for a case's arguments (`drawn =
/// ["--length={257..511}"]`). A class has one size within these limits. It is the same for all students, and
/// a program can't know it before it runs.
#pragma once
#include "model/lab.hpp"

namespace grader {

/// A number derived from a secret and a purpose. Equal inputs give equal numbers, and numbers for other
/// purposes reveal nothing about it.
/// @return 64 bits
std::uint64_t number_from(const std::string& secret, const std::vector<std::string>& words);

/// The lab with one drawn size for each case that has limits. @param secret the class's secret
Lab with_drawn_sizes(Lab lab, const std::string& secret);

/// Names the visible cases whose sizes differ from those in lab.toml: "case n37 with 41; case n512 with
/// --length=519".
std::string words_of_drawn(const Lab& published, const Lab& drawn, Backend backend);

}  // namespace grader
