// Each entry of the folder becomes a piece with owner, attempt and time. When all pieces are known, the
// owners are matched with the class's students.
#include "course/hand_ins.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/regex.hpp"
#include "base/utc.hpp"
#include "course/file_name.hpp"
#include "course/git_clone.hpp"
#include "course/hand_in_files.hpp"
#include "course/identity.hpp"
#include "course/platform_list.hpp"
#include "course/receive.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

/// Pads a number, so that numbers sort as texts.
std::string padded(const std::string& number) {
  return std::string(number.size() < 20 ? 20 - number.size() : 0, '0') + number;
}

bool is_any_archive(const fs::path& path) {
  const std::string name = path.filename().string();
  return !archive_end(name).empty() || !unreadable_archive_end(name).empty();
}

/// When a file, or the newest source in a folder, was last changed. For a folder without sources, the
/// folder's own time; 0 if the path is missing.
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
    } else if ((is_named_as_source(at->path().filename().string()) || is_any_archive(at->path())) &&
               lstat(at->path().c_str(), &status) == 0) {
      newest = std::max(newest, status.st_mtime);
    }
    at.increment(failed);
  }
  return newest != 0 ? newest : own;
}

/// The common beginning of the names of all git clones, up to the last "-". Platforms put the assignment's
/// name before the student's.
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

/// The entries, sorted, without hidden entries and those that macOS adds.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator();
       at.increment(failed))
    if (!is_hidden(at->path()) && at->path().filename() != "__MACOSX") entries.push_back(at->path());
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

bool is_link(const fs::path& path) {
  std::error_code failed;
  return fs::is_symlink(fs::symlink_status(path, failed));
}

/// The file name without an archive's extension.
std::string stem_of(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.substr(0, name.size() - archive_end(name).size() - unreadable_archive_end(name).size());
}

/// The attempts in a folder that contains only numbered folders and archives, such as ada/1 and ada/attempt2.
std::vector<fs::path> attempts_in(const fs::path& folder) {
  static const Regex numbered(R"(^(?:attempt|try|v)?[-_ ]?\d{1,3}$)");
  std::vector<fs::path> attempts = entries_of(folder);
  const bool all = std::all_of(attempts.begin(), attempts.end(), [](const fs::path& path) {
    return (is_folder(path) || is_any_archive(path)) && numbered.match(stem_of(path));
  });
  return all ? attempts : std::vector<fs::path>{};
}

/// A part of an attempt.
struct Piece {
  fs::path path;
  Platform platform = Platform::none;
  std::vector<Person> people;  ///< the owner; several for a group
  std::string attempt;         ///< distinguishes attempts of the same student
  std::string order;           ///< attempts of one student are sorted by this, then by time
  std::time_t changed = 0;     ///< time of the file's last change; 0: unknown after a download
  std::string received_at = {};
  bool marked_late = false;
  std::string note = {};
};

/// Searches a folder of hand-ins.
class Finder {
 public:
  Finder(const std::vector<fs::path>& others, const ClassFile& course) : others_(others), course_(course) {
    others_.push_back(course.roster);
    others_.push_back(course.comments_file);
    for (const ReferenceFolder& one : course.references) others_.push_back(one.folder);
  }

  FoundHandIns find(const fs::path& folder) {
    look_at(folder);
    apply_worksheet();
    FoundHandIns out{gathered(), std::move(remarks_)};
    if (out.all.empty())
      throw Error(
          ErrorKind::usage,
          fmt::format("{} has nothing that was handed in: no folder, no archive, and no file under a name "
                      "that a platform gives.",
                      shown(folder)),
          "put a folder or an archive for each student there, or what your platform's download holds");
    remark_on(out);
    return out;
  }

 private:
  bool is_other(const fs::path& entry) const {
    return std::any_of(others_.begin(), others_.end(), [&](const fs::path& path) {
      std::error_code failed;
      return fs::equivalent(path, entry, failed);
    });
  }

  void look_at(const fs::path& folder) {
    const std::vector<fs::path> entries = entries_of(folder);
    const std::string assignment = assignment_of(entries);
    std::error_code failed;
    if (fs::exists(folder / gradescope_list, failed)) {
      add_gradescope(folder);
      return;
    }
    for (const fs::path& entry : entries) {
      if (is_other(entry)) continue;
      if (is_folder(entry) && fs::exists(entry / gradescope_list, failed)) {
        add_gradescope(entry);
      } else if (auto name = platform_name(entry, is_folder(entry))) {
        add_named(entry, *name);
      } else if (is_folder(entry) || is_any_archive(entry) ||
                 (is_link(entry) && fs::is_directory(entry, failed))) {
        add_plain(entry, assignment);
      } else if (!is_worksheet(entry)) {
        passed_over_.push_back(entry.filename().string());
      }
    }
  }

