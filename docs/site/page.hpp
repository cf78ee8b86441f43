/// @file
/// Converts a page of the kit, written for GitHub and for an editor, to a page that Doxygen understands. Figures,
/// folds, formulas and tables without a head become HTML. Headings get anchors named as on GitHub. Links become
/// references that Doxygen resolves.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace site {

namespace fs = std::filesystem;

/// The facts about a page that other pages need.
struct Page {
  fs::path file;   ///< relative to the kit's folder
  std::string id;  ///< the HTML file is id + ".html"
  std::string title;
  std::set<std::string> anchors;  ///< anchors of its headings, as in links: "the-tables"
};

using Pages = std::map<fs::path, Page>;

/// A page for Doxygen, and the contents that the finished site must have because of this page.
struct Prepared {
  std::string text;
  std::set<fs::path> figures;   ///< relative to the kit's folder
  std::set<fs::path> listings;  ///< linked files that are not pages
  int figure_count = 0, fold_count = 0, formula_count = 0;
  std::vector<std::string> errors;  ///< "file:line: what is wrong"
};

/// Returns the page's id: "labs/lab2.1-matrixmul/README.md" → "labs-lab2-1-matrixmul"; the kit's own README.md →
/// "index".
std::string page_id(const fs::path& file);

/// Returns the id of the page that shows a file: "labs-lab3-1-matrixmul-peer-cublas-product-cu".
std::string listing_id(const fs::path& file);

/// Returns the name of a figure's file in the site. It contains the lab, because figures of different labs may have
/// equal names.
std::string figure_name(const fs::path& file);

/// Returns the anchor that GitHub gives a heading.
std::string slug(const std::string& heading);

/// Reads a page's title and headings.
Page survey(const fs::path& file, const std::string& markdown);

/// @param root  the kit's folder, in which figures and linked files must exist
Prepared prepare(const Page& page, const std::string& markdown, const Pages& pages, const fs::path& root);

}  // namespace site
