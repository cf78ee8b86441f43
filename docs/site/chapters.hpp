/// @file
/// The chapters of the site's sidebar, as docs/site/chapters.txt lists them.
#pragma once
#include <string>
#include <vector>

#include "page.hpp"

namespace site {

struct Chapter {
  std::string title;
  std::vector<fs::path> pages;
};

/// Returns whether a path fits a pattern. `*` matches anything within a folder; `**` also matches across folders.
bool fits(const std::string& pattern, const std::string& path);

/// Assigns each page to the chapter that names it, or else to the first chapter with a pattern for it.
/// @param description  text of chapters.txt: titles, and indented below each title its patterns; `#` begins a comment
/// @param files        every page of the kit, sorted
/// @throw std::runtime_error if no pattern fits a page, or if no page fits a pattern
std::vector<Chapter> chapters(const std::string& description, const std::vector<fs::path>& files);

/// Doxygen's layout file. It contains the chapters, and the reference as the last entry.
std::string layout(const std::vector<Chapter>& chapters, const Pages& pages);

}  // namespace site
