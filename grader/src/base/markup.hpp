/// @file
/// Escapes text for HTML, SVG, XML and LaTeX, and encodes bytes as text.
#pragma once
#include <string>

namespace grader {

/// Text between tags. Quotes are unchanged.
std::string element_text(const std::string& text);

/// Text that is also safe in an attribute's quotes of either kind. It goes through printable(): no control
/// characters, no direction marks.
std::string foreign_text(const std::string& text);

/// The beginning of a page up to its title. The page can't use the network, whatever its text is.
/// @param title HTML text  @param more more elements for the head
std::string page_head(const std::string& title, const std::string& more = {});

/// Text for a LaTeX document: escapes command characters, and those that some engines and fonts lack.
std::string latex_text(const std::string& text);

/// Bytes in base64 (RFC 4648), padded with "=" to a multiple of four.
std::string base64(const std::string& bytes);

}  // namespace grader
