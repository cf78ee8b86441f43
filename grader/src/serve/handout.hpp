/// @file
/// The kit's pages in a browser: Markdown as GitHub reads it becomes HTML, and its formulas MathML.
#pragma once
#include <string>

namespace grader {

/// The body of a page. Its HTML (folds, keys) is kept: it is for pages of the kit alone, never for texts of students.
std::string page_html(const std::string& markdown);

}  // namespace grader
