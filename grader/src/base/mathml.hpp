/// @file
/// Converts formulas to MathML, which every current browser typesets itself and screen readers read aloud.
/// MathML needs no network, no fonts of the kit's own, and no LaTeX on the machine that builds the site.
#pragma once
#include <stdexcept>
#include <string>

namespace grader {

/// The error for a formula that `mathml` can't read.
class FormulaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The MathML of a formula in the part of TeX that handouts need: `^`, `_`, groups, `\frac`, `\sqrt`, `\sum` and
/// `\prod` with limits, `\mathrm`, `\text`, Greek letters, named functions, relations, `\left` and `\right`, and
/// `\begin{aligned}` and `\begin{cases}` with `&` and `\\`. GitHub shows the same source.
/// @param block  on a separate line, with limits above and below sums
/// @throw FormulaError naming the part that can't be read
std::string mathml(const std::string& tex, bool block);

}  // namespace grader
