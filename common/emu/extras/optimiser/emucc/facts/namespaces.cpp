#include "facts/namespaces.hpp"

#include <algorithm>

#include "parse/variables.hpp"

namespace emucc {

std::string namespace_around(const std::string& scope) {
  return scope.substr(0, std::min(scope.rfind("::"), scope.size()));
}

bool is_around(const std::string& outer, const std::string& inner) {
  return inner.compare(0, outer.size(), outer) == 0 &&
         (inner.size() == outer.size() || inner.compare(outer.size(), 2, "::") == 0);
}

Namespaces::Namespaces(const Syntax& syntax) : syntax_(syntax) {
  collect(0, syntax.size(), "", false);
}

// ---- declarations

void Namespaces::collect(std::size_t begin, std::size_t end, const std::string& scope, bool in_class) {
  for (const Unit& unit : units_of(syntax_, begin, end)) {
    const Declaration& found = unit.declaration;
    if (unit.kind == Unit::Kind::block) {
      std::string inner = scope;
      const std::string suffix = namespace_suffix(syntax_, unit.begin, unit.body);
      for (std::size_t i = unit.begin; i < unit.body && !suffix.empty(); ++i) {
        if (!syntax_.is_name(i)) continue;
        note(inner, i, i);
        inner += "::" + std::string(syntax_.at(i));
      }
      collect(unit.body + 1, syntax_.after(unit.body) - 1, scope + suffix, in_class);
      continue;
    }
    const bool function = found.kind == Declaration::Kind::function ||
                          (found.kind == Declaration::Kind::prototype && found.name != npos);
    if (function || found.kind == Declaration::Kind::variable || found.kind == Declaration::Kind::class_)
      members_.push_back({found, scope, in_class});
    if (unit.kind == Unit::Kind::class_) {
      const std::size_t close = std::min(syntax_.after(unit.body) - 1, unit.end);
      collect(unit.body + 1, close, scope, true);
    }
    if (in_class) continue;
    if (function) {
      if (found.name != npos && !syntax_.is(found.name - 1, "::")) note(scope, found.name, found.begin);
    } else if (found.kind == Declaration::Kind::variable) {
      note_variables(unit, scope);
    } else {
      note_other(unit, scope);
    }
  }
}

void Namespaces::note(const std::string& scope, std::size_t name, std::size_t from) {
  if (!syntax_.is_name(name)) return;
  Declared& known = names_[std::string(syntax_.at(name))][scope];
  known.from = std::min(known.from, from);
}

/// Records a forward declaration of a class.
void Namespaces::announce(const std::string& scope, std::size_t name, std::size_t from) {
  Declared& known = names_[std::string(syntax_.at(name))][scope];
  known.announced = std::min(known.announced, from);
}

void Namespaces::note_variables(const Unit& unit, const std::string& scope) {
  const Word first = syntax_.word(unit.begin);
  const bool key = first == Word::class_key || first == Word::enumeration;
  if (key && syntax_.is(unit.begin + 2, ";")) {  // struct S;
    return announce(scope, unit.begin + 1, unit.begin);
  }
  for (const Declarator& declarator : read_variables(syntax_, unit.begin, unit.end).declarators)
    if (declarator.name != npos) note(scope, declarator.name, unit.begin);
}

/// Records classes, enumerations, and other names of types and namespaces.
void Namespaces::note_other(const Unit& unit, const std::string& scope) {
  std::size_t at = unit.begin;
  while (syntax_.word(at) == Word::template_ && syntax_.is(at + 1, "<") &&
         syntax_.template_close(at + 1) != npos)
    at = syntax_.template_close(at + 1) + 1;
  if (syntax_.word(at) == Word::using_) return note_using(unit, scope);
  if (syntax_.word(at) == Word::namespace_) return note(scope, at + 1, unit.begin);  // namespace a = b::c;
  const bool is_typedef = syntax_.word(at) == Word::typedef_;
  std::size_t key = at;
  while (key < unit.end && syntax_.word(key) != Word::class_key && syntax_.word(key) != Word::enumeration)
    key = syntax_.after(key);
  if (key < unit.end) {  // the name before `{`, `:` or `;`
    std::size_t name = key + 1, open = key;
    while (open < unit.end && !syntax_.is(open, "{") && !syntax_.is(open, ";")) ++open;
    while (name < open && (syntax_.word(name) == Word::align || syntax_.word(name) == Word::class_key ||
                           syntax_.is(name, "alignas") || syntax_.is(name, "[")))
      name = syntax_.is(name, "[")       ? syntax_.after(name)
             : syntax_.is(name + 1, "(") ? syntax_.after(name + 1)
                                         : name + 1;
    if (syntax_.is(open, "{")) note(scope, name, unit.begin);
    const bool scoped = syntax_.word(key + 1) == Word::class_key;
    if (syntax_.word(key) == Word::enumeration && !scoped && syntax_.is(open, "{"))
      note_enumerators(open, scope, unit.begin);
    if (!syntax_.is(open, "{")) {
      if (!is_typedef && syntax_.is(name + 1, ";")) announce(scope, name, unit.begin);
    } else if (!is_typedef) {  // struct { … } a, b;
      for (std::size_t i = syntax_.after(open); i < unit.end && !syntax_.is(i, "="); i = syntax_.after(i))
        note(scope, i, unit.begin);
    }
  }
  if (!is_typedef) return;
  std::size_t last = npos;  // typedef int A; typedef void (*F)(int);
  for (std::size_t i = at; i < unit.end; i = syntax_.after(i)) {
    if (syntax_.is(i, "(") && syntax_.is(i + 1, "*")) {
      last = i + 2;
      break;
    }
    if (syntax_.is_name(i)) last = i;
  }
  if (last != npos) note(scope, last, unit.begin);
}

void Namespaces::note_enumerators(std::size_t open, const std::string& scope, std::size_t from) {
  for (std::size_t i = open + 1; i < syntax_.partner(open); i = syntax_.after(i))
    if (syntax_.is(i - 1, "{") || syntax_.is(i - 1, ",")) note(scope, i, from);
}

/// Reads `using T = …;`, `using a::f;` or `using namespace a;`.
void Namespaces::note_using(const Unit& unit, const std::string& scope) {
  std::size_t at = unit.begin;
  while (syntax_.word(at) != Word::using_) ++at;
  if (syntax_.is(at + 2, "=")) return note(scope, at + 1, unit.begin);
  if (syntax_.word(at + 1) == Word::namespace_) {
    if (const auto name = named(at + 2, unit.end - 1, scope)) opened_.push_back({scope, *name, unit.begin});
    return;
  }
  std::size_t last = unit.end - 2;  // the name before `;`
  if (!syntax_.is_name(last) || !syntax_.is(last - 1, "::")) return;
  Declared& known = names_[std::string(syntax_.at(last))][scope];
  known.from = std::min(known.from, unit.begin);
  known.brought = true;
  if (const auto from = named(at + 1, last - 1, scope)) known.brought_from = *from;
}

// ---- meanings of names

const Namespaces::Declared* Namespaces::find(const std::string& scope, const std::string& name) const {
  const auto scopes = names_.find(name);
  if (scopes == names_.end()) return nullptr;
  const auto found = scopes->second.find(scope);
  return found == scopes->second.end() ? nullptr : &found->second;
}

bool Namespaces::declares(const std::string& scope, const std::string& name) const {
  return find(scope, name) != nullptr;
}

std::optional<std::string> Namespaces::declaring(const std::string& scope, const std::string& name) const {
  for (std::string each = scope;; each = namespace_around(each)) {
    if (declares(each, name)) return each;
    if (each.empty()) return std::nullopt;
  }
}

std::size_t Namespaces::usable_from(const std::string& scope, const std::string& name) const {
  const Declared* const found = find(scope, name);
  return found == nullptr ? npos : found->from != npos ? found->from : found->announced;
}

std::size_t Namespaces::count(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? 0 : found->second.size();
}

std::optional<std::string> Namespaces::named(std::size_t begin, std::size_t end,
                                             const std::string& scope) const {
  std::string inner;
  bool rooted = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (syntax_.is(i, "::")) {
      rooted = rooted || i == begin;
    } else {
      if (!syntax_.is_name(i)) return std::nullopt;
      inner += "::" + std::string(syntax_.at(i));
    }
  }
  if (rooted) return inner;
  if (inner.empty()) return std::nullopt;
  const std::string first = inner.substr(2, inner.find("::", 2) - 2);
  const auto around = declaring(scope, first);
  if (!around) return std::nullopt;
  return *around + inner;
}

std::vector<std::string> Namespaces::opened(const std::string& scope, std::size_t at) const {
  std::vector<std::string> all;
  for (const Opened& each : opened_)
    if (each.at < at && is_around(each.scope, scope)) all.push_back(each.name);
  return all;
}

std::vector<std::string> Namespaces::opened_within(std::size_t begin, std::size_t end,
                                                   const std::string& scope) const {
  std::vector<std::string> all;
  for (std::size_t i = begin; i + 2 < end; ++i) {
    if (syntax_.word(i) != Word::using_ || syntax_.word(i + 1) != Word::namespace_) continue;
    std::size_t close = i + 2;
    while (close < end && !syntax_.is(close, ";")) ++close;
    if (const auto name = named(i + 2, close, scope)) all.push_back(*name);
  }
  return all;
}

std::optional<std::string> Namespaces::brought(const std::string& scope, const std::string& name) const {
  const Declared* const found = find(scope, name);
  if (found == nullptr || !found->brought) return std::nullopt;
  return found->brought_from;
}

}  // namespace emucc
