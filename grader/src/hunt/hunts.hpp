/// @file
/// The small right programs of `hunts/` and the mistakes that their TOML files declare.
///
///     hunts/kinds.toml     kinds of mistakes: title, first hint, the blank of a lab that teaches it
///     hunts/hunt.cuh       what all programs include; it never has a mistake
///     hunts/NAME.cu        a program that compares its result with the CPU's
///     hunts/NAME.toml      its title, its idea, its sizes and names, its mistakes
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/filesystem.hpp"
#include "catalog/text_change.hpp"

namespace grader {

struct HuntKind {
  std::string name;   ///< "barrier"
  std::string title;  ///< "a barrier is missing"
  std::string hint;   ///< where to look, but not the line
  std::string lab;    ///< id of the lab that teaches the kind
  int part = 0;       ///< the blank of that lab
};

struct HuntMistake {
  std::string name;  ///< unique in its program
  std::string kind;
  std::string why;   ///< one sentence, shown at the end
  std::string rule;  ///< of the checker's finding; empty: the checker finds nothing, but the result is wrong
  std::vector<TextChange> changes;
};

struct HuntProgram {
  std::string name;  ///< "reverse"
  std::string title;
  std::string idea;                                        ///< one or two sentences about what it computes
  std::string text;                                        ///< text of the right program
  std::map<std::string, std::vector<std::int64_t>> sizes;  ///< possible values of `constexpr int NAME = …;`
  std::vector<std::vector<std::string>> names;             ///< each: an identifier, then its other names
  std::vector<HuntMistake> mistakes;

  std::string file() const { return name + ".cu"; }
};

struct Hunts {
  std::string header;  ///< text of hunt.cuh
  std::vector<HuntKind> kinds;
  std::vector<HuntProgram> programs;

  /// @throws Error (usage) with "did you mean"
  const HuntKind& kind(const std::string& name) const;
  const HuntProgram& program(const std::string& name) const;
  const HuntMistake& mistake(const HuntProgram& program, const std::string& name) const;
};

/// @throws Error (usage) with file, line, caret and the expected form
Hunts read_hunts(const fs::path& folder);

}  // namespace grader
