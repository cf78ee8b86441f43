/// @file
/// Which of many answers to the same question are more alike than chance makes them. README.md says how that is computed.
#pragma once
#include "similarity/winnowing.hpp"

namespace grader {

/// A text that belongs to an answer, such as what stands in one blank.
struct AnswerText {
  std::string place;        ///< "kernel.cu", for people
  unsigned first_line = 1;  ///< the number of its first line there
  std::string text;
};

/// One attempt. Those of one owner, a student or a group, are never compared with each other.
struct Answer {
  std::string owner;
  std::string name;  ///< for people: "ada, attempt 2"
  std::vector<AnswerText> texts;
};

/// What everybody may have: it makes nobody alike.
struct KnownTexts {
  std::vector<std::string> given;     ///< the skeleton's files
  std::vector<std::string> solution;  ///< counts as the answer of one more owner
};

struct SimilarityRules {
  Winnowing winnowing;
  /// A run of tokens that more than this share of all owners have, and more than `few`, is common.
  double common = 0.25;
  std::size_t few = 3;
  /// How many pairs of a class in which nobody copied are listed, on average over many such classes.
  double by_chance = 0.01;
  std::size_t longest_list =
      100;                   ///< a run that more owners have leads to no pair: what is looked at stays linear
  std::size_t attempts = 4;  ///< of each owner the last so many
  std::size_t tokens = 50'000;  ///< of each attempt the first so many
};

/// Lines that two answers share.
struct Passage {
  std::size_t text_a = 0, text_b = 0;  ///< index in Answer::texts
  unsigned first_a = 0, last_a = 0;    ///< lines of the text, from 1
  unsigned first_b = 0, last_b = 0;
  std::size_t tokens = 0;  ///< so many are new
};

/// Two answers that are more alike than chance makes them.
struct SimilarPair {
  std::size_t a = 0, b = 0;  ///< index in the answers
  std::size_t tokens = 0;    ///< so many new ones, see README.md
  double expected = 0;       ///< so many pairs of the class share as many by chance
  double share_a = 0;        ///< of a's own tokens (given and common ones left out) those that b has too
  double share_b = 0;
  std::vector<Passage> passages;  ///< the most telling first
};

struct Similarity {
  std::vector<SimilarPair> pairs;  ///< the most telling first; of two owners the pair of attempts that is
  std::size_t owners = 0;
};

/// Takes memory and time in proportion to the answers' length, but for the pairs that share a rare run of tokens.
Similarity find_similar(const std::vector<Answer>& answers, const KnownTexts& known,
                        const SimilarityRules& rules = {});

}  // namespace grader
