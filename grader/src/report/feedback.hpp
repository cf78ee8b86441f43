/// @file
/// The feedback for one student of a class: the report on the student's grading, as text and as a page (page.hpp). It
/// contains nothing about other students, and only the verdict of a hidden case. A case that is visible after the due
/// date is shown in full as soon as the student's own due date has passed.
#pragma once
#include "course/course.hpp"

namespace grader {

struct Feedback {
  const Lab& lab;
  const GradedAttempt& attempt;
  const Mark& mark;
  bool past_due = false;  ///< whether this student's due date has passed, extensions included
};

/// @param now UTC
Feedback feedback_on(const Lab& lab, const ClassFile& course, const GradedAttempt& attempt, const Mark& mark,
                     const std::string& now);

std::string feedback_text(const Feedback& feedback);
std::string feedback_page(const Feedback& feedback);

}  // namespace grader
