/// @file
/// Writes files for editors into a workspace: settings for clangd, so that it knows `__global__` and `threadIdx`, and
/// tasks for Visual Studio Code. The tasks' problem matchers turn compilers' messages and `--places` into marks.
///
/// The names of the files begin with a dot, so the files are not part of a submission. Each file begins with
/// a line that says that the kit made it. A file without this line belongs to the student, and is never
/// overwritten.
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

/// Updates a workspace's editor files, whose paths are wrong after the kit was moved.
/// @param which `those_there`: a deleted file is not recreated
/// @throws Error (environment) when a file can't be written
void write_editor_files(const Kit& kit, const Lab& lab, int level, const fs::path& folder, EditorFiles which);

/// How messages of compilers and of the grader write a place. As in Visual Studio Code's tasks, the regular
/// expression has the syntax of JavaScript, and for each field there is the number of its group.
struct ProblemPattern {
  std::string regexp;
  bool absolute = false;  ///< whether file names are absolute; otherwise they are relative to the workspace
  int file = 1, line = 2, column = 0, severity = 0, message = 0;  ///< 0: the message lacks it
};
const std::vector<ProblemPattern>& problem_patterns();

/// The beginnings of the lines that `grader watch` prints before and after each grading. At the first line,
/// an editor clears its marks. At the second line, it has received all new marks.
std::string watch_begins(const std::string& lab_id);
inline constexpr const char* watch_ends = "Watching";

}  // namespace grader
