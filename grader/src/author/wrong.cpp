// Reads the list, and applies the changes in memory. A wrong solution is never written to disk.
#include "author/wrong.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "catalog/toml_reader.hpp"

namespace grader {
namespace {

constexpr int newest_format = 1;

/// The verdicts that a wrong solution may have: all that a solution can cause, except "passed".
const std::vector<Verdict> failing = {
    Verdict::finding,      Verdict::wrong_answer, Verdict::requirement_failed,
    Verdict::todo,         Verdict::no_output,    Verdict::compile_error,
    Verdict::crash,        Verdict::time_out,     Verdict::memory_limit,
    Verdict::output_limit, Verdict::process_limit};

Verdict read_verdict(TomlTable& table, const std::string& key) {
  std::vector<std::string> names;
  for (const Verdict verdict : failing) names.emplace_back(to_string(verdict));
  if (!table.has(key))
    table.fail(key, fmt::format("expected \"{}\" in [[wrong]]: {}", key, quoted_list(names, "or")));
  const std::string name = table.choice(key, names);
  return failing[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
}

void read_edit(TomlTable& table, Edit& edit) {
  edit.file = table.text("file");
  read_change(table, edit);
}

WrongSolution read_entry(TomlTable& table, const std::vector<WrongSolution>& others) {
  WrongSolution wrong;
  wrong.name = table.text("name");
  for (const WrongSolution& other : others) {
    if (other.name == wrong.name)
      table.fail("name", fmt::format("\"{}\" is declared twice; expected a name of its own", wrong.name));
  }
  wrong.title = table.text("title");
  wrong.shown_in = table.text_or("case", "");
  read_edit(table, wrong);
  for (TomlTable& also : table.tables("also")) {
    read_edit(also, wrong.also.emplace_back());
    also.finish();
  }
  wrong.verdict = read_verdict(table, "verdict");
  if (table.has("gpu_verdict")) wrong.gpu_verdict = read_verdict(table, "gpu_verdict");
  wrong.pattern = table.text_or("pattern", "");
  if (auto finding = table.table("finding")) {
    wrong.finding.rule = finding->text("rule");
    wrong.finding.says = finding->text_or("says", "");
    wrong.finding.only_case = finding->text_or("case", "");
    finding->finish();
  }
  if (table.has("names")) wrong.names = table.texts("names");
  if (table.has("never")) wrong.never = table.texts("never");
  const std::string backend = table.choice("backend", {"both", "emu", "gpu"});
  if (backend != "both") wrong.backends = {backend == "emu" ? Backend::emu : Backend::gpu};
  table.finish();
  return wrong;
}

void apply(Submission& changed, const Edit& edit, const std::string& name) {
  const std::string of = fmt::format("wrong solution \"{}\"", name);
  const auto file = std::find_if(changed.files.begin(), changed.files.end(),
                                 [&](const SubmissionFile& one) { return one.name == edit.file; });
  if (file == changed.files.end()) {
    std::vector<std::string> names;
    for (const SubmissionFile& one : changed.files) names.push_back(one.name.string());
    const std::string near = did_you_mean(edit.file.string(), names);
    throw Error(
        ErrorKind::usage,
        describe_at(edit.at,
                    fmt::format("the solution has no file \"{}\"; expected {} ({})", edit.file.string(),
                                near.empty() ? quoted_list(names, "or") : '"' + near + '"', of)));
  }
  apply_change(file->text, edit, edit.file.string(), of);
}

}  // namespace

std::vector<WrongSolution> read_wrong(const Kit& kit, const Lab& lab) {
  const TomlFile file = TomlFile::read(kit.solutions() / lab.folder_name() / "wrong.toml", newest_format);
  TomlTable root = file.root();
  root.has("format");  // read and checked with the file
  std::vector<WrongSolution> list;
  for (TomlTable& table : root.tables("wrong")) list.push_back(read_entry(table, list));
  root.finish();
  return list;
}

Submission apply_wrong(const Submission& solution, const WrongSolution& wrong) {
  Submission changed = solution;
  apply(changed, wrong, wrong.name);
  for (const Edit& edit : wrong.also) apply(changed, edit, wrong.name);
  summarise(changed);
  return changed;
}

}  // namespace grader
