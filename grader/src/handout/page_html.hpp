/// @file
/// Converts the kit's pages for a browser: Markdown in GitHub's dialect becomes HTML, and formulas become
/// MathML.
#pragma once
#include <string>

namespace grader {

/// The body of a page. HTML in the text (folds, keys) is kept, so the text must be the kit's, never a
/// student's.
std::string page_html(const std::string& markdown);

}  // namespace grader
