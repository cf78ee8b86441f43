#include "parse/classes.hpp"

#include <algorithm>

#include "parse/statements.hpp"
#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"

namespace emucc {

std::vector<const Method*> Class::named(std::string_view wanted) const {
  std::vector<const Method*> found;
  for (const Method& each : methods)
    if (each.name == wanted) found.push_back(&each);
  return found;
}

std::vector<const Method*> Class::calls() const {
  std::vector<const Method*> found;
  for (const Method& each : methods)
    if (each.is_call) found.push_back(&each);
  return found;
}

const DataMember* Class::member(std::string_view wanted) const {
  for (const DataMember& each : members)
    if (each.name == wanted) return &each;
  return nullptr;
}

// ---- reading

namespace {

/// Finds the namespaces and classes around positions in a text. The positions must be queried in ascending
/// order.
class Surroundings {
 public:
  explicit Surroundings(const Syntax& syntax) : syntax_(syntax) {}

  std::vector<std::string_view> at(std::size_t place) {
    for (; next_ < place; ++next_) note(next_);
    while (!open_.empty() && open_.back().end <= place) open_.pop_back();
    std::vector<std::string_view> names;
    for (const Open& each : open_) names.push_back(each.name);
    return names;
  }
  void enter(std::string_view name, std::size_t brace) { open_.push_back({name, syntax_.after(brace)}); }

 private:
  struct Open {
    std::string_view name;
    std::size_t end;
  };
  void note(std::size_t token) {
    if (syntax_.word(token) != Word::namespace_) return;
    std::size_t brace = token + 1;
    while (syntax_.is_identifier(brace) || syntax_.is(brace, "::")) ++brace;
    if (!syntax_.is(brace, "{")) return;  // `namespace a = b;`
    while (!open_.empty() && open_.back().end <= token) open_.pop_back();
    for (std::size_t i = token + 1; i < brace; ++i)
      if (syntax_.is_identifier(i)) enter(syntax_.at(i), brace);
  }

