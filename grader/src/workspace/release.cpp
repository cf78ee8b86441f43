// Everything is generated in memory first, so that a broken marker changes nothing on disk. A file is
// replaced without ado only when nobody edited it: when it is missing, or is what the last commit holds.
#include "workspace/release.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "catalog/committed.hpp"
#include "process/process.hpp"
#include "workspace/annotate.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_source = 4 << 20;

/// Every part must be blank somewhere, or its points could be earned by nobody's work.
void require_all_parts(const Kit& kit, const Lab& lab, const std::vector<SolutionFile>& files) {
  std::set<int> marked;
  const fs::path folder = kit.solutions() / lab.folder_name();
  for (const SolutionFile& file : files) {
    for (const int part : marked_parts(lab, folder / file.name, file.annotated)) marked.insert(part);
  }
  for (const Part& part : lab.parts) {
    if (!marked.contains(part.id)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("No source in {} marks part {} (\"{}\") of {}; expected //@part {} around its code.",
                      shown(folder), part.id, part.title, shown(lab.folder / "lab.toml"), part.id));
    }
  }
}

unsigned first_difference(const std::string& a, const std::string& b) {
  const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return 1 + static_cast<unsigned>(std::count(a.begin(), at, '\n'));
}

/// One lab's release: what differs, and, unless it only checks, its mending.
class Release {
 public:
  Release(const Kit& kit, const Lab& lab, bool check) : kit_(kit), lab_(lab), check_(check) {}

  std::vector<ReleaseChange> run() {
    std::vector<SkeletonFile> files;
    for (int level = 1; level <= lab_.levels; ++level) {
      for (SkeletonFile& file : skeleton_files(kit_, lab_, level)) files.push_back(std::move(file));
    }
    std::set<fs::path> expected;
    for (const SkeletonFile& file : files) {
      compare(file);
      expected.insert(file.path);
    }
    find_strays(expected);
    return std::move(changes_);
  }

 private:
  void compare(const SkeletonFile& file) {
    stop_when_interrupted();
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(file.path, failed))) {
      changes_.push_back({ReleaseChange::Kind::missing, file.path});
    } else {
      const std::string there = read_file(file.path, largest_source);
      if (there == file.text) return;
      changes_.push_back({ReleaseChange::Kind::differs, file.path, first_difference(file.text, there)});
      if (!check_ && committed_text(kit_, file.path) != there)
        changes_.back().backup = back_up(file.path, there);
    }
    if (!check_) write_file(file.path, file.text);
  }

  /// Files in level folders that no solution gives, and level folders that the lab has not.
  void find_strays(const std::set<fs::path>& expected) {
    std::error_code failed;
    std::vector<fs::path> folders;
    for (fs::directory_iterator at(lab_folder(), failed), end; !failed && at != end; at.increment(failed)) {
      if (at->path().filename().string().starts_with("level") && at->is_directory())
        folders.push_back(at->path());
    }
    std::sort(folders.begin(), folders.end());
    for (const fs::path& folder : folders) {
      for (const fs::path& path : list_files(folder)) {
        if (!expected.contains(path)) stray(path);
      }
    }
  }

  void stray(const fs::path& path) {
    stop_when_interrupted();
    changes_.push_back({ReleaseChange::Kind::stray, path});
    if (check_) return;
    const auto committed =
        fs::is_regular_file(fs::symlink_status(path)) ? committed_text(kit_, path) : std::nullopt;
    if (!committed || fs::file_size(path) != committed->size() ||
        read_file(path, committed->size()) != *committed) {
      changes_.back().left_alone = true;
      return;
    }
    // The skeleton of a source that the solution had once: git has it still.
    std::error_code failed;
    fs::remove(path, failed);
    if (failed)
      throw Error(ErrorKind::environment,
                  fmt::format("{} can't be deleted: {}.", shown(path), failed.message()));
    fs::remove(path.parent_path(), failed);  // succeeds only when it is empty
  }

  fs::path back_up(const fs::path& file, const std::string& text) {
    if (backups_.empty()) backups_ = make_unique_folder(kit_.state() / "backups", lab_.id + "-release");
    const fs::path kept = backups_ / file.lexically_relative(lab_folder());
    write_file(kept, text);
    return kept;
  }

  void stop_when_interrupted() const {
    if (check_ || !interrupted()) return;
    throw Error(ErrorKind::environment,
                fmt::format("Interrupted; the skeletons of {} are written in part.", lab_.id),
                fmt::format("grader release {}", lab_.id));
  }

  fs::path lab_folder() const { return kit_.labs() / lab_.folder_name(); }

  const Kit& kit_;
  const Lab& lab_;
  const bool check_;
  fs::path backups_;
  std::vector<ReleaseChange> changes_;
};

}  // namespace

bool is_program_source(const fs::path& file) {
  return file.extension() == ".cu" || file.extension() == ".cpp";
}

bool is_source(const fs::path& file) {
  static const std::set<std::string> included = {".cuh", ".h", ".hpp", ".inl"};
  return is_program_source(file) || included.contains(file.extension().string());
}

std::vector<SolutionFile> solution_files(const Kit& kit, const Lab& lab) {
  const fs::path folder = kit.solutions() / lab.folder_name();
  std::error_code failed;
  std::vector<fs::path> paths;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (is_source(at->path()) && !is_hidden(at->path()) && at->is_regular_file()) paths.push_back(at->path());
  }
  if (failed) {
    throw Error(ErrorKind::usage,
                fmt::format("{} can't be read: {}; expected the annotated solution of {}.", shown(folder),
                            failed.message(), lab.id),
                "Solutions are the instructor's part of the kit; without them, work on the levels in labs/.");
  }
  if (std::none_of(paths.begin(), paths.end(), is_program_source))
    throw Error(ErrorKind::usage,
                fmt::format("{} holds no .cu or .cpp file; expected the annotated solution of {}.",
                            shown(folder), lab.id));
  std::sort(paths.begin(), paths.end());
  std::vector<SolutionFile> files;
  for (const fs::path& path : paths) files.push_back({path.filename(), read_file(path, largest_source)});
  return files;
}

fs::path level_folder(const Kit& kit, const Lab& lab, int level) {
  return kit.labs() / lab.folder_name() / fmt::format("level{}", level);
}

std::vector<SkeletonFile> skeleton_files(const Kit& kit, const Lab& lab, int level) {
  const std::vector<SolutionFile> solution = solution_files(kit, lab);
  require_all_parts(kit, lab, solution);
  std::vector<SkeletonFile> files;
  for (const SolutionFile& file : solution) {
    const fs::path origin = kit.solutions() / lab.folder_name() / file.name;
    files.push_back(
        {level_folder(kit, lab, level) / file.name, skeleton(lab, origin, file.annotated, level)});
  }
  return files;
}

std::vector<ReleaseChange> release(const Kit& kit, const Lab& lab, bool check) {
  return Release(kit, lab, check).run();
}

}  // namespace grader
