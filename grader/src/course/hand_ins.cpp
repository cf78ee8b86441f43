// The platforms' ways to name what was handed in are regular expressions, one beside the other in named().
#include "course/hand_ins.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "base/regex.hpp"
#include "base/utc.hpp"
#include "course/archive.hpp"
#include "course/git_clone.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

const char* const archive_ends[] = {".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"};

std::string archive_end(const std::string& name) {
  for (const std::string end : archive_ends)
    if (name.size() > end.size() && name.ends_with(end)) return end;
  return "";
}

/// What the name of an entry says.
struct Name {
  std::string student, number;
  std::string file = {};   ///< Canvas: the file's own name
  std::string order = {};  ///< attempts of one student come in this order
};

/// Numbers of equal length compare as text.
std::string padded(const std::string& number) {
  return std::string(number.size() < 20 ? 20 - number.size() : 0, '0') + number;
}

Name named(const fs::path& path) {
  const std::string whole = path.filename().string();
  static const Regex moodle(R"(^(.+)_(\d+)_assignsubmission_[a-z]+_?.*$)");
  if (const auto m = moodle.match(whole)) return {(*m)[1], (*m)[2]};
  static const Regex canvas(R"(^([^_]+)(?:_LATE)?_(\d+)_(\d+)_(.+?)(?:-(\d+))?(\.[A-Za-z.]+)$)");
  if (const auto m = canvas.match(whole)) return {(*m)[1], (*m)[2], (*m)[4] + (*m)[6], padded((*m)[3])};
  const std::string stem = whole.substr(0, whole.size() - archive_end(whole).size());
  static const Regex again(R"(^(.+?)[-_ ](?:attempt|try|v)?(\d{1,3})$)");
  if (const auto m = again.match(stem); m && !archive_end(whole).empty())
    return {(*m)[1], "", "", padded((*m)[2])};
  return {stem, ""};
}

/// The newest change of a file, or of the sources in a folder, or of the folder itself where it holds none; 0 where nothing is there.
std::time_t changed_at(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return 0;
  if (!S_ISDIR(status.st_mode)) return status.st_mtime;
  const std::time_t own = status.st_mtime;
  std::time_t newest = 0;
  std::error_code failed;
  fs::recursive_directory_iterator at(path, failed);
  for (int seen = 0; !failed && at != fs::recursive_directory_iterator() && seen < 5000; ++seen) {
    if (is_hidden(at->path())) {
      at.disable_recursion_pending();
    } else if ((is_source(at->path()) || is_archive(at->path())) && lstat(at->path().c_str(), &status) == 0) {
      newest = std::max(newest, status.st_mtime);
    }
    at.increment(failed);
  }
  return newest != 0 ? newest : own;
}

/// What the names of all git clones begin with, up to a "-": platforms put the assignment's name before the student's.
std::string assignment_of(const std::vector<fs::path>& entries) {
  std::string common;
  int clones = 0;
  for (const fs::path& entry : entries) {
    if (!is_git_clone(entry)) continue;
    const std::string name = entry.filename().string();
    if (clones++ == 0) common = name;
    common.resize(static_cast<std::size_t>(
        std::mismatch(common.begin(), common.end(), name.begin(), name.end()).first - common.begin()));
  }
  const std::size_t dash = common.rfind('-');
  return clones < 3 || dash == std::string::npos ? "" : common.substr(0, dash + 1);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed))
    if (!is_hidden(at->path())) entries.push_back(at->path());
  if (failed)
    throw Error(ErrorKind::usage, fmt::format("{} can't be read: {}.", shown(folder), failed.message()),
                "name the folder of the hand-ins");
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(fs::symlink_status(path, failed));
}

/// ada/1, ada/attempt2: a folder of nothing but numbered folders and archives.
std::vector<fs::path> attempts_in(const fs::path& folder) {
  static const Regex numbered(R"(^(?:attempt|try|v)?[-_ ]?\d{1,3}$)");
  std::vector<fs::path> attempts = entries_of(folder);
  const bool all = std::all_of(attempts.begin(), attempts.end(), [](const fs::path& path) {
    const std::string name = path.filename().string(), end = archive_end(name);
    return (is_folder(path) || !end.empty()) && numbered.match(name.substr(0, name.size() - end.size()));
  });
  return all ? attempts : std::vector<fs::path>{};
}

