/// @file
/// `grader new-lab` makes a small lab that works, which its author then changes.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// The files that new_lab() wrote.
struct NewLab {
  std::vector<fs::path> files;  ///< absolute, sorted
  std::string next_steps;       ///< several lines for the author: what to change, and commands to type
};

/// Writes `solutions/<id>-<name>/` (annotated source, wrong.toml) and `labs/<id>-<name>/` (handout, lab.toml,
/// oracle, levels) of a lab that scales a vector. It passes every check of the kit unchanged. It is written
/// completely or not at all, so a full disk or Ctrl-C leaves no part of it.
/// @param levels 1 to 9
/// @throws Error (usage) for an invalid or taken id, an invalid name, a folder that exists, a number of levels out of
///         range; (environment) when it can't be written
NewLab new_lab(const Kit& kit, const Catalog& catalog, const std::string& id, const std::string& name,
               int levels);

}  // namespace grader
