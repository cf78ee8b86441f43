/// @file
/// Editors' files for a workspace: settings for clangd, so that it knows `__global__` and `threadIdx`, and tasks for
/// Visual Studio Code, whose problem matchers turn compilers' messages and `--places` into marks.
///
/// The names begin with a dot, so that these files are no part of a submission. Each begins with a line that names
/// its author: a file without this line is the student's, and is never overwritten.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// The folder of the labs' headers, for `#include <lab/…>`.
fs::path lab_headers(const Kit& kit);

struct EditorFile {
  fs::path name;  ///< relative to the workspace
  std::string text;
};

std::vector<EditorFile> editor_files(const Kit& kit, const Lab& lab, int level);

enum class EditorFiles { all, those_there };

/// Updates a workspace's editor files; they hold paths, which change when a kit is moved.
/// @param which `those_there`: a deleted file is not recreated
/// @throws Error (environment) when one can't be written
void write_editor_files(const Kit& kit, const Lab& lab, int level, const fs::path& folder, EditorFiles which);

/// The format of places in messages of compilers and the grader. As in Visual Studio Code's tasks, the regular
/// expressions are JavaScript's, and a number gives the group for each field.
struct ProblemPattern {
  std::string regexp;
  bool absolute = false;  ///< file names are absolute; else relative to the workspace
  int file = 1, line = 2, column = 0, severity = 0, message = 0;  ///< 0: missing
};
const std::vector<ProblemPattern>& problem_patterns();

/// Beginnings of the lines that `grader watch` prints before and after each grading: an editor clears its marks at
/// the first, and has all new ones at the second.
std::string watch_begins(const std::string& lab_id);
inline constexpr const char* watch_ends = "Watching";

}  // namespace grader
