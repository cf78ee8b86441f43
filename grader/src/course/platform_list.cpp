// The platform makes both lists, but students choose the names in them. An entry that can't be read is
// reported, never guessed.
#include "course/platform_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/regex.hpp"
#include "base/utc.hpp"
#include "course/class_file.hpp"
#include "course/csv_file.hpp"
#include "course/moodle_columns.hpp"
#include "course/roster.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_list = 256 << 20;  // Gradescope's list has all output of its autograder

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

/// Converts "2026-11-03 10:11:12.861687000 Z" or "… +01:00" to UTC. Empty if the text is not such a time.
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

namespace {

/// The months in the languages of moodle_columns.hpp, in small letters.
constexpr std::array<std::initializer_list<const char*>, 12> months = {{
    {"january", "januar", "janvier", "enero", "gennaio", "januari", "janeiro"},
    {"february", "februar", "février", "febrero", "febbraio", "februari", "fevereiro"},
    {"march", "märz", "mars", "marzo", "maart", "março"},
    {"april", "avril", "abril", "aprile"},
    {"may", "mai", "mayo", "maggio", "mei", "maio"},
    {"june", "juni", "juin", "junio", "giugno", "junho"},
    {"july", "juli", "juillet", "julio", "luglio", "julho"},
    {"august", "août", "agosto", "augustus"},
    {"september", "septembre", "septiembre", "settembre", "setembro"},
    {"october", "oktober", "octobre", "octubre", "ottobre", "outubro"},
    {"november", "novembre", "noviembre", "novembro"},
    {"december", "dezember", "décembre", "diciembre", "dicembre", "dezembro"},
}};

/// The only month, from 1, that begins with this word of at least three letters. 0 if there is none.
int month_of(const std::string& word) {
  int found = 0;
  for (std::size_t i = 0; i < months.size() && word.size() >= 3; ++i) {
    const bool fits = std::any_of(months[i].begin(), months[i].end(),
                                  [&](const char* name) { return std::string(name).starts_with(word); });
    if (fits && found != 0) return 0;
    if (fits) found = static_cast<int>(i) + 1;
  }
  return found;
}

}  // namespace

std::string moodle_time(const std::string& text) {
  const std::string small = lower(text);
  static const Regex day_first(
      R"(^(?:[^0-9]* )?(\d{1,2})\.? +(?:de +)?([^ 0-9,.]+)[.,]? +(?:de +)?(\d{4}), +(\d{1,2}):(\d\d)(?::(\d\d))? *(am|pm)?$)");
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
  const int month = month_of((*m)[has_day_first ? 2 : 1]);
  int hour = std::stoi((*m)[4]);
  if (m->has(7) && (hour < 1 || hour > 12)) return "";
  if (m->has(7)) hour = hour % 12 + ((*m)[7] == "pm" ? 12 : 0);
  if (month == 0) return "";
  return fmt::format("{}-{:02}-{:02}T{:02}:{}:{}", (*m)[3], month, std::stoi((*m)[has_day_first ? 1 : 2]),
                     hour, (*m)[5], m->has(6) ? (*m)[6] : "00");
}

std::optional<PlatformList> read_moodle_worksheet(const fs::path& file, const InUtc& in_utc) {
  namespace moodle = moodle_columns;
  CsvFile csv(file);
  CsvFile::Row row;
  if (!csv.next(row)) return std::nullopt;
  const CsvFile::Row head = row;
  const int modified = column_of(head, moodle::modified);
  if (modified < 0) return std::nullopt;
  const int identifier = std::max(0, column_of(head, moodle::identifier));
  PlatformList out;
  while (csv.next(row)) {
    const auto cell = [&](moodle::Names names) { return row.cell(column_of(head, names)); };
    Listed line;
    Person& person = line.people.emplace_back();
    person = {.name = cell(moodle::full_name), .number = participant_number(row.cell(identifier))};
    for (const moodle::Names column : {moodle::email, moodle::username, moodle::id_number})
      if (std::string login = cell(column); !login.empty()) person.logins.push_back(std::move(login));
    if (const std::string text = row.cell(modified); text.find_first_of("0123456789") != std::string::npos) {
      line.received_at = in_utc(moodle_time(text));
      if (line.received_at.empty())
        out.remarks.push_back(
            fmt::format("{}:{}: \"{}\" is no time that the grader can read, so this student is not late. "
                        "Download the list with Moodle in English.",
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
