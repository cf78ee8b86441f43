// Reads submissions into memory, and checks all rules for them.
#include "workspace/submission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "workspace/lab_files.hpp"
#include "workspace/skeleton.hpp"

namespace grader {
namespace {

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// Whether a file is a dump, or a page that plays one. A run writes them to the folder of the sources, and
/// they are larger than any source.
bool is_of_a_run(const fs::path& path) {
  return path.extension() == ".frames" || path.extension() == ".html";
}

/// Whether a file is a program, an object or a library that a student's own compiler left. It is then not
/// part of a submission.
bool is_compiled(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  char head[4] = {};
  return file.read(head, sizeof head) && std::string_view(head, sizeof head) ==
                                             "\x7f"
                                             "ELF";
}

/// Reads a folder's files, and enforces the rules of a submission.
class FolderReader {
 public:
  FolderReader(fs::path folder, std::string next_step)
      : folder_(std::move(folder)), next_step_(std::move(next_step)) {}

  std::vector<SubmissionFile> read() {
    std::error_code failed;
    const fs::file_status status = fs::status(folder_, failed);
    if (!fs::exists(status))
      fail(fmt::format("{} does not exist; expected a folder with .cu or .cpp files.", shown(folder_)));
    if (!fs::is_directory(status))
      fail(fmt::format("{} is not a folder; expected one with .cu or .cpp files.", shown(folder_)));
    real_folder_ = fs::canonical(folder_, failed);
    fs::recursive_directory_iterator at(folder_, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      if (is_hidden(at->path())) {
        at.disable_recursion_pending();
      } else if (!is_of_a_run(at->path())) {
        entry(at->path());
      }
    }
    if (failed) fail(fmt::format("{} can't be read: {}.", shown(folder_), failed.message()));
    if (std::none_of(files_.begin(), files_.end(),
                     [](const SubmissionFile& file) { return is_source(file.name); }))
      fail(fmt::format("{} holds no source (.cu, .cpp, .h); expected a program.", shown(folder_)));
    std::sort(files_.begin(), files_.end(),
              [](const SubmissionFile& a, const SubmissionFile& b) { return a.name < b.name; });
    return std::move(files_);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(ErrorKind::usage, sentence, next_step_);
  }

  void entry(const fs::path& path) {
    std::error_code failed;
    const bool link = fs::is_symlink(fs::symlink_status(path, failed));
    const fs::file_status status = fs::status(path, failed);
    if (fs::is_directory(status) && !link) return;  // the iterator descends into it
    if (!fs::exists(status)) fail(fmt::format("{} is a link to nothing; expected a file.", shown(path)));
    if (link && !lies_in(fs::canonical(path, failed), real_folder_))
      fail(fmt::format("{} links to a place outside {}; expected a file.", shown(path), shown(folder_)));
    if (!fs::is_regular_file(status))
      fail(fmt::format("{} is a link to a folder, a pipe or a device; expected a file.", shown(path)));
    if (!is_source(path) && is_compiled(path)) return;
    if (files_.size() == submission_limits.files)
      fail(fmt::format("{} holds more than {} files.", shown(folder_), submission_limits.files));
    try {
      files_.push_back({path.lexically_relative(folder_), read_file(path, submission_limits.file_bytes)});
    } catch (const Error& error) {
      throw Error(error.kind(), error.what(), fmt::format("Move it out of {}.", shown(folder_)));
    }
    bytes_ += files_.back().text.size();
    if (bytes_ > submission_limits.bytes)
      fail(fmt::format("{} holds more than {} MiB.", shown(folder_), submission_limits.bytes >> 20));
  }

