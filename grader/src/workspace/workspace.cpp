// Reads submissions as snapshots. What changes a student's folder (reset) copies it whole first; what counts
// (hints) does so under a lock.
#include "workspace/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "catalog/committed.hpp"
#include "workspace/annotate.hpp"
#include "workspace/release.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_file = 4 << 20;
constexpr std::uintmax_t largest_submission = 32 << 20;
constexpr std::size_t most_files = 200;

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// Reads a folder's files, keeping every rule of a submission.
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
      fail(fmt::format("{} is no folder; expected one with .cu or .cpp files.", shown(folder_)));
    real_folder_ = fs::canonical(folder_, failed);
    fs::recursive_directory_iterator at(folder_, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      if (is_hidden(at->path())) {
        at.disable_recursion_pending();
      } else {
        entry(at->path());
      }
    }
    if (failed) fail(fmt::format("{} can't be read: {}.", shown(folder_), failed.message()));
    if (std::none_of(files_.begin(), files_.end(),
                     [](const SubmissionFile& file) { return is_program_source(file.name); }))
      fail(fmt::format("{} holds no .cu or .cpp file; expected a program.", shown(folder_)));
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
    if (fs::is_directory(status) && !link) return;  // the iterator goes into it
    if (!fs::exists(status)) fail(fmt::format("{} is a link to nothing; expected a file.", shown(path)));
    if (link && !lies_in(fs::canonical(path, failed), real_folder_))
      fail(fmt::format("{} links to a place outside {}; expected a file.", shown(path), shown(folder_)));
    if (!fs::is_regular_file(status))
      fail(fmt::format("{} is a link to a folder, a pipe or a device; expected a file.", shown(path)));
    if (files_.size() == most_files)
      fail(fmt::format("{} holds more than {} files.", shown(folder_), most_files));
    try {
      files_.push_back({path.lexically_relative(folder_), read_file(path, largest_file)});
    } catch (const Error& error) {
      throw Error(error.kind(), error.what(), fmt::format("Move it out of {}.", shown(folder_)));
    }
    bytes_ += files_.back().text.size();
    if (bytes_ > largest_submission)
      fail(fmt::format("{} holds more than {} MiB.", shown(folder_), largest_submission >> 20));
  }

  fs::path folder_, real_folder_;
  std::string next_step_;
  std::vector<SubmissionFile> files_;
  std::uintmax_t bytes_ = 0;
};

std::vector<SubmissionFile> read_solution(const Kit& kit, const Lab& lab) {
  std::vector<SubmissionFile> files;
  for (const SolutionFile& file : solution_files(kit, lab)) {
    const fs::path path = kit.solutions() / lab.folder_name() / file.name;
    files.push_back({file.name, skeleton(lab, path, file.annotated, 0)});
  }
  return files;
}

/// Lengths stand before names and contents, so that no two submissions make the same message.
std::string digest(const std::vector<SubmissionFile>& files) {
  Sha256 sha;
  for (const SubmissionFile& file : files) {
    const std::string name = file.name.generic_string();
    sha.update(fmt::format("{} {}\n", name.size(), file.text.size())).update(name).update(file.text);
  }
  return sha.hex_digest();
}

// -- reset --------------------------------------------------------------------------------------------------

std::vector<SkeletonFile> committed_skeleton(const Kit& kit, const Lab& lab, int level) {
  std::vector<SkeletonFile> files;
  for (const fs::path& path : committed_files(kit, level_folder(kit, lab, level))) {
    if (const auto text = committed_text(kit, path)) files.push_back({path, *text});
  }
  if (!files.empty()) return files;
  throw Error(ErrorKind::environment,
              fmt::format("The skeleton of {} level {} is nowhere: neither {} nor the last commit of a git "
                          "repository in {} has it.",
                          lab.id, level, shown(kit.solutions() / lab.folder_name()), shown(kit.root)),
              fmt::format("Copy labs/{}/level{} from a fresh copy of the kit.", lab.folder_name(), level));
}

bool holds_exactly(const fs::path& folder, const std::vector<SkeletonFile>& files) {
  std::vector<fs::path> expected;
  for (const SkeletonFile& file : files) {
    std::error_code failed;
    if (!fs::is_regular_file(fs::symlink_status(file.path, failed))) return false;
    if (fs::file_size(file.path, failed) != file.text.size() ||
        read_file(file.path, file.text.size()) != file.text)
      return false;
    expected.push_back(file.path);
  }
  std::sort(expected.begin(), expected.end());
  return list_files(folder) == expected;
}

// -- hints --------------------------------------------------------------------------------------------------

/// How many hints of each part were shown: {"format": 1, "shown": {"lab1.1": {"2": 3}}}
class ShownHints {
 public:
  explicit ShownHints(fs::path file) : file_(std::move(file)) {}

