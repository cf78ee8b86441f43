/// @file
/// Makes a page to print of handouts, or of slides. A browser turns the page into a PDF.
#pragma once
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "model/lab.hpp"

namespace grader {

struct Handout {
  const Lab* lab = nullptr;
  std::string text;     ///< README.md of the lab
  std::string answers;  ///< ANSWERS.md, for instructors; else empty
};

/// Makes a page that needs no other file. If the handouts have answers, every fold is open, and the answers
/// follow their handout. Otherwise the folds are left out.
/// @throws Error (fault) when a figure is missing
std::string handouts_page(const std::vector<Handout>& handouts);

/// Makes slides of the same handouts: title, ideas, each figure with its text, and questions.
std::string slides_page(const std::vector<Handout>& handouts);

/// Prints a page with Chromium. @param scratch a folder for its files
/// @throws Error (environment) when no Chromium is installed, or it prints nothing
void write_pdf(const std::string& page, const fs::path& file, const fs::path& scratch);

}  // namespace grader
