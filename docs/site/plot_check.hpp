/// @file
/// Whether the labels of a drawn plot can be read: none lies over another.
#pragma once
#include <string>
#include <vector>

namespace site {

/// @param svg  of gnuplot; other drawings have no labels that this reads
/// @return a sentence for each two labels that overlap
std::vector<std::string> overlapping_labels(const std::string& svg);

}  // namespace site