  fs::path folder_, real_folder_;
  std::string next_step_;
  std::vector<SubmissionFile> files_;
  std::uintmax_t bytes_ = 0;
};

bool has(const std::vector<SubmissionFile>& files, const fs::path& name) {
  return std::any_of(files.begin(), files.end(),
                     [&](const SubmissionFile& file) { return file.name == name; });
}

/// Adds the kit's other files to a submission that contains only the files with blanks.
void complete(Submission& submission, const std::vector<LabFile>& level) {
  const auto has_blanks = [](const LabFile& file) {
    return is_source(file.name) && !parse_skeleton(file.name, file.text).blanks.empty();
  };
  const bool of_level = std::any_of(level.begin(), level.end(), [&](const LabFile& file) {
    return has_blanks(file) && has(submission.files, file.name);
  });
  if (!of_level) return;
  for (const LabFile& file : level)
    if (is_source(file.name) && !has_blanks(file) && !has(submission.files, file.name))
      submission.files.push_back({file.name, file.text});
  std::sort(submission.files.begin(), submission.files.end(),
            [](const SubmissionFile& a, const SubmissionFile& b) { return a.name < b.name; });
}

bool counts(const Submission& submission, int part) {
  if (submission.origin == Origin::solution) return true;
  const std::vector<Part>& parts = submission.lab->parts;
  const auto found =
      std::find_if(parts.begin(), parts.end(), [part](const Part& one) { return one.id == part; });
  return found == parts.end() || found->counts_at(submission.level);
}

}  // namespace

std::vector<SubmissionFile> read_files(const fs::path& folder, const std::string& next_step) {
  return FolderReader(folder, next_step).read();
}

std::vector<SubmissionFile> as_submitted(const std::vector<LabFile>& files) {
  std::vector<SubmissionFile> out;
  for (const LabFile& file : files) out.push_back({file.name, file.text});
  return out;
}

/// The digest of a submission's files. The length of each name and content precedes it, so different
/// submissions hash different bytes.
std::string digest(const std::vector<SubmissionFile>& files) {
  Sha256 sha;
  for (const SubmissionFile& file : files) {
    const std::string name = file.name.generic_string();
    sha.update(fmt::format("{} {}\n", name.size(), file.text.size())).update(name).update(file.text);
  }
  return sha.hex_digest();
}

std::vector<fs::path> Submission::sources() const {
  std::vector<fs::path> names;
  for (const SubmissionFile& file : files) {
    if (is_program_source(file.name)) names.push_back(file.name);
  }
  return names;
}

void summarise(Submission& submission) {
  submission.todo.clear();
  for (const SubmissionFile& file : submission.files) {
    if (!is_source(file.name)) continue;
    for (Todo& todo : find_todos(file.name, file.text)) {
      // A skeleton that comes from another level may have blanks that don't count here.
      if (counts(submission, todo.part)) submission.todo.push_back(std::move(todo));
    }
  }
  submission.sha256 = digest(submission.files);
}

fs::path workspace_folder(const Kit& kit, const Lab& lab, int level) {
  return kit.work() / lab.id / fmt::format("level{}", level);
}

Submission read_submission(const Kit& kit, const Lab& lab, int level, Origin origin, const fs::path& folder) {
  Submission submission;
  submission.lab = &lab;
  submission.level = level;
  submission.origin = origin;
  if (origin == Origin::solution) {
    submission.folder = solution_folder(kit, lab);
    submission.files = as_submitted(solution_files(kit, lab));
  } else {
    const bool own = origin == Origin::student && folder.empty();
    submission.folder = own ? workspace_folder(kit, lab, level) : folder;
    std::error_code ignored;
    if (own && !fs::exists(submission.folder, ignored)) {
      submission.files = as_submitted(level_files(kit, lab, level));
    } else {
      const std::string next_step = own ? fmt::format("grader reset {}.{}", lab.id, level) : "";
      submission.files = read_files(submission.folder, next_step);
      if (!own) complete(submission, level_files(kit, lab, level));
      if (submission.sources().empty())
        throw Error(
            ErrorKind::usage,
            fmt::format("{} holds no .cu or .cpp file; expected a program.", shown(submission.folder)),
            next_step);
    }
  }
  summarise(submission);
  return submission;
}

void need_whole(const Kit& kit, const Submission& submission) {
  for (const LabFile& file : level_files(kit, *submission.lab, submission.level))
    if (is_source(file.name) && !has(submission.files, file.name))
      throw Error(
          ErrorKind::usage,
          fmt::format("{} is missing in {}; the lab needs it.", file.name.string(), shown(submission.folder)),
          fmt::format("cp '{}' '{}'", shown(file.origin), shown(submission.folder)));
}

}  // namespace grader
