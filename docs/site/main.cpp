// The program of the target `docs`:
// kit_site prepare KIT DRAWN OUT      writes pages, figures and the sidebar for Doxygen, from the kit's Markdown; pages
//                                       and figures in DRAWN replace those of the kit
//   kit_site check HTML EXPECTED        checks the finished site; exit status 1 if it finds an error
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "chapters.hpp"
#include "html_check.hpp"
#include "page.hpp"
#include "plot_check.hpp"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// Returns the kit's pages. Of a lab's files only the handout is a page.
std::vector<fs::path> pages_of(const fs::path& kit) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(kit)) {
    if (entry.path().extension() == ".md") out.push_back(entry.path().filename());
  }
  for (const char* folder : {"docs", "labs", "common", "grader"}) {
    if (!fs::is_directory(kit / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kit / folder)) {
      if (entry.path().extension() == ".md") out.push_back(entry.path().lexically_relative(kit));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns a page that shows a file of the kit; links to the file lead to it.
std::string listing(const fs::path& file) {
  const std::string name = file.generic_string();
  const std::string extension = file.extension().string();
  const bool code = extension == ".cu" || extension == ".cuh" || extension == ".cpp" || extension == ".hpp" ||
                    extension == ".h";
  return "/** @page " + site::listing_id(file) + " " + name + "\n" +
         (code ? "@include{lineno} " : "@verbinclude ") + name + "\n*/\n";
}

int prepare(const fs::path& kit, const fs::path& drawn, const fs::path& out) {
  const auto root_of = [&](const fs::path& file) { return fs::exists(drawn / file) ? drawn : kit; };
  const std::vector<fs::path> files = pages_of(kit);
  site::Pages pages;
  for (const fs::path& file : files) pages[file] = site::survey(file, read(root_of(file) / file));
  for (const char* old : {"pages", "figures", "listings"}) fs::remove_all(out / old);
  std::set<fs::path> figures, listings;
  std::string expected;
  int errors = 0;
  for (const fs::path& file : files) {
    const fs::path root = root_of(file);
    const site::Prepared page = site::prepare(pages[file], read(root / file), pages, root);
    write(out / "pages" / file, page.text);
    figures.insert(page.figures.begin(), page.figures.end());
    listings.insert(page.listings.begin(), page.listings.end());
    expected += pages[file].id + ".html " + std::to_string(page.figure_count) + " " +
                std::to_string(page.fold_count) + " " + std::to_string(page.formula_count) + "\n";
    for (const std::string& error : page.errors) std::cerr << error << "\n";
    errors += static_cast<int>(page.errors.size());
  }
  fs::create_directories(out / "figures");
  for (const fs::path& figure : figures)
    fs::copy_file(root_of(figure) / figure, out / "figures" / site::figure_name(figure),
                  fs::copy_options::overwrite_existing);
  std::string listed;
  fs::create_directories(out / "listings");
  for (const fs::path& file : listings) {
    write(out / "listings" / file, read(kit / file));
    listed += listing(file);
  }
  write(out / "pages/listings.dox", listed);
  write(out / "layout.xml", site::layout(site::chapters(read(kit / "docs/site/chapters.txt"), files), pages));
  write(out / "expected.txt", expected);
  return errors == 0 ? 0 : 1;
}

int check(const fs::path& html, const fs::path& expected_file) {
  std::map<std::string, site::Expected> expected;
  std::istringstream in(read(expected_file));
  std::string name;
  for (site::Expected e; in >> name >> e.figures >> e.folds >> e.formulas;) expected[name] = e;
  site::CheckResult result = site::check_site(html, expected);
  for (const auto& entry : fs::directory_iterator(html / "figures")) {
    if (entry.path().extension() != ".svg") continue;
    for (const std::string& overlap : site::overlapping_labels(read(entry.path())))
      result.errors.push_back(entry.path().filename().string() + ": " + overlap);
  }
  for (const std::string& error : result.errors) std::cerr << error << "\n";
  std::printf("%d pages, %d links, %d images, %d folds, %d formulas: %zu errors\n", result.pages,
              result.links, result.images, result.folds, result.formulas, result.errors.size());
  return result.errors.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "prepare" && argc == 5) return prepare(argv[2], argv[3], argv[4]);
  if (verb == "check" && argc == 4) return check(argv[2], argv[3]);
  std::cerr << "usage: kit_site prepare KIT DRAWN OUT | kit_site check HTML EXPECTED\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "kit_site: " << error.what() << "\n";
  return 2;
}