  const Syntax& syntax_;
  std::vector<Open> open_;
  std::size_t next_ = 0;
};

/// Returns the position of a class's name; npos if the class has none. `key` is the position of its class
/// key.
std::size_t class_name(const Syntax& syntax, std::size_t key, std::size_t open) {
  for (std::size_t i = key + 1; i < open; i = syntax.after(i)) {
    if (syntax.is(i, ":")) break;
    const bool attribute = syntax.word(i) == Word::align || syntax.word(i) == Word::argument_keyword;
    if (syntax.is_name(i) && !attribute && syntax.word(i) == Word::none) return i;
  }
  return npos;
}

}  // namespace

Classes::Classes(const Syntax& syntax) : syntax_(syntax) {
  Surroundings surroundings(syntax);
  for (std::size_t i = 0; i < syntax.size(); ++i) {
    if (syntax.word(i) != Word::class_key || (i > 0 && syntax.word(i - 1) == Word::enumeration)) continue;
    const std::size_t open = syntax.class_body(i);
    if (open == npos || syntax.partner(open) == npos) continue;
    Class& found = all_.emplace_back();
    found.name = class_name(syntax, i, open);
    found.open = open;
    found.scopes = surroundings.at(i);
    if (found.name == npos) continue;
    read(found, found.name + 1);
    const std::string_view name = syntax.at(found.name);
    surroundings.enter(name, open);
    const auto [known, is_new] = by_name_.emplace(name, &found);
    if (!is_new || syntax.is(found.name + 1, "<")) known->second = nullptr;
  }
}

/// @param begin the token after the name
void Classes::read(Class& found, std::size_t begin) const {
  const std::size_t close = syntax_.partner(found.open);
  found.constructors.emplace();
  for (std::size_t i = begin; i < found.open; ++i)
    if (syntax_.is(i, ":")) {
      found.constructors.reset();
      read_bases(found, i + 1);
      break;
    }
  bool is_mutable = false;
  for (const Unit& unit : units_of(syntax_, found.open + 1, close)) {
    const Declaration& declaration = unit.declaration;
    if (declaration.kind == Declaration::Kind::function || declaration.kind == Declaration::Kind::prototype) {
      read_function(declaration, found);
      continue;
    }
    if (declaration.kind != Declaration::Kind::variable) continue;
    std::size_t at = unit.begin;
    bool is_static = false;  // no constructor initialises it
    for (;
         syntax_.is(at, "mutable") || syntax_.word(at) == Word::static_ || syntax_.word(at) == Word::inline_;
         ++at) {
      is_mutable = is_mutable || syntax_.is(at, "mutable");
      is_static = is_static || syntax_.word(at) == Word::static_;
    }
    Statement names;
    if (!read_declaration(syntax_, at, unit.end, names)) continue;
    for (const LocalName& name : names.names) {
      found.members.push_back(
          {syntax_.at(name.name), syntax_.tree().scopes().declared(names, name), declaration.words});
      for (std::size_t i = name.initialiser; i < name.initialiser_end && !is_static; ++i)
        if (syntax_.is(i, "(")) found.constructors.reset();  // int n = f();
    }
  }
  for (Method& each : found.methods) each.constant = each.constant && !is_mutable;
}

/// @param begin the token after the `:`
void Classes::read_bases(Class& found, std::size_t begin) const {
  for (std::size_t i = begin; i < found.open; i = syntax_.after(i)) {
    if (syntax_.is(i, "<") && syntax_.template_close(i) != npos) i = syntax_.template_close(i);
    const bool last = syntax_.is(i + 1, ",") || i + 1 == found.open;
    if (last) found.bases.push_back(name_of_type(syntax_, begin, i + 1));
    if (last) begin = i + 2;
  }
}

void Classes::read_function(const Declaration& found, Class& into) const {
  if (found.name == npos || syntax_.partner(found.parameters) == npos) return;
  if (syntax_.at(found.name) == syntax_.at(into.name)) {
    Constructor made;
    made.words = found.words;
    made.ends = syntax_.is(found.name - 1, "~");
    made.parameters = found.parameters;
    if (!read_constructor(made))
      into.constructors.reset();
    else if (into.constructors)
      into.constructors->push_back(std::move(made));
    return;
  }
  Method method;
  method.of = &into;
  method.words = found.words;
  method.name = syntax_.at(found.name);
  method.parameters = found.parameters;
  method.is_call = syntax_.word(found.name) == Word::operator_ && syntax_.is(found.name + 1, "(");
  for (std::size_t i = found.begin; i < found.name; ++i) {
    method.is_virtual = method.is_virtual || syntax_.is(i, "virtual");
    method.gives_address =
        method.gives_address || syntax_.is(i, "*") || syntax_.is(i, "&") || syntax_.is(i, "auto");
  }
  for (std::size_t i = syntax_.after(found.parameters); syntax_.is(i, "const") || syntax_.is(i, "noexcept");
       ++i)
    method.constant = method.constant || syntax_.is(i, "const");
  if (found.kind == Declaration::Kind::function && !method.is_virtual) method.body = found.body;
  into.methods.push_back(method);
}

/// Reads a constructor's text after the parameters.
bool Classes::read_constructor(Constructor& found) const {
  std::size_t at = syntax_.after(found.parameters);
  while (syntax_.is(at, "noexcept")) ++at;
  if (syntax_.is(at, "=")) return syntax_.is(at + 1, "default") || syntax_.is(at + 1, "delete");
  if (syntax_.is(at, ":")) {
    do {
      while (++at < syntax_.size() && !syntax_.is(at, "(") && !syntax_.is(at, "{") && !syntax_.is(at, ";")) {
      }
      if (syntax_.partner(at) == npos) return false;
      found.initialisers.emplace_back(at + 1, syntax_.partner(at));
      at = syntax_.after(at);
    } while (syntax_.is(at, ","));
  }
  found.body = at;
  return syntax_.is(at, "{") && syntax_.partner(at) != npos;
}

// ---- queries

const Class* Classes::named(std::size_t type) const {
  const auto found = by_name_.find(syntax_.at(type));
  if (found == by_name_.end() || found->second == nullptr) return nullptr;
  std::size_t name = type;
  for (auto scope = found->second->scopes.rbegin(); syntax_.is(name - 1, "::"); ++scope, name -= 2) {
    if (!syntax_.is_name(name - 2)) break;  // `::T`
    if (scope == found->second->scopes.rend() || *scope != syntax_.at(name - 2)) return nullptr;
  }
  return found->second;
}

const Class* Classes::of(const Expression& object, bool through_pointer) const {
  const Expression& bare = inside_parentheses(object);
  ValueType type = bare.type;
  if (bare.kind == ExpressionKind::member)
    if (const DataMember* const member = data_member(syntax_, bare)) type = member->type;
  if (type.name == npos || type.dimensions != 0 || type.pointers != (through_pointer ? 1 : 0)) return nullptr;
  return named(type.name);
}

std::size_t name_of_type(const Syntax& syntax, std::size_t begin, std::size_t end) {
  std::size_t last = end - 1;
  while (last > begin && syntax.is(last, "const")) --last;
  if (syntax.is(last, ">") && syntax.template_open(last) != npos) last = syntax.template_open(last) - 1;
  return last;
}

namespace {
const Class* class_of_object(const Syntax& syntax, const Expression& member) {
  return syntax.tree().classes().of(member.part(0), member.op == "->");
}
}  // namespace

std::vector<const Method*> called_methods(const Syntax& syntax, const Expression& member) {
  const Class* const found = class_of_object(syntax, member);
  return found == nullptr ? std::vector<const Method*>() : found->named(syntax.at(member.at));
}

const DataMember* data_member(const Syntax& syntax, const Expression& member) {
  const Class* const found = class_of_object(syntax, member);
  return found == nullptr ? nullptr : found->member(syntax.at(member.at));
}

const std::vector<Constructor>* constructors(const Syntax& syntax, std::size_t type) {
  const Class* const found = syntax.tree().classes().named(type);
  return found == nullptr || !found->constructors ? nullptr : &*found->constructors;
}

bool is_pointer_member(const Syntax& syntax, const Expression& member) {
  const DataMember* const found = data_member(syntax, member);
  return found != nullptr && found->type.pointers > 0 && found->type.dimensions == 0;
}

bool is_array_member(const Syntax& syntax, const Expression& member) {
  const DataMember* const found = data_member(syntax, member);
  return found != nullptr && found->type.pointers == 0 && found->type.dimensions > 0 &&
         !found->type.reference;
}

}  // namespace emucc
