/// @file
/// Checks the finished site as a reader's browser would use it: every link and anchor; every image, fold, table and
/// formula; and the links of the sidebar, which scripts contain as data.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace site {

namespace fs = std::filesystem;

/// What a page must contain, as counted in the page's source.
struct Expected {
  int figures = 0, folds = 0, formulas = 0;
};

struct CheckResult {
  int pages = 0, links = 0, images = 0, folds = 0, formulas = 0;
  std::vector<std::string> errors;  ///< "page.html: what is wrong"
};

/// @param html      folder of the site
/// @param expected  required contents by the page's file name; each of these pages must exist
CheckResult check_site(const fs::path& html, const std::map<std::string, Expected>& expected);

}  // namespace site
