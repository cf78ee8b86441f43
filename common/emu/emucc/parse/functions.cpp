#include "parse/functions.hpp"

#include <algorithm>

#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"

namespace emucc {

Functions::Functions(const Syntax& syntax, const Classes& classes) : syntax_(syntax) {
  collect(0, syntax.size(), true, {});
  for (std::size_t i = 0; i + 1 < syntax.size(); ++i)
    if (syntax.word(i) == Word::using_)
      for (std::size_t k = i + 1; k < syntax.size() && !syntax.is(k, ";") && !syntax.is(k, "="); ++k)
        if (syntax.is(k + 1, ";")) brought_.insert(syntax.at(k));
  for (const Class& each : classes.all()) {
    const std::size_t close = syntax.partner(each.open);
    classes_.emplace_back(each.open, close);
    for (const Unit& unit : units_of(syntax, each.open + 1, close)) add(unit.declaration, true, false, {});
  }
}

void Functions::collect(std::size_t begin, std::size_t end, bool global, std::string_view space) {
  for (const Unit& unit : units_of(syntax_, begin, end)) {
    if (unit.kind == Unit::Kind::block) {
      const bool is_linkage = syntax_.word(unit.begin) == Word::extern_;
      const std::string_view name = is_linkage                       ? space
                                    : syntax_.is_name(unit.body - 1) ? syntax_.at(unit.body - 1)
                                                                     : std::string_view{};
      const std::size_t close = syntax_.after(unit.body) - 1;
      if (!is_linkage && !name.empty()) spaces_.push_back({name, unit.body, close});
      collect(unit.body + 1, close, global && is_linkage, name);
    } else if (unit.kind != Unit::Kind::class_) {
      add(unit.declaration, false, global, space);
    }
  }
}

void Functions::add(const Declaration& found, bool in_class, bool global, std::string_view space) {
  const bool function =
      found.kind == Declaration::Kind::function || found.kind == Declaration::Kind::prototype;
  if (!function || found.name == npos || found.parameters == npos) return;
  const bool defines_member = found.name > 0 && syntax_.is(found.name - 1, "::");
  if (defines_member) classes_.emplace_back(found.begin, found.end);
  if (found.words.device || found.words.constexpr_)  // no kernel can call others
    by_name_[syntax_.at(found.name)].push_back({found, in_class || defines_member, global, space});
}

const std::vector<OwnFunction>* Functions::named(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

bool Functions::is_in_class(std::size_t token) const {
  return std::any_of(classes_.begin(), classes_.end(),
                     [&](const auto& range) { return token >= range.first && token < range.second; });
}

bool Functions::reaches(std::size_t token, std::string_view space, std::string_view function) const {
  return space.empty() || brought_.count(space) > 0 || brought_.count(function) > 0 ||
         std::any_of(spaces_.begin(), spaces_.end(), [&](const Space& each) {
           return each.name == space && token >= each.begin && token < each.end;
         });
}

namespace {
enum class Qualifier : std::uint8_t { none, root, standard, other };

Qualifier qualifier_of(const Syntax& syntax, std::size_t name) {
  if (name == 0 || !syntax.is(name - 1, "::")) return Qualifier::none;
  if (name == 1) return Qualifier::root;
  const std::size_t before = name - 2;
  if (syntax.is(before, ">") && syntax.template_open(before) != npos) return Qualifier::other;
  if (!syntax.is_name(before)) return Qualifier::root;
  if (!syntax.is(before, "std")) return Qualifier::other;
  const Qualifier outer = qualifier_of(syntax, before);
  const bool of_cuda = outer == Qualifier::other && syntax.is(before - 2, "cuda");
  return outer == Qualifier::other && !of_cuda ? Qualifier::other : Qualifier::standard;
}
}  // namespace

bool may_be_own(const Syntax& syntax, std::size_t callee) {
  const Qualifier qualifier = qualifier_of(syntax, callee);
  if (qualifier == Qualifier::standard) return false;
  const Functions& functions = syntax.tree().functions();
  if (const auto* const all = functions.named(syntax.at(callee)))
    for (const OwnFunction& each : *all) {
      if (qualifier == Qualifier::root
              ? each.global && !each.in_class
              : qualifier == Qualifier::other || !each.in_class || functions.is_in_class(callee))
        return true;
    }
  // The callee is a local variable: a lambda, or a parameter that is a function object.
  return qualifier == Qualifier::none && syntax.tree().scopes().meaning(callee).declared != npos;
}

bool means_own(const Syntax& syntax, std::size_t callee) {
  if (!may_be_own(syntax, callee)) return false;
  const Functions& functions = syntax.tree().functions();
  const auto* const all = functions.named(syntax.at(callee));
  if (all == nullptr || qualifier_of(syntax, callee) != Qualifier::none) return true;
  return std::any_of(all->begin(), all->end(), [&](const OwnFunction& each) {
    return each.in_class ? functions.is_in_class(callee)
                         : functions.reaches(callee, each.space, syntax.at(callee));
  });
}

}  // namespace emucc
