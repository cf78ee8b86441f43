// Before files in a student's folder are replaced, the whole folder is copied. A new folder is created under
// another name and then renamed.
#include "workspace/workspace.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "base/regex.hpp"
#include "base/scratch.hpp"
#include "base/version.hpp"
#include "catalog/toml_reader.hpp"
#include "process/process.hpp"
#include "workspace/editor_files.hpp"
#include "workspace/skeleton.hpp"
#include "workspace/source_scan.hpp"

namespace grader {
namespace {

constexpr const char* note_name = ".workspace.toml";
constexpr int note_format = 1;

/// The text of a workspace's note: its lab and level, and its initial skeleton.
std::string note_text(const Lab& lab, int level, const std::string& skeleton_sha256) {
  return fmt::format(
      "# A student's folder of the CUDA Lab Kit; grader reads this file.\n"
      "format = {}\nlab = \"{}\"\nlevel = {}\nkit = \"{}\"\nskeleton = \"{}\"\n",
      note_format, lab.id, level, kit_version(), skeleton_sha256);
}

/// @return a sentence if the skeleton has changed since the note was written
std::string check_note(const fs::path& file, const Lab& lab, int level, const std::string& skeleton_sha256) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};  // a folder that was copied or made by hand is accepted
  const TomlFile toml = TomlFile::read(file, note_format);
  TomlTable root = toml.root();
  const std::string of = root.text("lab");
  const auto of_level = root.integer("level", 1, 99);
  if (of != lab.id || of_level != level)
    throw Error(ErrorKind::usage,
                fmt::format("{} is the folder of {} level {}, not of {} level {}.", shown(file.parent_path()),
                            of, of_level, lab.id, level),
                fmt::format("grader {}.{}, or move the folder away.", of, of_level));
  if (root.text_or("skeleton", "") == skeleton_sha256) return {};
  return fmt::format(
      "the kit's skeleton of {0} level {1} has changed since you began: grader diff {0}.{1} shows what "
      "differs now",
      lab.id, level);
}

bool holds_exactly(const fs::path& folder, const std::vector<LabFile>& files) {
  std::vector<fs::path> expected;
  for (const LabFile& file : files) {
    const fs::path path = folder / file.name;
    std::error_code failed;
    if (!fs::is_regular_file(fs::symlink_status(path, failed))) return false;
    if (fs::file_size(path, failed) != file.text.size() || read_file(path, file.text.size()) != file.text)
      return false;
    expected.push_back(path);
  }
  std::sort(expected.begin(), expected.end());
  return list_files(folder) == expected;
}

void write_workspace(const Kit& kit, const Lab& lab, int level, const std::vector<LabFile>& files,
                     const fs::path& folder) {
  lay_out(files, folder);
  write_editor_files(kit, lab, level, folder, EditorFiles::all);
  // The note is written last: a folder with its note is complete.
  write_file(folder / note_name, note_text(lab, level, digest(as_submitted(files))));
}

/// Whether a unified diff without context adds or removes lines outside of the skeleton's blanks.
bool reaches_outside(const std::string& diff, const std::vector<Blank>& blanks) {
  static const Regex head(R"(@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@.*)");
  for (const SourceLine& one : source_lines(diff)) {
    const auto match = head.match(one.text);
    if (!match) continue;
    const auto first = static_cast<unsigned>(std::stoul((*match)[1]));
    const unsigned count = match->has(2) ? static_cast<unsigned>(std::stoul((*match)[2])) : 1;
    const bool inside = std::any_of(blanks.begin(), blanks.end(), [&](const Blank& blank) {
      // "-12,0" means new lines after line 12, which may be a blank's opening mark.
      return count == 0 ? blank.begin <= first && first < blank.end
                        : blank.begin < first && first + count <= blank.end;
    });
    if (!inside) return true;
  }
  return false;
}

bool is_text(const std::string& text) {
  return first_line_not_utf8(text) == 0;
}

/// @param context the number of lines around each change
std::string unified_diff(const fs::path& scratch, const fs::path& name, const std::string& before,
                         const std::string& after, int context) {
  write_file(scratch / "before", before);
  write_file(scratch / "after", after);
  ProcessRequest request;
  request.argv = {"diff",    fmt::format("-U{}", context),     "--label", "skeleton/" + name.generic_string(),
                  "--label", "yours/" + name.generic_string(), "before",  "after"};
  request.cwd = scratch;
  request.environment = {{"LC_ALL", "C"}};
  request.limits.wall_s = 60;
  request.limits.output = 64 << 20;
  const ProcessResult result = run_own_process(request);
  if (result.end != ProcessResult::End::exited || result.code > 1)
    throw Error(ErrorKind::environment, fmt::format("diff did not work: {}{}", result.err, result.error),
                "apt-get install diffutils");
  return result.out;
}

}  // namespace

