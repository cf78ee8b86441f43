// With these settings, clangd parses every file of a workspace as CUDA, with the emulation's headers, so it
// needs no toolkit.
#include "workspace/editor_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;  // keeps the usual order of the keys

constexpr const char* kit_mark =
    "Written by the CUDA Lab Kit. Delete this line, and the file is yours: it stays as it is.";
constexpr std::uintmax_t largest_editor_file = 1 << 20;

/// The kit's own folder of headers. For an installed kit, the folder below the grader's prefix.
fs::path header_folder(const fs::path& of_kit, const char* installed) {
  std::error_code ignored;
  return fs::exists(of_kit, ignored) ? of_kit : own_program().parent_path().parent_path() / installed;
}

std::string json_file(const Json& json) {
  return fmt::format("// {}\n{}\n", kit_mark, json.dump(2));
}

std::string clangd_text(const Kit& kit) {
  const std::string emulation = (own_program().parent_path().parent_path() / "include/emu").string();
  const std::string lab = lab_headers(kit).string();
  // The settings apply to .cpp and .h files, too: .cu files share headers, and clang's CUDA includes plain
  // C++. If a header is opened alone, it does not use all its declarations, and this must not be marked as a
  // mistake. clangd must not use a compilation database of the kit's own sources, since it would apply their
  // flags to a student's files.
  return fmt::format(R"(# {}
CompileFlags:
  CompilationDatabase: None
  Add:
    - -xcuda
    - --cuda-host-only
    - -nocudainc
    - -nocudalib
    - -std=c++17
    - -Wall
    - -Wno-unknown-cuda-version
    - -Wno-unused-const-variable
    - -Wno-unused-function
    - -Wno-unneeded-internal-declaration
    - {}
    - {}
    - -include
    - cuemu/editor.h
Diagnostics:
  UnusedIncludes: None
)",
                     kit_mark, Json("-isystem" + emulation).dump(), Json("-I" + lab).dump());
}

Json problem_matcher() {
  Json patterns = Json::array();
  for (const ProblemPattern& pattern : problem_patterns()) {
    Json one = {{"regexp", pattern.regexp}, {"file", pattern.file}, {"line", pattern.line}};
    if (pattern.column > 0) one["column"] = pattern.column;
    if (pattern.severity > 0) one["severity"] = pattern.severity;
    one["message"] = pattern.message;
    // "autoDetect" would search for each file, and lose the lines that arrive during the search.
    const Json location = pattern.absolute ? Json("absolute") : Json({"relative", "${workspaceFolder}"});
    patterns.push_back(
        {{"owner", "grader"}, {"source", "grader"}, {"fileLocation", location}, {"pattern", one}});
  }
  return patterns;
}

Json grader_task(const char* label, const std::vector<std::string>& words) {
  return {{"label", label},
          {"type", "process"},
          {"command", own_program().string()},
          {"args", words},
          {"problemMatcher", problem_matcher()},
          {"presentation", {{"clear", true}}}};
}

std::string tasks_text(const Kit& kit, const Lab& lab, int level) {
  const std::string name = fmt::format("{}.{}", lab.id, level);
  Json grade = grader_task("Grade", {"grade", name, "--places"});
  grade["group"] = {{"kind", "build"}, {"isDefault", true}};
  Json check = grader_task("Check", {"check", name, "--places"});
  check["group"] = "test";
  Json watch = grader_task("Watch", {"watch", name, "--places"});
  watch["isBackground"] = true;
  for (Json& matcher : watch["problemMatcher"])
    matcher["background"] = {{"activeOnStart", true},
                             {"beginsPattern", "^" + watch_begins(lab.id)},
                             {"endsPattern", fmt::format("^{} ", watch_ends)}};
  Json run = grader_task("Run", {});
  // The task runs in a shell, so that an input of several words becomes several arguments.
  run["type"] = "shell";
  run["command"] = fmt::format("'{}' run {} -- ${{input:arguments}}", own_program().string(), name);
  run.erase("args");
  return json_file(
      {{"version", "2.0.0"},
       {"options",
        {{"cwd", "${workspaceFolder}"},
         {"env", {{"CUDA_LAB_KIT", kit.root.string()}, {"GRADER_WORKSPACE", kit.work().string()}}}}},
       {"tasks", {grade, check, watch, run}},
       {"inputs",
        {{{"id", "arguments"}, {"type", "promptString"}, {"description", "The program's arguments"}}}}});
}

std::string settings_text() {
  return json_file({{"files.associations", {{"*.cu", "cuda-cpp"}, {"*.cuh", "cuda-cpp"}}},
                    {"C_Cpp.intelliSenseEngine", "disabled"}});  // both would mark each mistake twice
}

std::string extensions_text() {
  return json_file({{"recommendations", {"llvm-vs-code-extensions.vscode-clangd"}}});
}

/// The file's text; no value if the file can't be read.
std::optional<std::string> editor_text_there(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(file, ignored))) return std::nullopt;
  try {
    return read_file(file, largest_editor_file);
  } catch (const Error&) {
    return "";
  }
}

bool is_the_kits(const std::string& text) {
  return text.substr(0, text.find('\n')).find(kit_mark) != std::string::npos;
}

}  // namespace

fs::path lab_headers(const Kit& kit) {
  return header_folder(kit.common() / "lab/include", "include");
}

const std::vector<ProblemPattern>& problem_patterns() {
  // GCC, Clang and --places: "matrixmul_kernel.cu:63:16: error: 'foo' was not declared"; a place may lack a column.
  // nvcc: "matrixmul_kernel.cu(63): error: identifier "foo" is undefined", "x.cu(3): warning #177-D: …".
  // A name that is not absolute is relative to the workspace.
  static const std::vector<ProblemPattern> patterns = [] {
    std::vector<ProblemPattern> all;
    for (const bool absolute : {false, true}) {
      const std::string first = absolute ? "/" : R"([^\s:(/])";
      all.push_back(
          {.regexp = "^(" + first + R"([^:]*):(\d+)(?::(\d+))?: (?:fatal )?(error|warning|note): (.*)$)",
           .absolute = absolute,
           .column = 3,
           .severity = 4,
           .message = 5});
      all.push_back({.regexp = "^(" + first + R"([^(]*)\((\d+)\): (error|warning|note)(?: #[\w-]+)?: (.*)$)",
                     .absolute = absolute,
                     .severity = 3,
                     .message = 4});
    }
    return all;
  }();
  return patterns;
}

std::string watch_begins(const std::string& lab_id) {
  return "Grading " + lab_id;
}

std::vector<EditorFile> editor_files(const Kit& kit, const Lab& lab, int level) {
  return {{".clangd", clangd_text(kit)},
          {".vscode/tasks.json", tasks_text(kit, lab, level)},
          {".vscode/settings.json", settings_text()},
          {".vscode/extensions.json", extensions_text()}};
}

void write_editor_files(const Kit& kit, const Lab& lab, int level, const fs::path& folder,
                        EditorFiles which) {
  for (const EditorFile& file : editor_files(kit, lab, level)) {
    const std::optional<std::string> there = editor_text_there(folder / file.name);
    const bool wanted = there ? is_the_kits(*there) && *there != file.text : which == EditorFiles::all;
    if (wanted) write_file(folder / file.name, file.text);
  }
}

}  // namespace grader
