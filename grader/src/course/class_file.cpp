// Times are whole seconds of UTC: moving a deadline or granting an extension changes points, not gradings.
#include "course/class_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/regex.hpp"
#include "base/utc.hpp"
#include "catalog/toml_reader.hpp"
#include "course/roster.hpp"

namespace grader {
namespace {

fs::path absolute_path(TomlTable& table, const char* key) {
  const fs::path path = table.text_or(key, "");
  if (!path.empty() && !path.is_absolute())
    table.fail(key, "expected a path from the root, such as \"/scratch/class\"");
  return path;
}

SlurmSettings read_slurm(TomlTable& table) {
  SlurmSettings out;
  out.partition = table.text_or("partition", "");
  out.gres = table.text_or("gres", "");
  out.time = table.text_or("time", "");
  out.memory = table.text_or("memory", "");
  out.account = table.text_or("account", "");
  out.qos = table.text_or("qos", "");
  out.options = table.texts("options");
  out.cpus = static_cast<int>(table.integer_or("cpus", out.cpus, 1, 1024));
  out.tasks = static_cast<int>(table.integer_or("tasks", out.tasks, 1, 1'000'000));
  out.at_once = static_cast<int>(table.integer_or("at_once", out.at_once, 0, 1'000'000));
  out.tries = static_cast<int>(table.integer_or("tries", out.tries, 1, 100));
  out.poll_s = table.number_or("poll_s", out.poll_s, 0.1);
  out.setup = table.text_or("setup", "");
  out.grader = absolute_path(table, "grader");
  out.shared = absolute_path(table, "shared");
  out.scratch = absolute_path(table, "scratch");
  table.finish();
  return out;
}

std::int64_t read_time(TomlTable& table, const char* key) {
  const auto out = seconds_of(table.text(key));
  if (!out) table.fail(key, "expected a time with its zone, such as \"2030-01-31T23:59:00+01:00\"");
  return *out;
}

}  // namespace

std::optional<std::int64_t> seconds_of(const std::string& time) {
  static const Regex form(R"((\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:\d\d))");
  const auto m = form.match(time);
  if (!m) return std::nullopt;
  const auto number = [&](int group) { return m->has(group) ? std::stoi((*m)[group]) : 0; };
  using namespace std::chrono;
  const year_month_day day{year(number(1)), month(static_cast<unsigned>(number(2))),
                           std::chrono::day(static_cast<unsigned>(number(3)))};
  if (!day.ok() || number(4) > 23 || number(5) > 59 || number(6) > 59) return std::nullopt;
  const std::string zone = (*m)[7];
  const std::int64_t ahead = zone == "Z" ? 0
                                         : (zone[0] == '-' ? -1 : 1) * (std::stoi(zone.substr(1, 2)) * 3600 +
                                                                        std::stoi(zone.substr(4, 2)) * 60);
  return sys_days(day).time_since_epoch().count() * std::int64_t{86400} + number(4) * 3600 + number(5) * 60 +
         number(6) - ahead;
}

ClassFile read_class_file(const fs::path& file) {
  if (file.extension() == ".csv") {
    ClassFile out;
    out.students = read_roster(file);
    out.roster = file;
    return out;
  }
  const TomlFile toml = TomlFile::read(file, 1);
  TomlTable root = toml.root();
  ClassFile out;
  root.integer("format", 1, 1);
  out.name = root.text_or("name", "");
  out.lab = root.text_or("lab", "");
  out.level = static_cast<int>(root.integer_or("level", 1, 1, 9));
  if (root.has("deadline")) {
    out.deadline = read_time(root, "deadline");
    const std::string written = root.text("deadline");
    out.zone = written.ends_with('Z') ? "Z" : written.substr(written.size() - 6);
  }
  out.latest_counts = root.choice("counts", {"best", "latest"}) == "latest";
  if (auto late = root.table("late")) {
    out.late.grace_hours = late->number_or("grace_hours", 0, 0);
    out.late.per_day = late->number_or("per_day", 0, 0);
    if (out.late.per_day > 1) late->fail("per_day", "expected a share of the points, 0 to 1");
    if (late->has("last_day")) out.late.last_day = late->number("last_day", 0);
    late->finish();
    if (!out.deadline) root.fail("late", "expected a deadline as well");
  }
  if (auto ask = root.table("ask")) {
    out.answer_points = ask->number("points", 0);
    ask->finish();
  }
  if (auto slurm = root.table("slurm")) out.slurm = read_slurm(*slurm);
  if (auto board = root.table("leaderboard")) {
    if (board->has("thresholds")) out.thresholds = board->numbers("thresholds", 0.001);
    board->finish();
  }
  if (root.has("quota")) out.quota = static_cast<int>(root.integer("quota", 1, 1'000'000));
  if (root.has("expires")) out.links_expire = read_time(root, "expires");
  for (TomlTable& table : root.tables("reference")) {
    ReferenceFolder one{table.text("name"), {}};
    if (table.has("folder")) one.folder = file.parent_path() / table.text("folder");
    table.finish();
    out.references.push_back(std::move(one));
  }
  for (TomlTable& table : root.tables("student")) {
    Student student;
    student.id = table.text("id");
    student.name = table.text_or("name", "");
    student.number = table.text_or("number", "");
    student.email = table.text_or("email", "");
    student.group = table.text_or("group", "");
    student.extension_hours = table.number_or("extension_hours", 0, 0);
    if (table.has("nickname")) student.nickname = table.text_or("nickname", "");
    if (table.has("received_at"))
      student.received_at = utc_text(static_cast<std::time_t>(read_time(table, "received_at")));
    if (!out.students.emplace(student.id, student).second)
      table.fail("id", fmt::format("\"{}\" is listed twice", student.id));
    table.finish();
  }
  if (root.has("students")) {
    out.roster = file.parent_path() / root.text("students");
    for (const auto& [id, listed] : read_roster(out.roster)) {
      Student& student = out.students.emplace(id, listed).first->second;
      // Entries in this file override the roster's for the same student.
      if (student.name.empty()) student.name = listed.name;
      if (student.number.empty()) student.number = listed.number;
      if (student.email.empty()) student.email = listed.email;
      if (student.group.empty()) student.group = listed.group;
      if (student.extension_hours == 0) student.extension_hours = listed.extension_hours;
      if (!student.deadline) student.deadline = listed.deadline;
    }
  }
  if (root.has("comments")) {
    out.comments_file = file.parent_path() / root.text("comments");
    out.comments = read_comments(out.comments_file);
  }
  root.finish();
  return out;
}

std::optional<std::int64_t> due(const ClassFile& course, const std::string& student) {
  const auto listed = course.students.find(student);
  const bool known = listed != course.students.end();
  const auto deadline = known && listed->second.deadline ? listed->second.deadline : course.deadline;
  if (!deadline) return std::nullopt;
  return *deadline + std::llround((known ? listed->second.extension_hours : 0) * 3600);
}

double share_left(const ClassFile& course, const std::string& student, const std::string& received_at,
                  bool marked_late) {
  const auto due_at = due(course, student);
  auto received = seconds_of(received_at);
  if (!received && marked_late && due_at) received = *due_at + 1;
  if (!due_at || !received) return 1;
  const double days = (static_cast<double>(*received - *due_at) - course.late.grace_hours * 3600) / 86400;
  if (days <= 0) return 1;
  if (course.late.last_day && days > *course.late.last_day) return 0;
  return std::max(0.0, 1 - course.late.per_day * std::ceil(days));
}

}  // namespace grader
