/// @file
/// The questions of a hunt and their right answers: the line, the two threads of a race, the element of a stray access.
///
/// The planting gives the line, and the checker's finding gives the threads and elements. The trace of the
/// same run confirms threads and elements independently: it contains every access, and therefore all right
/// answers. A question that the trace does not confirm is left out.
#pragma once
#include <array>
#include <compare>
#include <set>

#include "hunt/trial.hpp"

namespace grader {

enum class Answered {
  right,
  shows,  ///< the mistake shows at this line, but its cause is elsewhere
  wrong,
};

struct ThreadName {
  std::array<unsigned, 3> block{}, thread{};
  auto operator<=>(const ThreadName&) const = default;
};

/// What the second question asks, and its right answers.
struct Clue {
  enum class About { nothing, threads, element } about = About::nothing;
  std::string question;
  std::string example;                                ///< an example of an answer
  bool blocks_differ = false;                         ///< whether the two threads are in different blocks
  std::array<unsigned, 3> block{};                    ///< otherwise the block of both threads
  std::set<std::pair<ThreadName, ThreadName>> pairs;  ///< right answers, each pair in both orders
  std::int64_t element = 0;
  std::string answer;  ///< the checker's answer
};

/// @param trial the run of the wrong program
Answered judge_line(const Planted& planted, const Trial& trial, unsigned line);
/// The lines of the mistake itself in words: the first and the last line that judge_line() accepts.
std::string lines_text(const Planted& planted);

/// The second question. Clue::nothing if no finding concerns threads or an element, or the trace does not
/// confirm the finding.
Clue clue_of(const Planted& planted, const Trial& trial);
/// @throws Error (usage) when the text is not an answer; its next step shows an example
Answered judge_clue(const Clue& clue, const std::string& text);

/// Whether the program is right: its result equals that of the CPU, and the checker has no findings.
bool is_mended(const Trial& trial);

/// The hints, from a first nudge to almost the answer: where to look, the function, the checker's finding.
/// @param finding the checker's finding in words
std::vector<std::string> hints_of(const HuntKind& kind, const Planted& planted, const Trial& trial,
                                  const std::string& finding);

}  // namespace grader
