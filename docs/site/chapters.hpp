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

/// Whether a path fits a pattern, in which `*` stands for anything within a folder and `**` for any folders.
bool fits(const std::string& pattern, const std::string& path);

/// Gives each page to the chapter that names it, else to the first that has a pattern for it.
/// @param description  text of chapters.txt: titles, and below each its patterns, indented; `#` begins a comment
/// @param files        every page of the kit, sorted
/// @throw std::runtime_error for a page that no pattern takes, or a pattern that takes none
std::vector<Chapter> chapters(const std::string& description, const std::vector<fs::path>& files);

/// Doxygen's layout file: the chapters, and the reference last.
std::string layout(const std::vector<Chapter>& chapters, const Pages& pages);

}  // namespace site
