/// @file
/// Text inside of HTML, SVG, XML and LaTeX; bytes inside of text.
#pragma once
#include <string>

namespace grader {

/// Text between tags. Quotes stay as they are.
std::string element_text(const std::string& text);

/// Text that may also stand in an attribute's quotes, of either kind. What students wrote goes through printable() as well:
/// no control character, nothing that turns the direction of writing.
std::string foreign_text(const std::string& text);

/// How a page begins, up to its title: it asks nothing of any network, whatever its text says.
/// @param title already text of HTML  @param more other elements, for the head's beginning
std::string page_head(const std::string& title, const std::string& more = {});

/// Text of a LaTeX document: commands' characters and those that not every engine and font has.
std::string latex_text(const std::string& text);

/// Any bytes in the 64 characters of RFC 4648, with "=" to a multiple of four.
std::string base64(const std::string& bytes);

}  // namespace grader
