/// @file
/// What editors need to know of a workspace: settings for clangd, so that `__global__` and `threadIdx` mean something,
/// and tasks for Visual Studio Code, whose problem matchers turn compilers' messages and `--places` into marks.
///
/// The names begin with a dot, so that these files are no part of a submission. Each begins with a line that says who
/// wrote it: a file that has lost this line is the student's, and is never written again.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// Where the labs' headers are, those of `#include <lab/…>`.
fs::path lab_headers(const Kit& kit);

struct EditorFile {
  fs::path name;  ///< relative to the workspace
  std::string text;
};

std::vector<EditorFile> editor_files(const Kit& kit, const Lab& lab, int level);

enum class EditorFiles { all, those_there };

/// Brings a workspace's editor files up to date; they name paths, which change when a kit is moved.
/// @param which `those_there`: one that was deleted stays so
/// @throws Error (environment) when one can't be written
void write_editor_files(const Kit& kit, const Lab& lab, int level, const fs::path& folder, EditorFiles which);

/// How places stand in what compilers and the grader print. As in Visual Studio Code's tasks, the regular expressions
/// are JavaScript's, and a number says which group holds what.
struct ProblemPattern {
  std::string regexp;
  bool absolute = false;  ///< of the file's name, which is relative to the workspace otherwise
  int file = 1, line = 2, column = 0, severity = 0, message = 0;  ///< 0: not there
};
const std::vector<ProblemPattern>& problem_patterns();

/// How the lines begin that `grader watch` prints before and after each grading: an editor drops its marks at the one,
/// and has the new ones complete at the other.
std::string watch_begins(const std::string& lab_id);
inline constexpr const char* watch_ends = "Watching";

}  // namespace grader