  bool is_worksheet(const fs::path& entry) {
    if (lower(entry.extension().string()) != ".csv" || is_link(entry)) return false;
    std::optional<PlatformList> list;
    try {
      list = read_moodle_worksheet(entry, [&](const std::string& time) { return in_utc(time); });
    } catch (const Error& e) {
      remarks_.push_back(fmt::format("{} It was not read.", e.what()));
      return true;
    }
    if (!list) return false;
    remarks_.insert(remarks_.end(), list->remarks.begin(), list->remarks.end());
    worksheet_.merge(list->lines);
    return true;
  }

  /// Platforms write local times. They are taken to be in the deadline's time zone.
  std::string in_utc(const std::string& local) const {
    if (local.empty()) return "";
    if (!course_.zone.empty()) {
      const auto seconds = seconds_of(local + course_.zone);
      return seconds ? utc_text(static_cast<std::time_t>(*seconds)) : "";
    }
    std::tm tm{};
    if (!seconds_of(local + "Z") || strptime(local.c_str(), "%Y-%m-%dT%H:%M:%S", &tm) == nullptr) return "";
    tm.tm_isdst = -1;
    return utc_text(std::mktime(&tm));
  }

  void add_named(const fs::path& entry, const PlatformName& name) {
    Piece piece{.path = entry,
                .platform = name.platform,
                .people = {name.person},
                .attempt = name.attempt,
                .order = name.attempt};
    piece.received_at = in_utc(name.local_time);
    piece.marked_late = name.is_late;
    pieces_.push_back(std::move(piece));
  }

  void add_gradescope(const fs::path& folder) {
    const PlatformList list = read_gradescope_list(folder / gradescope_list);
    remarks_.insert(remarks_.end(), list.remarks.begin(), list.remarks.end());
    for (const fs::path& entry : entries_of(folder)) {
      const std::string name = entry.filename().string();
      if (name == gradescope_list || is_other(entry)) continue;
      if (!is_folder(entry) && list.lines.count(name) == 0) {
        passed_over_.push_back(name);
        continue;
      }
      Piece piece{
          .path = entry, .platform = Platform::gradescope, .people = {}, .attempt = name, .order = ""};
      if (const auto line = list.lines.find(name); line != list.lines.end()) {
        piece.people = line->second.people;
        piece.received_at = line->second.received_at;
        piece.order = piece.received_at;
      }
      if (piece.people.empty()) {
        piece.people.push_back({.name = name, .number = ""});
        remarks_.push_back(
            fmt::format("{} does not say whose {} is.", shown(folder / gradescope_list), printable(name)));
      }
      pieces_.push_back(std::move(piece));
    }
    for (const auto& [name, line] : list.lines)
      if (std::error_code failed; name.find('/') == std::string::npos && !fs::exists(folder / name, failed))
        remarks_.push_back(fmt::format("{} names {}, which is not there.", shown(folder / gradescope_list),
                                       printable(name)));
  }

  void add_plain(const fs::path& entry, const std::string& assignment) {
    Piece piece{.path = entry,
                .people = {{.name = stem_of(entry), .number = ""}},
                .attempt = entry.filename(),
                .order = ""};
    Person& person = piece.people.front();
    if (is_git_clone(entry)) person.name = entry.filename().string().substr(assignment.size());
    if (is_folder(entry)) {
      const std::vector<fs::path> attempts = attempts_in(entry);
      for (const fs::path& attempt : attempts) {
        Piece one = piece;
        one.path = attempt;
        one.attempt = attempt.filename();
        one.order = attempt.filename().string();
        std::erase_if(one.order, [](char c) { return c < '0' || c > '9'; });
        one.order = padded(one.order);
        set_time(one);
        pieces_.push_back(std::move(one));
      }
      if (!attempts.empty() || all_taken_back(entry)) return;
    } else if (is_any_archive(entry)) {
      static const Regex again(R"(^(.+?)[-_ ](?:attempt|try|v)?(\d{1,3})$)");
      if (const auto m = again.match(person.name)) {
        person.name = (*m)[1];
        piece.order = padded((*m)[2]);
      }
    }
    set_time(piece);
    pieces_.push_back(std::move(piece));
  }

  static void set_time(Piece& piece) {
    piece.changed = changed_at(piece.path);
    if (!is_git_clone(piece.path)) return;
    const auto committed = last_commit(piece.path);
    if (committed)
      piece.changed = *committed;
    else
      piece.note =
          "git gives no time of its last commit, so the time of its newest file counts: look at it by hand.";
  }

  void apply_worksheet() {
    for (Piece& piece : pieces_) {
      if (piece.platform != Platform::moodle || piece.people.front().number.empty()) continue;
      const auto line = worksheet_.find(piece.people.front().number);
      if (line == worksheet_.end()) continue;
      piece.received_at = line->second.received_at;
      Person& person = piece.people.front();
      person.logins = line->second.people.front().logins;
      if (!line->second.people.front().name.empty()) person.name = line->second.people.front().name;
      handed_in_.insert(person.number);
    }
  }