void lay_out(const std::vector<LabFile>& files, const fs::path& folder) {
  for (const LabFile& file : files) write_file(folder / file.name, file.text);
}

Workspace open_workspace(const Kit& kit, const Lab& lab, int level) {
  Workspace workspace{workspace_folder(kit, lab, level)};
  const std::vector<LabFile> files = level_files(kit, lab, level);
  const FileLock lock(kit.state() / "workspace.lock");
  std::error_code failed;
  if (fs::exists(workspace.folder, failed)) {
    workspace.note = check_note(workspace.folder / note_name, lab, level, digest(as_submitted(files)));
    write_editor_files(kit, lab, level, workspace.folder, EditorFiles::those_there);
    return workspace;
  }
  const fs::path draft = workspace.folder.parent_path() /
                         fmt::format(".{}.{}", workspace.folder.filename().string(), ::getpid());
  fs::remove_all(draft, failed);
  write_workspace(kit, lab, level, files, draft);
  fs::rename(draft, workspace.folder, failed);
  if (failed) {
    const std::string reason = failed.message();
    fs::remove_all(draft, failed);
    throw Error(ErrorKind::environment,
                fmt::format("{} can't be made: {}.", shown(workspace.folder), reason));
  }
  workspace.made = true;
  return workspace;
}

fs::path reset_level(const Kit& kit, const Lab& lab, int level, bool* changed) {
  const std::vector<LabFile> files = level_files(kit, lab, level);
  const fs::path folder = workspace_folder(kit, lab, level);

  const FileLock lock(kit.state() / "workspace.lock");
  const bool differs = !holds_exactly(folder, files);
  if (changed != nullptr) *changed = differs;
  if (!differs) {
    write_editor_files(kit, lab, level, folder, EditorFiles::all);
    return {};
  }
  std::error_code failed;
  fs::path backup;
  if (fs::exists(folder, failed)) {
    const fs::path parent =
        make_unique_folder(kit.state() / "backups", fmt::format("{}-level{}", lab.id, level));
    backup = parent / folder.filename();
    try {
      copy_folder(folder, backup);
    } catch (const Error&) {
      fs::remove(parent, failed);
      throw;
    }
  }
  // The backup has all files now. So an interruption loses no data, and a second reset completes the first.
  for (const fs::path& path : list_files(folder)) {
    const bool kept = std::any_of(files.begin(), files.end(),
                                  [&](const LabFile& file) { return folder / file.name == path; });
    if (!kept || fs::is_symlink(path)) fs::remove(path, failed);
    if (failed)
      throw Error(ErrorKind::environment,
                  fmt::format("{} can't be deleted: {}.", shown(path), failed.message()));
  }
  write_workspace(kit, lab, level, files, folder);
  return backup;
}

std::vector<FileChange> workspace_changes(const Kit& kit, const Lab& lab, int level) {
  const std::vector<LabFile> skeleton = level_files(kit, lab, level);
  const Submission now = read_submission(kit, lab, level, Origin::student);
  std::map<fs::path, std::pair<const LabFile*, const SubmissionFile*>> files;
  for (const LabFile& file : skeleton) files[file.name].first = &file;
  for (const SubmissionFile& file : now.files) files[file.name].second = &file;

  const ScratchFolder scratch(kit.state(), "diff");
  std::vector<FileChange> changes;
  for (const auto& [name, both] : files) {
    const auto& [before, after] = both;
    const std::string old_text = before == nullptr ? "" : before->text;
    const std::string new_text = after == nullptr ? "" : after->text;
    if (before != nullptr && after != nullptr && old_text == new_text) continue;
    FileChange change{name, before == nullptr, after == nullptr, {}, false};
    if (is_text(old_text) && is_text(new_text)) {
      change.diff = unified_diff(scratch.path(), name, old_text, new_text, 3);
      change.outside_blanks =
          !change.added &&
          (change.removed || reaches_outside(unified_diff(scratch.path(), name, old_text, new_text, 0),
                                             parse_skeleton(before->origin, old_text).blanks));
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace grader
