// Finds facts about the variables of the copy, and gives a function's variables new names.
#include <algorithm>

#include "inline/inline_detail.hpp"

namespace emucc::detail {

// ---- facts about variables

void CallInliner::list_names(const Statement& statement, std::unordered_set<std::string>& names) const {
  for (const LocalName& name : statement.names) names.insert(spelled(name.name));
  for (const LocalName& name : statement.counters) names.insert(spelled(name.name));
  if (statement.kind == Kind::alias && is(statement.head, "using") && is(statement.head + 2, "="))
    names.insert(spelled(statement.head + 1));
  if (statement.kind == Kind::alias && is(statement.head, "typedef"))
    names.insert(spelled(statement.end - 2));
}

bool CallInliner::is_changed(std::size_t begin, std::size_t end, const std::string& name) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (!is(i, name) || is_member(i)) continue;
    std::size_t behind = i + 1;  // also the end of a member: from.first += 4
    while (is(behind, ".")) {
      behind += 2;
      while (is(behind, "[")) behind = syntax_.after(behind);
    }
    if (behind > i + 1 && is(behind, "(")) return true;
    if (syntax_.assignment_length(behind) > 0 && (behind > i + 1 || !is_declared_type_before(i))) return true;
    if (is(behind, "++") || is(behind, "--") || is(i - 1, "++") || is(i - 1, "--")) return true;
    if (is(i - 1, "&") && !is(i + 1, "[")) return true;
    if (is(i - 1, "(") && (is(i - 2, "sizeof") || is(i - 2, "decltype"))) return true;
    const bool argument = (is(i - 1, "(") || is(i - 1, ",")) && (is(i + 1, ")") || is(i + 1, ","));
    if (argument && may_be_bound(begin, i)) return true;
  }
  return false;
}

bool CallInliner::is_declared_type_before(std::size_t name) const {
  return syntax_.is_identifier(name - 1) ? !is(name - 1, "return") && !is(name - 1, "else")
                                         : is(name - 1, "*") || is(name - 1, ">");
}

bool CallInliner::may_be_bound(std::size_t begin, std::size_t at) const {
  int depth = 0;
  for (std::size_t i = at; i-- > begin;) {
    if (is(i, ";") || is(i, "{") || is(i, "}")) return false;
    if (is(i, ")")) ++depth;
    if (!is(i, "(") || depth-- > 0) continue;
    std::size_t callee = i - 1;
    if (is(callee, ">") && syntax_.template_open(callee) != npos) callee = syntax_.template_open(callee) - 1;
    const auto known = names_.reference_parameters.find(spelled(callee));
    return known != names_.reference_parameters.end() && known->second != 0;
  }
  return false;
}

void CallInliner::declare_parameter(const Parameter& parameter, const Frame& frame, const std::string& name) {
  Variable variable;
  if (!parameter.reference && !parameter.parenthesised && !parameter.pack)
    variable.element = element_type(parameter.begin, parameter.name, frame);
  variable.dimensions = parameter.pointers + (parameter.array ? 1 : 0);
  variable.changes = is_changed(frame.begin, frame.end, spelled(parameter.name));
  note(name, variable);
}

void CallInliner::declare(const Statement& statement, const std::vector<LocalName>& names,
                          const Frame& frame) {
  for (const LocalName& name : names) {
    Variable variable;
    if (!name.reference) variable.element = element_type(statement.type, statement.type_end, frame);
    for (std::size_t i = name.begin; i < name.name; ++i) variable.dimensions += is(i, "*") ? 1 : 0;
    for (std::size_t i = name.name + 1; i < name.end; i = syntax_.after(i))
      if (is(i, "[")) ++variable.dimensions, variable.is_array = true;
    variable.changes = is_changed(frame.begin, frame.end, spelled(name.name));
    const auto renamed = frame.replaced.find(spelled(name.name));
    note(renamed == frame.replaced.end() ? spelled(name.name) : text(renamed->second), variable);
  }
}

void CallInliner::note(const std::string& name, const Variable& variable) {
  const auto [known, is_new] = variables_.emplace(name, variable);
  if (is_new) return;
  if (known->second.element != variable.element || known->second.dimensions != variable.dimensions)
    known->second.element.clear();  // two variables of one name
  known->second.changes = true;
}

std::string CallInliner::element_type(std::size_t begin, std::size_t end, const Frame& frame) const {
  std::string type;
  for (std::size_t i = begin; i < end; ++i) {
    if (is(i, "auto") || is(i, "decltype")) return {};
    const Word word = syntax_.word(i);
    if (is(i, "const") || is(i, "*") || is(i, "&") || is(i, "__restrict__") || is(i, "__restrict") ||
        is(i, "volatile") || word == Word::shared || word == Word::extern_ || word == Word::constexpr_ ||
        is(i, "register") || is(i, "typename") || word == Word::dropped)
      continue;
    if (word == Word::align) {
      i = syntax_.after(i + 1) - 1;
      continue;
    }
    const auto renamed = frame.replaced.find(spelled(i));
    type += renamed != frame.replaced.end() ? text(renamed->second) : spelled(i);
    type += ' ';
  }
  return type;
}

