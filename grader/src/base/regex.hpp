/// @file
/// Regular expressions, for the lines of files and of other programs' output.
///
/// std::regex stays inside of regex.cpp: each room that used it would compile its templates again (2 s each), and it
/// needs stack in proportion to the text, so that a long line from a stranger could end the grader.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// What matched: group 0 is all of it.
class RegexMatch {
 public:
  explicit RegexMatch(std::vector<std::optional<std::string>> groups) : groups_(std::move(groups)) {}
  /// Whether the group took part in the match.
  bool has(std::size_t group) const { return groups_.at(group).has_value(); }
  /// Its text; empty where it took no part.
  std::string operator[](std::size_t group) const { return groups_.at(group).value_or(""); }

 private:
  std::vector<std::optional<std::string>> groups_;
};

class Regex {
 public:
  /// A longer text than this matches nothing.
  static constexpr std::size_t longest_text = 8192;

  /// @param expression in ECMAScript's syntax, as std::regex has it
  /// @throws std::regex_error when it is none
  explicit Regex(const char* expression);
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;
  ~Regex();

  /// The groups, when the whole text matches.
  std::optional<RegexMatch> match(const std::string& text) const;
  /// The groups of the first place in the text that matches.
  std::optional<RegexMatch> search(const std::string& text) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace grader
