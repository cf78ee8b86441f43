/// @file
/// What one student of a class gets back: the words of a grading of their own, as text and as a page (page.hpp). Nothing in it is
/// of others, and of a hidden case only its verdict; a case that is visible after the due date is shown whole once that
/// student's own date has passed.
#pragma once
#include "course/course.hpp"

namespace grader {

struct Feedback {
  const Lab& lab;
  const GradedAttempt& attempt;
  const Mark& mark;
  bool past_due = false;  ///< for this student, extensions included
};

std::string feedback_text(const Feedback& feedback);
std::string feedback_page(const Feedback& feedback);

}  // namespace grader
