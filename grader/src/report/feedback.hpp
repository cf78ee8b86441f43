/// @file
/// The feedback for one student of a class: the report on their grading, as text and as a page (page.hpp). It holds
/// nothing of other students, and of a hidden case only the verdict. A case that is visible after the due date is
/// shown in full once the student's own date has passed.
#pragma once
#include "course/course.hpp"

namespace grader {

struct Feedback {
  const Lab& lab;
  const GradedAttempt& attempt;
  const Mark& mark;
  bool past_due = false;  ///< for this student, extensions included
};

/// @param now UTC
Feedback feedback_on(const Lab& lab, const ClassFile& course, const GradedAttempt& attempt, const Mark& mark,
                     const std::string& now);

std::string feedback_text(const Feedback& feedback);
std::string feedback_page(const Feedback& feedback);

}  // namespace grader
