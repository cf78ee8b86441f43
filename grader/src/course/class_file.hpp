/// @file
/// A class's settings, written once by the instructor, in class.toml beside the hand-ins:
///
///     format = 1
///     name = "gpu-2030"           # of the class on record; default: the folder of the hand-ins
///     lab = "lab2.1"
///     level = 1
///     deadline = "2030-01-31T23:59:00+01:00"
///     counts = "best"             # of several attempts: best (the default) or latest
///
/// quota = 10                  # hand-ins of a student in an hour, if a server takes them; default: any
/// number
///     expires = "2030-03-31T23:59:00+01:00"   # of the students' links to that server; default: never
///
///     students = "students.csv"   # a roster beside this file (roster.hpp); or [[student]], or both
///     comments = "comments.csv"   # comments and points by hand, beside this file (comments.hpp)
///
///     [late]
///     grace_hours = 12            # this long after the deadline nothing is lost
///     per_day = 0.1               # share of the points for each day begun after that
///     last_day = 3                # later than this many days: no points
///
///     [[student]]
///     id = "ada"                  # as the folders and archives name her
///     number = "12345"            # the platform's own
///     email = "ada@example.org"
///     name = "Ada Lovelace"
/// received_at = "2030-01-31T23:50:00+01:00"   # of the last attempt, if the platform's download has no time
///     extension_hours = 48
///     nickname = "Enchantress"    # on the leaderboard; "": not shown there. Default: her choice, or a made one
///
///     [ask]
///     points = 1                  # for the answers to `grader ask`; default: 0, they count for nothing
///
///     [leaderboard]
///     thresholds = [2, 1.2, 1]    # over the reference's time, as goals (the default)
///
///     [[reference]]
///     name = "Ref1"               # a line to beat on the leaderboard
///     folder = "ref1"             # with the blanks' files, beside this file; default: the lab's solution
///
///     [slurm]                     # the cluster for --executor slurm: SlurmSettings in slurm.hpp
///     partition = "gpu"
///     gres = "gpu:1"
///
/// Without this file, the class consists of all students who handed something in, and no hand-in is late.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "course/comments.hpp"
#include "course/slurm.hpp"

namespace grader {

struct Student {
  std::string id;
  std::string name;  ///< empty: the id is used
  std::string group = {};
  double extension_hours = 0;
  std::optional<std::int64_t> deadline = {};  ///< the student's own, instead of the class's
  std::optional<std::string> nickname = {};   ///< the nickname on the leaderboard; empty: not shown there
  std::string number = {};                    ///< the platform's number of the student
  std::string email = {};
  std::string received_at = {};  ///< UTC, of the last attempt; overrides the platform's; may be empty
};

struct LateRule {
  double grace_hours = 0;
  double per_day = 0;
  std::optional<double> last_day;  ///< no value: a late hand-in always keeps a share
};

struct ReferenceFolder {
  std::string name;
  fs::path folder;  ///< empty: the lab's solution
};

struct ClassFile {
  std::string name;  ///< the class's name in the records; empty: the name of the folder
  std::string lab;   ///< the lab's id; empty: the command line names the lab
  int level = 1;
  std::optional<std::int64_t> deadline;  ///< seconds since 1970, UTC; no value: there is none
  std::string zone;                      ///< the deadline's zone, "+01:00" or "Z"; may be empty
  bool latest_counts = false;
  LateRule late;
  double answer_points = 0;                      ///< points for right answers to `grader ask`
  std::vector<double> thresholds = {2, 1.2, 1};  ///< goals on the leaderboard: times the reference's time
  std::map<std::string, Student> students;       ///< by id
  fs::path roster;                               ///< the roster; empty: there is none
  fs::path comments_file;                        ///< the file of comments; empty: there is none
  std::vector<Comment> comments;                 ///< the comments in comments_file
  std::optional<int> quota;                      ///< hand-ins of a student in an hour that a server accepts
  std::optional<std::int64_t> links_expire;      ///< seconds since 1970, UTC
  std::vector<ReferenceFolder> references;
  SlurmSettings slurm;
};

/// @param file a class file as above, or a roster NAME.csv, which gives only the students and their own
///   deadlines
/// @throws Error (usage) with the place in the file
ClassFile read_class_file(const fs::path& file);

/// The time of "2030-01-31T23:59:00+01:00" or "…Z" in seconds since 1970. No value for any other text.
std::optional<std::int64_t> seconds_of(const std::string& time);

/// A student's deadline, without the late rule's hours of grace. No value if there is no deadline.
std::optional<std::int64_t> due(const ClassFile& course, const std::string& student);

/// The share of the points, 0 to 1, that remains for a hand-in at a given time. A hand-in without a known
/// time is not late. If the platform marks it late, it loses the smallest share that a late hand-in can lose.
double share_left(const ClassFile& course, const std::string& student, const std::string& received_at,
                  bool marked_late = false);

}  // namespace grader
