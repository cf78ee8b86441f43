/// @file
/// `grader new-lab`: a small lab that works, to be changed into the one that its author has in mind.
#pragma once
#include "catalog/catalog.hpp"

namespace grader {

/// What was written.
struct NewLab {
  std::vector<fs::path> files;  ///< absolute, sorted
  std::string next_steps;       ///< several lines for the author: what to change, what to type
};

/// Writes `solutions/<id>-<name>/` (annotated source, wrong.toml) and `labs/<id>-<name>/` (handout, lab.toml,
/// oracle, levels) of a lab that scales a vector. It passes every check of the kit as it stands. All of it
/// appears or nothing: a full disk or Ctrl-C leaves no half of a lab.
/// @param levels 1 to 9
/// @throws Error (usage) for an id or a name that can't be one, an id that is taken, a folder that exists, a number of
///         levels out of range; (environment) when it can't be written
NewLab new_lab(const Kit& kit, const Catalog& catalog, const std::string& id, const std::string& name,
               int levels);

}  // namespace grader
