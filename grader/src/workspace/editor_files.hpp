/// @file
/// What editors need to know of a workspace: compile flags for clangd, so that `__global__` and `threadIdx` mean
/// something, and tasks for Visual Studio Code, whose problem matchers read compilers' messages and findings.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

struct EditorFile {
  fs::path name;  ///< relative to the workspace
  std::string text;
};

std::vector<EditorFile> editor_files(const Kit& kit, const Lab& lab, int level);

}  // namespace grader
