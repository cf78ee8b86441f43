/// @file
/// Regular expressions for lines of files and of other programs' output.
///
/// Only regex.cpp uses std::regex, since each other folder that used it would compile its templates again (2
/// s each). std::regex needs stack in proportion to the text, so a long text of a hostile file could crash
/// the grader.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace grader {

/// A match: group 0 is the whole match.
class RegexMatch {
 public:
  explicit RegexMatch(std::vector<std::optional<std::string>> groups) : groups_(std::move(groups)) {}
  /// Whether the group took part in the match.
  bool has(std::size_t group) const { return groups_.at(group).has_value(); }
  /// The group's text; empty if the group took no part in the match.
  std::string operator[](std::size_t group) const { return groups_.at(group).value_or(""); }

 private:
  std::vector<std::optional<std::string>> groups_;
};

class Regex {
 public:
  /// The length of the longest text that can match, in bytes.
  static constexpr std::size_t longest_text = 8192;

  /// @param expression in std::regex's ECMAScript syntax
  /// @throws std::regex_error for an invalid expression
  explicit Regex(const char* expression);
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;
  ~Regex();

  /// The groups, if the whole text matches.
  std::optional<RegexMatch> match(const std::string& text) const;
  /// The groups of the first match in the text.
  std::optional<RegexMatch> search(const std::string& text) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace grader
