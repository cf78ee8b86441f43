/// @file
/// Checks that the labels of a drawn plot don't overlap.
#pragma once
#include <string>
#include <vector>

namespace site {

/// @param svg  a plot by gnuplot; in other drawings the function finds no labels
/// @return one sentence for each pair of labels that overlap
std::vector<std::string> overlapping_labels(const std::string& svg);

}  // namespace site