// ---- the names of a function

std::optional<std::string> CallInliner::meaning(const std::string& name, const std::string& scope,
                                                const std::vector<std::string>& opened) const {
  const auto found = namespaces_.declaring(scope, name);
  if (found && !found->empty()) return found;  // the name hides names of namespaces opened further outside
  for (const std::string& each : opened)
    if (namespaces_.declares(each, name)) return each;
  return found;
}

void CallInliner::root_names(std::size_t name, const std::vector<Statement>& body, Frame& frame) {
  std::unordered_set<std::string> own;
  for (const Statement& statement : body)
    for_each_statement(statement, [&](const Statement& each) { list_names(each, own); });
  for (const Parameter& parameter : frame.function->parameters)
    if (parameter.name != npos) own.insert(spelled(parameter.name));
  for (const auto& [replaced, tokens] : frame.replaced) own.insert(replaced);
  const std::string& scope = frame.function->scope;
  const auto opened = namespaces_.opened(scope, frame.begin);
  auto opened_here = namespaces_.opened(scope_, kernel_.begin);
  for (auto& each : namespaces_.opened_within(kernel_.body, kernel_.end, scope_))
    opened_here.push_back(std::move(each));
  for (std::size_t i = frame.begin; i < frame.end; ++i) {
    if (!syntax_.is_name(i) || is_member(i) || is(i - 1, "::") || own.count(spelled(i)) > 0) continue;
    if (i == frame.function->found.name || syntax_.is_built_in_variable(i)) continue;
    if (is_inlined(i)) continue;  // this name is looked up where the function is called
    const auto there = meaning(spelled(i), scope, opened), here = meaning(spelled(i), scope_, opened_here);
    const bool hidden = kernel_names_.count(spelled(i)) > 0;
    if (there && namespaces_.usable_from(*there, spelled(i)) > kernel_.begin)
      return refuse("'" + spelled(i) + "', which '" + spelled(name) + "' uses, is declared below the kernel",
                    name);
    if (!hidden && there == here) continue;
    // An unqualified call may mean a function of another namespace: the namespace of its argument's type.
    if (!there || (syntax_.call_open(i) != npos && namespaces_.count(spelled(i)) > 1))
      return refuse("'" + spelled(i) + "' is something else in '" + spelled(name) + "'", name);
    Tokens rooted;
    for (std::size_t at = 0; at < there->size(); at = std::min(there->find("::", at + 2), there->size())) {
      rooted.push_back(sign(i, "::"));
      rooted.push_back(
          word(i, there->substr(at + 2, std::min(there->find("::", at + 2), there->size()) - at - 2)));
    }
    rooted.push_back(sign(i, "::"));
    rooted.push_back(word(i, spelled(i)));
    own.insert(spelled(i));
    frame.replaced[spelled(i)] = std::move(rooted);
  }
}

void CallInliner::rename(const std::vector<Statement>& body, Frame& frame, const std::string& number) {
  // Each function has its own variables, and so has each instance of a template.
  std::string key = std::to_string(frame.function->found.name) + ";";
  for (const auto& [replaced, tokens] : frame.replaced) key += replaced + "=" + text(tokens) + ";";
  const std::string function = spelled(frame.function->found.name);
  const std::string instance = instance_of(*frame.function, key);
  std::unordered_set<std::string> names, shared;
  for (const Statement& statement : body)
    for_each_statement(statement, [&](const Statement& each) {
      if (each.kind == Kind::shared)
        for (const LocalName& one : each.names) shared.insert(spelled(one.name));
      list_names(each, names);
    });
  for (const Statement& statement : body)
    for_each_statement(statement, [&](const Statement& each) {
      for (std::size_t i = each.begin; each.kind == Kind::shared && i < each.end; ++i)
        if (names.count(spelled(i)) > 0 && shared.insert(spelled(i)).second)
          frame.constants.insert(spelled(i));
    });
  for (const std::string& one : names) {
    const std::string anew =
        shared.count(one) > 0 ? one + "_in_" + function + instance : "cuemu_" + number + "_" + one;
    frame.replaced[one] = {word(frame.function->found.name, anew)};
  }
}

std::string CallInliner::instance_of(const DeviceFunction& function, const std::string& key) {
  auto& known = instances_[spelled(function.found.name)];
  const auto found = std::find(known.begin(), known.end(), key);
  const auto index = found - known.begin();
  if (found == known.end()) known.push_back(key);
  return index == 0 ? "" : "_" + std::to_string(index + 1);
}

}  // namespace emucc::detail