  /// @return false when the file is damaged
  bool read() {
    std::error_code failed;
    if (!fs::exists(file_, failed)) return true;
    const auto parsed = nlohmann::json::parse(read_file(file_, 1 << 20), nullptr, false);
    if (!parsed.is_object() || parsed.value("format", nlohmann::json()) != 1 || !parsed.contains("shown") ||
        !parsed["shown"].is_object())
      return false;
    shown_ = parsed["shown"];
    return true;
  }

  int of(const std::string& lab, int part) const {
    const auto parts = shown_.find(lab);
    if (parts == shown_.end() || !parts->is_object()) return 0;
    const auto count = parts->find(std::to_string(part));
    if (count == parts->end() || !count->is_number_integer()) return 0;
    return static_cast<int>(std::clamp<std::int64_t>(count->get<std::int64_t>(), 0, 1000));
  }

  void write(const std::string& lab, int part, int count) {
    if (!shown_[lab].is_object()) shown_[lab] = nlohmann::json::object();
    shown_[lab][std::to_string(part)] = count;
    write_file(file_, nlohmann::json({{"format", 1}, {"shown", shown_}}).dump(1) + '\n');
  }

 private:
  fs::path file_;
  nlohmann::json shown_ = nlohmann::json::object();
};

const Part& part_for_hint(const Kit& kit, const Lab& lab, int level, int part) {
  if (part == 0) {
    part = lab.parts.front().id;
    const Submission submission = read_submission(kit, lab, level, Origin::student);
    const auto first = std::min_element(submission.todo.begin(), submission.todo.end(),
                                        [](const Todo& a, const Todo& b) { return a.part < b.part; });
    if (first != submission.todo.end()) part = first->part;
  }
  for (const Part& one : lab.parts) {
    if (one.id == part) return one;
  }
  throw Error(ErrorKind::usage,
              fmt::format("{} has parts 1 to {}, not part {}.", lab.id, lab.parts.size(), part),
              fmt::format("grader hint {}", lab.id));
}

}  // namespace

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
    for (Todo& todo : find_todos(file.name, file.text)) submission.todo.push_back(std::move(todo));
  }
  submission.sha256 = digest(submission.files);
}

Submission read_submission(const Kit& kit, const Lab& lab, int level, Origin origin, const fs::path& folder) {
  Submission submission;
  submission.lab = &lab;
  submission.level = level;
  submission.origin = origin;
  if (origin == Origin::solution) {
    submission.folder = kit.solutions() / lab.folder_name();
    submission.files = read_solution(kit, lab);
  } else {
    const bool own = origin == Origin::student && folder.empty();
    submission.folder = own ? level_folder(kit, lab, level) : folder;
    const std::string next_step = own ? fmt::format("grader reset {}.{}", lab.id, level) : "";
    submission.files = FolderReader(submission.folder, next_step).read();
  }
  summarise(submission);
  return submission;
}

fs::path reset_level(const Kit& kit, const Lab& lab, int level, bool* changed) {
  std::error_code failed;
  const bool has_solution = fs::is_directory(kit.solutions() / lab.folder_name(), failed);
  const std::vector<SkeletonFile> files =
      has_solution ? skeleton_files(kit, lab, level) : committed_skeleton(kit, lab, level);
  const fs::path folder = level_folder(kit, lab, level);

  const FileLock lock(kit.state() / "workspace.lock");
  const bool differs = !holds_exactly(folder, files);
  if (changed != nullptr) *changed = differs;
  if (!differs) return {};
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
  // From here on everything is in the backup:
  // an interruption loses nothing, and a second reset finishes the first.
  for (const fs::path& path : list_files(folder)) {
    const bool kept =
        std::any_of(files.begin(), files.end(), [&](const SkeletonFile& file) { return file.path == path; });
    if (!kept || fs::is_symlink(path)) fs::remove(path, failed);
    if (failed)
      throw Error(ErrorKind::environment,
                  fmt::format("{} can't be deleted: {}.", shown(path), failed.message()));
  }
  for (const SkeletonFile& file : files) write_file(file.path, file.text);
  return backup;
}

std::vector<HintGiven> next_hint(const Kit& kit, const Lab& lab, int level, int part, std::string* note) {
  const Part& asked = part_for_hint(kit, lab, level, part);
  const int of = static_cast<int>(asked.hints.size());
  if (of == 0) return {};

  const FileLock lock(kit.state() / "hints.lock");
  ShownHints shown_so_far(kit.state() / "hints.json");
  if (!shown_so_far.read() && note != nullptr)
    *note = fmt::format("{} was damaged: hints are counted from the first again.",
                        shown(kit.state() / "hints.json"));
  const int before = std::min(shown_so_far.of(lab.id, asked.id), of);
  const int now = std::min(before + 1, of);
  shown_so_far.write(lab.id, asked.id, now);

  std::vector<HintGiven> hints;
  for (int i = 0; i < now; ++i)
    hints.push_back({asked.id, asked.title, i + 1, of, asked.hints[static_cast<std::size_t>(i)]});
  return hints;
}

}  // namespace grader