/// Moodle puts an archive into a folder of its own.
fs::path only_archive_in(const fs::path& folder) {
  const std::vector<fs::path> entries = entries_of(folder);
  return entries.size() == 1 && is_archive(entries.front()) && !is_folder(entries.front()) ? entries.front()
                                                                                           : folder;
}

}  // namespace

bool is_archive(const fs::path& file) {
  return !archive_end(file.filename().string()).empty();
}

std::vector<HandIn> find_hand_ins(const fs::path& folder, const std::vector<fs::path>& others) {
  struct Attempt {
    std::string order;
    std::time_t time = 0;
    std::vector<fs::path> paths;
    std::string note = {};
  };
  struct Found {
    std::string number;
    std::map<std::string, Attempt> attempts;  ///< by what sets them apart
  };
  std::map<std::string, Found> students;
  const auto add = [&](const Name& name, const std::string& key, const fs::path& path) {
    Found& student = students[name.student];
    if (student.number.empty()) student.number = name.number;
    Attempt& attempt = student.attempts[key];
    attempt.order = name.order;
    if (is_git_clone(path)) {
      const auto committed = last_commit(path);
      if (!committed)
        attempt.note =
            "git tells no time of its last commit, so the time of its newest file counts: look at it by "
            "hand.";
      attempt.time = std::max(attempt.time, committed ? *committed : changed_at(path));
    } else {
      attempt.time = std::max(attempt.time, changed_at(path));
    }
    attempt.paths.push_back(path);
  };
  if (!is_folder(folder))
    throw Error(ErrorKind::usage,
                fmt::format("{} is not a folder; expected one with a folder or an archive for each student.",
                            shown(folder)),
                "grader class DIR --lab LAB");
  const std::vector<fs::path> entries = entries_of(folder);
  const std::string assignment = assignment_of(entries);
  for (const fs::path& entry : entries) {
    const bool other = std::any_of(others.begin(), others.end(), [&](const fs::path& path) {
      std::error_code failed;
      return fs::equivalent(path, entry, failed);
    });
    if (other) continue;
    Name name = named(entry);
    if (is_git_clone(entry)) name = {entry.filename().string().substr(assignment.size()), ""};
    if (is_folder(entry)) {
      const std::vector<fs::path> attempts = attempts_in(entry);
      for (const fs::path& attempt : attempts) {
        name.order = attempt.filename().string();
        std::erase_if(name.order, [](char c) { return c < '0' || c > '9'; });
        name.order = padded(name.order);
        add(name, attempt.filename(), attempt);
      }
      if (attempts.empty()) add(name, entry.filename(), only_archive_in(entry));
    } else if (is_archive(entry)) {
      add(name, entry.filename(), entry);
    } else if (is_source(entry) && !name.file.empty()) {
      add(name, name.order, entry);  // Canvas: the files of one attempt have its number
    }
  }
  std::vector<HandIn> out;
  for (auto& [id, student] : students) {
    std::vector<Attempt> attempts;
    for (auto& [key, attempt] : student.attempts) attempts.push_back(std::move(attempt));
    std::stable_sort(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
      return a.order != b.order ? a.order < b.order : a.time < b.time;
    });
    int count = 0;
    for (Attempt& attempt : attempts)
      out.push_back(
          {id, student.number, ++count, std::move(attempt.paths), utc_text(attempt.time), attempt.note});
  }
  if (out.empty())
    throw Error(ErrorKind::usage,
                fmt::format("{} has nothing that was handed in: no folder, no archive.", shown(folder)),
                "put a folder or an archive for each student there");
  return out;
}

std::vector<SubmissionFile> read_hand_in(const HandIn& hand_in) {
  const fs::path& first = hand_in.paths.front();
  const std::string next = "ask for it again, as a zip or tar.gz file of the sources alone";
  if (is_folder(first)) return read_files(first, next);
  if (hand_in.paths.size() == 1 && is_archive(first)) return read_archive(first);
  std::vector<SubmissionFile> files;
  for (const fs::path& path : hand_in.paths) {
    const Name name = named(path);
    files.push_back({name.file, read_file(path, submission_limits.file_bytes)});
  }
  return files;
}

}  // namespace grader
