/// @file
/// Checks that the labels of a drawn plot don't overlap.
#pragma once
#include <string>
#include <vector>

namespace site {

/// @param svg  of gnuplot; other drawings have no labels that this reads
/// @return a sentence for each two labels that overlap
std::vector<std::string> overlapping_labels(const std::string& svg);

}  // namespace site
