/// @file
/// Extracts the ideas, figures and questions of a handout, as Markdown.
///
/// A handout has headings, paragraphs that begin with a bold phrase, figures in paragraphs of their own, and
/// a section that begins with "Questions". The outline finds these by their form, so a page that is made from
/// it changes with the text.
#pragma once
#include <string>
#include <vector>

namespace grader {

/// The numbered questions in the section of a handout that begins with "Questions". Each question is one
/// line.
std::vector<std::string> handout_questions(const std::string& handout);

struct OutlineFigure {
  std::string title;  ///< the bold phrase of the paragraph before it, or its heading
  std::string image;  ///< the image as in the handout: ![words](figures/x.svg)
};

struct Outline {
  std::string introduction;            ///< the first paragraph below the title
  std::vector<std::string> ideas;      ///< bold phrases of "What you need to know", each with its sentence
  std::vector<OutlineFigure> figures;  ///< in the order of the handout
  std::vector<std::string> questions;
};
Outline outline_of(const std::string& handout);

/// The text without its folds, whose hints a student opens one by one.
std::string without_folds(const std::string& handout);

}  // namespace grader
