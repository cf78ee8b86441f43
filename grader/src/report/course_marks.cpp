#include "report/course_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/csv_row.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/markup.hpp"
#include "catalog/catalog.hpp"
#include "model/json.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_file = 1u << 30;

CourseMarks::LabMarks read_lab(const fs::path& file, std::map<std::string, CourseMarks::Student>& students) {
  const std::string next = "grader class DIR --lab LAB --report FOLDER, and name FOLDER/class.json";
  CourseMarks::LabMarks out;
  try {
    const nlohmann::json json = json_or_null(read_file(file, largest_file));
    if (json.value("kind", "") != "class" || json.value("format", 0) != 1)
      throw Error(ErrorKind::usage, fmt::format("{} is no report of a class.", shown(file)), next);
    out.lab = json.at("lab").get<std::string>();
    for (const nlohmann::json& one : json.at("students")) {
      const std::string id = one.at("student").get<std::string>();
      CourseMarks::Student& student = students[id];
      student.id = id;
      if (student.name.empty()) student.name = one.value("name", "");
      if (student.group.empty()) student.group = one.value("group", "");
      out.max_points = std::max(out.max_points, one.value("max_points", 0.0));
      if (one.value("counted", 0) != 0 || one.value("added", 0.0) != 0)
        out.of[id] = one.at("mark").get<double>();
    }
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorKind::usage,
                fmt::format("{} can't be read as a report of a class: {}.", shown(file), e.what()), next);
  }
  return out;
}

/// The heading, a line for each student, and the mean over students with a mark.
std::vector<std::vector<std::string>> lines_of(const CourseMarks& marks) {
  std::vector<std::string> head = {"Student", "Name", "Group"};
  for (const auto& lab : marks.labs) head.push_back(lab.lab);
  head.push_back("Sum");
  std::vector<std::string> most = {"of at most", "", ""};
  for (const auto& lab : marks.labs) most.push_back(points_text(lab.max_points));
  most.push_back(points_text(marks.max_points()));
  std::vector<std::vector<std::string>> out = {head, most};
  for (const auto& student : marks.students) {
    std::vector<std::string> line = {student.id, student.name, student.group};
    for (const auto& lab : marks.labs) {
      const auto mark = lab.of.find(student.id);
      line.push_back(mark == lab.of.end() ? "" : points_text(mark->second));
    }
    line.push_back(points_text(marks.sum(student)));
    out.push_back(std::move(line));
  }
  return out;
}

/// The lines without columns that are empty for all students.
std::vector<std::vector<std::string>> shown_lines(const CourseMarks& marks) {
  std::vector<std::vector<std::string>> lines = lines_of(marks);
  for (const std::size_t column : {std::size_t{2}, std::size_t{1}}) {
    const bool empty =
        std::all_of(lines.begin() + 1, lines.end(), [&](const auto& line) { return line[column].empty(); });
    if (empty)
      for (auto& line : lines) line.erase(line.begin() + static_cast<std::ptrdiff_t>(column));
  }
  return lines;
}

}  // namespace

double CourseMarks::sum(const Student& student) const {
  double out = 0;
  for (const LabMarks& lab : labs)
    if (const auto mark = lab.of.find(student.id); mark != lab.of.end()) out += mark->second;
  return out;
}

double CourseMarks::max_points() const {
  double out = 0;
  for (const LabMarks& lab : labs) out += lab.max_points;
  return out;
}

CourseMarks read_course_marks(const std::vector<fs::path>& files) {
  CourseMarks out;
  std::map<std::string, CourseMarks::Student> students;
  for (const fs::path& file : files) {
    CourseMarks::LabMarks lab = read_lab(file, students);
    const bool twice =
        std::any_of(out.labs.begin(), out.labs.end(), [&](const auto& one) { return one.lab == lab.lab; });
    if (twice)
      throw Error(ErrorKind::usage,
                  fmt::format("{} is a report of {}, and so is one before it.", shown(file), lab.lab),
                  "name one report for each lab");
    out.labs.push_back(std::move(lab));
  }
  std::sort(out.labs.begin(), out.labs.end(),
            [](const auto& a, const auto& b) { return natural_less(a.lab, b.lab); });
  for (auto& [id, student] : students) out.students.push_back(std::move(student));
  return out;
}

std::string course_marks_text(const CourseMarks& marks, const Style& style) {
  const auto lines = shown_lines(marks);
  std::vector<Align> alignment(lines.front().size(), Align::right);
  std::fill_n(alignment.begin(), lines.front().size() - marks.labs.size() - 1, Align::left);
  Columns columns(alignment);
  for (const auto& line : lines) {
    std::vector<std::string> cells;
    for (const std::string& cell : line) cells.push_back(cut_to(printable(cell), 24));
    columns.add(std::move(cells));
  }
  return columns.text(0, style.width);
}

std::string course_marks_csv(const CourseMarks& marks) {
  std::string out;
  for (const auto& line : lines_of(marks)) {
    for (std::size_t i = 0; i < line.size(); ++i) out += (i == 0 ? "" : ",") + csv_cell(line[i]);
    out += "\r\n";
  }
  return out;
}

std::string course_marks_latex(const CourseMarks& marks) {
  const auto lines = shown_lines(marks);
  const std::size_t texts = lines.front().size() - marks.labs.size() - 1;
  std::string out = "% \\usepackage{longtable,booktabs}\n\\begin{longtable}{" + std::string(texts, 'l') +
                    std::string(marks.labs.size() + 1, 'r') + "}\n\\toprule\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t k = 0; k < lines[i].size(); ++k) out += (k == 0 ? "" : " & ") + latex_text(lines[i][k]);
    out += " \\\\\n";
    if (i == 1) out += "\\midrule\n\\endhead\n";
  }
  return out + "\\bottomrule\n\\end{longtable}\n";
}

nlohmann::json course_marks_json(const CourseMarks& marks) {
  nlohmann::json labs = nlohmann::json::array(), students = nlohmann::json::array();
  for (const auto& lab : marks.labs) labs.push_back({{"lab", lab.lab}, {"max_points", lab.max_points}});
  for (const auto& student : marks.students) {
    nlohmann::json of = nlohmann::json::object();
    for (const auto& lab : marks.labs)
      if (const auto mark = lab.of.find(student.id); mark != lab.of.end()) of[lab.lab] = mark->second;
    students.push_back({{"student", student.id},
                        {"name", student.name},
                        {"group", student.group},
                        {"marks", of},
                        {"sum", marks.sum(student)}});
  }
  return {{"format", 1},
          {"kind", "marks"},
          {"labs", labs},
          {"students", students},
          {"max_points", marks.max_points()}};
}

}  // namespace grader
