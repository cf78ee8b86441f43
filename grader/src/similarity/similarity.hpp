/// @file
/// Finds answers to the same question that are more alike than chance. README.md explains the computation.
#pragma once
#include "similarity/winnowing.hpp"

namespace grader {

/// A text of an answer, such as the content of one blank.
struct AnswerText {
  std::string place;        ///< "kernel.cu", for messages
  unsigned first_line = 1;  ///< line number of its beginning in that file
  std::string text;
};

/// One attempt. Attempts of the same owner, who is a student or a group, are never compared with each other.
struct Answer {
  std::string owner;
  std::string name;  ///< for messages: "ada, attempt 2"
  std::vector<AnswerText> texts;
};

/// Texts that every owner may have, and that are therefore no evidence of copying.
struct KnownTexts {
  std::vector<std::string> given;     ///< the skeleton's files
  std::vector<std::string> solution;  ///< counts as the answer of one more owner
};

struct SimilarityRules {
  Winnowing winnowing;
  /// A run of tokens is common if more owners than `few`, and more than this fraction of all owners, have it.
  double common = 0.25;
  std::size_t few = 3;
  /// The expected number of listed pairs in a class in which no one copied.
  double by_chance = 0.01;
  std::size_t longest_list = 100;  ///< a run with more owners leads to no pair, so that the work stays linear
  std::size_t attempts = 4;        ///< number of each owner's last attempts that are read
  std::size_t tokens = 50'000;     ///< number of each attempt's first tokens that are read
};

/// Lines that two answers have in common.
struct Passage {
  std::size_t text_a = 0, text_b = 0;  ///< indices in Answer::texts
  unsigned first_a = 0, last_a = 0;    ///< line numbers, from 1
  unsigned first_b = 0, last_b = 0;
  std::size_t tokens = 0;  ///< number of new tokens
};

/// Two answers that are more alike than chance.
struct SimilarPair {
  std::size_t a = 0, b = 0;  ///< indices in the answers
  std::size_t tokens = 0;    ///< number of new tokens, see README.md
  double expected = 0;       ///< number of pairs in the class that are expected to share as many by chance
  double share_a = 0;        ///< fraction of a's tokens that b also has, without given and common ones
  double share_b = 0;
  std::vector<Passage> passages;  ///< the strongest evidence first
};

struct Similarity {
  /// The pairs, the strongest evidence first. For two owners, only the pair of attempts with the strongest
  /// evidence.
  std::vector<SimilarPair> pairs;
  std::size_t owners = 0;
};

/// Finds the similar pairs. Memory and time are linear in the length of the answers, except for those pairs
/// that share a rare run of tokens.
Similarity find_similar(const std::vector<Answer>& answers, const KnownTexts& known,
                        const SimilarityRules& rules = {});

}  // namespace grader