  std::vector<HandIn> gathered() {
    struct Attempt {
      HandIn hand_in;
      std::string order;
      std::time_t changed = 0;
    };
    std::vector<Person> people;
    for (const Piece& piece : pieces_) people.insert(people.end(), piece.people.begin(), piece.people.end());
    const std::vector<std::string> ids = ids_of(people, course_.students);
    std::map<std::string, std::map<std::string, Attempt>> students;  // by Piece::attempt
    std::size_t at = 0;
    for (const Piece& piece : pieces_)
      for (const Person& person : piece.people) {
        const std::string& id = ids[at++];
        Attempt& attempt = students[id][key_of(person) + "/" + piece.attempt];
        attempt.order = piece.order;
        attempt.changed = std::max(attempt.changed, piece.changed);
        HandIn& hand_in = attempt.hand_in;
        hand_in.student = id;
        if (hand_in.number.empty()) hand_in.number = person.number;
        hand_in.paths.push_back(piece.path);
        hand_in.note = piece.note;
        hand_in.marked_late = piece.marked_late;
        hand_in.received_at = std::max(hand_in.received_at, piece.received_at);
        if (piece.platform == Platform::none) {
          hand_in.received_at = utc_text(attempt.changed);
        } else if (hand_in.received_at.empty()) {
          without_time_.insert(piece.platform);
        }
      }
    std::vector<HandIn> out;
    for (auto& [id, by_key] : students) {
      std::vector<Attempt> attempts;
      for (auto& [key, attempt] : by_key) attempts.push_back(std::move(attempt));
      std::stable_sort(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
        return a.order != b.order ? a.order < b.order : a.changed < b.changed;
      });
      int count = 0;
      for (Attempt& attempt : attempts) {
        attempt.hand_in.attempt = ++count;
        out.push_back(std::move(attempt.hand_in));
      }
      const auto listed = course_.students.find(id);
      HandIn& last = out.back();
      if (listed != course_.students.end() && !listed->second.received_at.empty()) {
        last.received_at = listed->second.received_at;
        last.marked_late = false;
      }
      if (last.marked_late && due(course_, id))
        last.note =
            "Canvas marks it late and does not say how late: the least is taken off. received_at in the "
            "class "
            "file says when it came.";
    }
    return out;
  }

  void remark_on(FoundHandIns& out) const {
    const auto say = [&](const std::string& sentence) { out.remarks.push_back(sentence); };
    if (!passed_over_.empty())
      say(fmt::format(
          "Not read, since it has no name of a platform: {}. Put it into a folder with the student's name.",
          list_of(passed_over_, passed_over_.size())));
    std::vector<std::string> strangers;
    bool has_deadline = course_.deadline.has_value();
    for (const auto& [id, student] : course_.students) has_deadline |= student.deadline.has_value();
    for (const HandIn& one : out.all)
      if (one.attempt == 1 && course_.students.count(one.student) == 0) strangers.push_back(one.student);
    if (!course_.students.empty() && !strangers.empty())
      say(fmt::format("No student of the class file: {}. Give them a number or a name there.",
                      list_of(strangers, strangers.size())));
    std::vector<std::string> missing;
    for (const auto& [number, line] : worksheet_)
      if (handed_in_.count(number) == 0)
        missing.push_back(line.people.front().name.empty() ? number : line.people.front().name);
    if (!missing.empty())
      say(fmt::format("Moodle's list has no files of: {}.", list_of(missing, missing.size())));
    if (!has_deadline) return;
    if (without_time_.count(Platform::moodle) != 0)
      say("Moodle's files do not say when they were handed in, so these are not late. Put Moodle's grading "
          "worksheet "
          "(CSV, in English) beside them.");
    if (without_time_.count(Platform::canvas) != 0)
      say("Canvas's files do not say when they were handed in, so only those are late that Canvas marks "
          "LATE. received_at "
          "in the class file says a student's time.");
    if (without_time_.count(Platform::gradescope) != 0)
      say(fmt::format(
          "{} does not say when some were handed in, so these are not late. received_at in the class file "
          "says a student's time.",
          gradescope_list));
  }

  std::vector<fs::path> others_;
  const ClassFile& course_;
  std::vector<Piece> pieces_;
  std::map<std::string, Listed> worksheet_;  ///< by the participant's number
  std::set<std::string> handed_in_;          ///< worksheet's numbers of those who handed something in
  std::set<Platform> without_time_;
  std::vector<std::string> passed_over_, remarks_;
};

}  // namespace

FoundHandIns find_hand_ins(const fs::path& folder, const std::vector<fs::path>& others,
                           const ClassFile& course) {
  if (!is_folder(folder))
    throw Error(ErrorKind::usage,
                fmt::format("{} is not a folder; expected one with a folder or an archive for each student.",
                            shown(folder)),
                "grader class DIR --lab LAB; a platform's download is unpacked first");
  return Finder(others, course).find(folder);
}

}  // namespace grader
