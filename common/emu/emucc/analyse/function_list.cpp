#include "analyse/function_list.hpp"

#include <algorithm>

#include "parse/parameters.hpp"

namespace emucc {

FunctionList::FunctionList(const Syntax& syntax) : syntax_(syntax) {
  collect(0, syntax.size(), false);
  for (const Declaration& each : prototypes_)
    if (!is_defined(each)) undefined_.emplace(syntax_.at(each.name));
}

void FunctionList::collect(std::size_t begin, std::size_t end, bool in_class) {
  for (const Unit& unit : units_of(syntax_, begin, end)) {
    if (unit.kind == Unit::Kind::block || unit.kind == Unit::Kind::class_) {
      collect(unit.body + 1, std::min(syntax_.after(unit.body) - 1, unit.end),
              in_class || unit.kind == Unit::Kind::class_);
      continue;
    }
    const Declaration& found = unit.declaration;
    shared_ = shared_ || found.words.shared;
    if (found.name == npos || found.words.global) continue;
    if (found.kind == Declaration::Kind::prototype && found.words.device) prototypes_.push_back(found);
    if (found.kind != Declaration::Kind::function) continue;
    all_.push_back({found, !in_class && !shared_});
  }
}

/// True if the file defines a function of that name with as many parameters.
bool FunctionList::is_defined(const Declaration& prototype) const {
  const auto count = [&](const Declaration& each) {
    return each.parameters == npos ? 0 : read_parameters(syntax_, each.parameters).size();
  };
  return std::any_of(all_.begin(), all_.end(), [&](const DefinedFunction& each) {
    return syntax_.at(each.declaration.name) == syntax_.at(prototype.name) &&
           count(each.declaration) == count(prototype);
  });
}

}  // namespace emucc
