/// @file
/// Finds answers to the same question that are more alike than chance. README.md explains the computation.
#pragma once
#include "similarity/winnowing.hpp"

namespace grader {

/// A text of an answer, such as the content of one blank.
struct AnswerText {
  std::string place;        ///< "kernel.cu", for messages
  unsigned first_line = 1;  ///< the number of its first line there
  std::string text;
};

/// One attempt. Attempts of one owner, a student or a group, are never compared with each other.
struct Answer {
  std::string owner;
  std::string name;  ///< for messages: "ada, attempt 2"
  std::vector<AnswerText> texts;
};

/// Texts that every owner may have, and that are therefore no evidence.
struct KnownTexts {
  std::vector<std::string> given;     ///< the skeleton's files
  std::vector<std::string> solution;  ///< counts as the answer of one more owner
};

struct SimilarityRules {
  Winnowing winnowing;
  /// A run of tokens is common if more than this share of all owners, and more than `few`, have it.
  double common = 0.25;
  std::size_t few = 3;
  /// The average number of listed pairs in a class without copying.
  double by_chance = 0.01;
  std::size_t longest_list = 100;  ///< a run with more owners leads to no pair: the work stays linear
  std::size_t attempts = 4;        ///< last attempts of each owner that are read
  std::size_t tokens = 50'000;     ///< first tokens of each attempt that are read
};

/// Lines that two answers have in common.
struct Passage {
  std::size_t text_a = 0, text_b = 0;  ///< index in Answer::texts
  unsigned first_a = 0, last_a = 0;    ///< lines of the text, from 1
  unsigned first_b = 0, last_b = 0;
  std::size_t tokens = 0;  ///< number of new tokens
};

/// Two answers that are more alike than chance.
struct SimilarPair {
  std::size_t a = 0, b = 0;  ///< index in the answers
  std::size_t tokens = 0;    ///< number of new tokens, see README.md
  double expected = 0;       ///< expected number of pairs in the class that share as many by chance
  double share_a = 0;        ///< fraction of a's tokens, except given and common ones, that b also has
  double share_b = 0;
  std::vector<Passage> passages;  ///< the strongest evidence first
};

struct Similarity {
  /// the pairs, the strongest evidence first; for two owners, only their strongest pair of attempts
  std::vector<SimilarPair> pairs;
  std::size_t owners = 0;
};

/// Finds the similar pairs. Memory and time are linear in the length of the answers, except for the pairs that share
/// a rare run of tokens.
Similarity find_similar(const std::vector<Answer>& answers, const KnownTexts& known,
                        const SimilarityRules& rules = {});

}  // namespace grader
