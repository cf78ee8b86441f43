// Both lists come from the platform, but students chose the names in them: unreadable entries are reported, never
// guessed.
#include "course/platform_list.hpp"

#include <fmt/format.h>

#include <array>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/regex.hpp"
#include "base/utc.hpp"
#include "course/class_file.hpp"
#include "course/csv_file.hpp"
#include "course/roster.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_list = 256 << 20;  // Gradescope's holds the whole output of its autograder

/// A YAML scalar on one line, as Ruby writes it.
std::string scalar(std::string_view text) {
  const std::string one(trimmed(text));
  if (one.size() < 2 || (one.front() != '\'' && one.front() != '"') || one.back() != one.front()) return one;
  const std::string inside = one.substr(1, one.size() - 2);
  if (one.front() == '\'') return replace_all(inside, "''", "'");
  std::string out;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '\\' && i + 1 < inside.size()) ++i;
    out += inside[i];
  }
  return out;
}

/// "2026-11-03 10:11:12.861687000 Z" or "… +01:00" in UTC; empty for no such time.
std::string ruby_time(const std::string& text) {
  static const Regex form(R"(^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)$)");
  const auto m = form.match(text);
  if (!m) return "";
  std::string zone = (*m)[3] == "UTC" ? "Z" : (*m)[3];
  if (zone.size() == 5) zone.insert(3, ":");
  const auto seconds = seconds_of((*m)[1] + "T" + (*m)[2] + zone);
  return seconds ? utc_text(static_cast<std::time_t>(*seconds)) : "";
}

}  // namespace

std::string moodle_time(const std::string& text) {
  static const std::array<const char*, 12> months = {"january",   "february", "march",    "april",
                                                     "may",       "june",     "july",     "august",
                                                     "september", "october",  "november", "december"};
  const std::string small = lower(text);
  static const Regex day_first(
      R"(^(?:[a-z]+, *)?(\d{1,2})\.? +([a-z]+),? +(\d{4}), +(\d{1,2}):(\d\d)(?::(\d\d))? *(am|pm)?$)");
  static const Regex month_first(
      R"(^(?:[a-z]+, *)?([a-z]+) +(\d{1,2}), +(\d{4}), +(\d{1,2}):(\d\d)(?::(\d\d))? *(am|pm)?$)");
  static const Regex digits(R"(^(\d{4})-(\d\d)-(\d\d)[ t](\d\d):(\d\d)(?::(\d\d))?$)");
  if (const auto m = digits.match(small))
    return fmt::format("{}-{}-{}T{}:{}:{}", (*m)[1], (*m)[2], (*m)[3], (*m)[4], (*m)[5],
                       m->has(6) ? (*m)[6] : "00");
  auto m = day_first.match(small);
  const bool has_day_first = m.has_value();
  if (!m) m = month_first.match(small);
  if (!m) return "";
  const std::string word = (*m)[has_day_first ? 2 : 1];
  std::size_t month = 0;
  while (month < months.size() && (word.size() < 3 || !std::string(months[month]).starts_with(word))) ++month;
  int hour = std::stoi((*m)[4]);
  if (m->has(7) && (hour < 1 || hour > 12)) return "";
  if (m->has(7)) hour = hour % 12 + ((*m)[7] == "pm" ? 12 : 0);
  if (month == months.size()) return "";
  return fmt::format("{}-{:02}-{:02}T{:02}:{}:{}", (*m)[3], month + 1, std::stoi((*m)[has_day_first ? 1 : 2]),
                     hour, (*m)[5], m->has(6) ? (*m)[6] : "00");
}

std::optional<PlatformList> read_moodle_worksheet(const fs::path& file, const InUtc& in_utc) {
  constexpr const char *identifier = "identifier", *modified = "last_modified_(submission)";
  CsvFile csv(file);
  CsvFile::Row row;
  if (!csv.next(row) || column_of(row, identifier) < 0 || column_of(row, modified) < 0) return std::nullopt;
  const CsvFile::Row head = row;
  PlatformList out;
  while (csv.next(row)) {
    const auto cell = [&](const char* name) { return row.cell(column_of(head, name)); };
    Listed line;
    Person& person = line.people.emplace_back();
    person = {.name = cell("full_name"), .number = participant_number(cell(identifier))};
    for (const char* const column : {"email_address", "username", "id_number"})
      if (std::string login = cell(column); !login.empty()) person.logins.push_back(std::move(login));
    if (const std::string text = cell(modified); text.find_first_of("0123456789") != std::string::npos) {
      line.received_at = in_utc(moodle_time(text));
      if (line.received_at.empty())
        out.remarks.push_back(
            fmt::format("{}:{}: \"{}\" is no time that the grader can read, so this student is not late. "
                        "Download the list "
                        "with Moodle in English.",
                        shown(file), row.line, printable(text)));
    }
    const std::string number = person.number;
    out.lines[number] = std::move(line);
  }
  return out;
}

PlatformList read_gradescope_list(const fs::path& file) {
  PlatformList out;
  Listed* folder = nullptr;
  bool in_people = false;
  static const Regex name_of_folder(R"(^(["']?)([^ "'#-][^"']*)\1: *$)");
  static const Regex key(R"(^  :?([a-z_]+): ?(.*)$)"), of_person(R"(^  (?:- |  ):?([a-z_]+): ?(.*)$)");
  for (const std::string& text : split_lines(read_file(file, largest_list))) {
    if (text.empty() || text.size() > Regex::longest_text) continue;
    if (text.front() != ' ') {
      const auto m = name_of_folder.match(text);
      folder = m ? &out.lines[(*m)[2]] : nullptr;
      in_people = false;
      continue;
    }
    if (folder == nullptr || (text.size() > 4 && text.compare(0, 5, "     ") == 0)) continue;
    if (const auto m = of_person.match(text); m && in_people) {
      if (text.compare(0, 4, "  - ") == 0) folder->people.emplace_back();
      if (folder->people.empty()) continue;
      Person& person = folder->people.back();
      const std::string value = scalar((*m)[2]);
      if ((*m)[1] == "name") person.name = value;
      if ((*m)[1] == "sid") person.number = value;
      if (((*m)[1] == "sid" || (*m)[1] == "email") && !value.empty()) person.logins.push_back(value);
    } else if (const auto own = key.match(text)) {
      in_people = (*own)[1] == "submitters";
      if ((*own)[1] != "created_at") continue;
      folder->received_at = ruby_time(scalar((*own)[2]));
      if (folder->received_at.empty())
        out.remarks.push_back(
            fmt::format("{}: \"{}\" is no time that the grader can read: nothing is late there.", shown(file),
                        printable((*own)[2])));
    }
  }
  return out;
}

}  // namespace grader
