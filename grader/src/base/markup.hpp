/// @file
/// Text in HTML, SVG, XML and LaTeX; bytes as text.
#pragma once
#include <string>

namespace grader {

/// Text between tags. Quotes are unchanged.
std::string element_text(const std::string& text);

/// Text that is also safe in an attribute's quotes of either kind. It goes through printable(): no control
/// characters, no direction marks.
std::string foreign_text(const std::string& text);

/// The beginning of a page up to its title: the page uses no network, regardless of its text.
/// @param title HTML text  @param more further elements for the beginning of the head
std::string page_head(const std::string& title, const std::string& more = {});

/// Text for a LaTeX document: escapes command characters, and those that some engines and fonts lack.
std::string latex_text(const std::string& text);

/// Bytes in base64 (RFC 4648), padded with "=" to a multiple of four.
std::string base64(const std::string& bytes);

}  // namespace grader
