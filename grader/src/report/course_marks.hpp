/// @file
/// The marks of several labs, with a line for each student, from the JSON that `grader class` wrote for each lab.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "base/terminal.hpp"

namespace grader {

struct CourseMarks {
  struct LabMarks {
    std::string lab;
    double max_points = 0;
    std::map<std::string, double>
        of;  ///< by student; without students who handed in nothing or were not graded
  };
  struct Student {
    std::string id, name, group;
  };
  std::vector<LabMarks> labs;     ///< in natural order
  std::vector<Student> students;  ///< by id

  double sum(const Student& student) const;
  double max_points() const;
};

/// @throws Error (usage) when a file is not such JSON, or a lab occurs twice
CourseMarks read_course_marks(const std::vector<fs::path>& files);

std::string course_marks_text(const CourseMarks& marks, const Style& style);
std::string course_marks_csv(const CourseMarks& marks);
/// A longtable with booktabs rules: the document needs both packages.
std::string course_marks_latex(const CourseMarks& marks);
nlohmann::json course_marks_json(const CourseMarks& marks);

}  // namespace grader
