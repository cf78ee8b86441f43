#include "write/function_facts.hpp"

#include <algorithm>

#include "analyse/function_list.hpp"
#include "analyse/plain_loop.hpp"
#include "facts/memory_effects.hpp"
#include "facts/warp_uniformity.hpp"
#include "parse/variables.hpp"

namespace emucc::detail {

FunctionFacts::FunctionFacts(KernelWriter& core)
    : core_(core), syntax_(core.syntax()), namespaces_(syntax_), function_objects_(syntax_, namespaces_) {
  note_imports();
  note_device_functions();
  note_forward_functions();
}

FunctionFacts::Constants FunctionFacts::constants_of(const Declaration& function) const {
  Constants constants = constants_;
  for (std::size_t i = function.begin; i < function.parameters; ++i)
    constants.erase(std::string(syntax_.at(i)));
  return constants;
}

std::string FunctionFacts::explained(std::string refusal) const {
  std::string last = refusal;
  for (int depth = 0; depth < 5; ++depth) {
    const std::string stem = "it calls '";
    const std::size_t begin = last.find(stem);
    if (begin == last.npos) break;
    const std::string name =
        last.substr(begin + stem.size(), last.find('\'', begin + stem.size()) - begin - stem.size());
    const auto reason = blocking_reasons_.find(name);
    if (reason == blocking_reasons_.end()) break;
    last = reason->second;
    refusal += "; of '" + name + "': " + last;
  }
  return refusal;
}

// ---- functions that are called before they are defined

/// Fills device_functions_ for the whole file.
void FunctionFacts::note_device_functions() {
  std::unordered_map<std::string, std::vector<const NamespaceMember*>> prototypes;
  bool shared = false;  // a variable of a namespace, which later functions may mention
  for (const NamespaceMember& member : namespaces_.members()) {
    const Declaration& found = member.declaration;
    shared = shared || (found.words.shared && found.kind != Declaration::Kind::class_);
    if (member.in_class || found.name == Syntax::npos || found.parameters == Syntax::npos ||
        found.words.global)
      continue;
    const std::string name(syntax_.at(found.name));
    if (found.kind == Declaration::Kind::prototype && found.words.device) prototypes[name].push_back(&member);
    if (found.kind != Declaration::Kind::function || shared || !core_.is_device_function(found) ||
        syntax_.partner(found.parameters) == Syntax::npos)
      continue;
    DeviceFunction function{found, member.scope, found.begin, read_parameters(syntax_, found.parameters)};
    for (const NamespaceMember* const prototype : prototypes[name]) {
      const auto announced = read_parameters(syntax_, prototype->declaration.parameters);
      if (prototype->scope != member.scope || announced.size() != function.parameters.size()) continue;
      function.from = std::min(function.from, prototype->declaration.begin);
      for (std::size_t i = 0; i < announced.size(); ++i)
        if (announced[i].default_begin != Syntax::npos) {
          function.parameters[i].default_begin = announced[i].default_begin;
          function.parameters[i].default_end = announced[i].default_end;
        }
    }
    device_functions_[name].push_back(std::move(function));
  }
}

/// Finds the names of which all functions in the file have a property. The definition of the first function of a name
/// discards what was found. From there on the facts in note_function() apply.
void FunctionFacts::note_forward_functions() {
  const FunctionList functions(syntax_);
  if (!functions.has_prototypes()) return;
  for (const NamespaceMember& member : namespaces_.members()) {
    const Words& words = member.declaration.words;
    if (member.declaration.kind == Declaration::Kind::variable && (words.device || words.managed))
      for (const auto& declarator :
           read_variables(syntax_, member.declaration.begin, member.declaration.end).declarators)
        if (declarator.name != Syntax::npos) device_variables_.emplace(syntax_.at(declarator.name));
  }
  const auto is_known = [&](const DefinedFunction& each) {
    return each.known && core_.is_device_function(each.declaration);
  };
  std::size_t most = 0;
  do {
    most = nonblocking_.size() + confined_.size();
    auto nonblocking = functions.names_that(
        [&](const DefinedFunction& each) { return is_nonblocking(each.declaration, is_known(each)); });
    confined_ = functions.names_that(
        [&](const DefinedFunction& each) { return is_confined(each.declaration, is_known(each)); });
    nonblocking_ = std::move(nonblocking);
  } while (nonblocking_.size() + confined_.size() > most);
  all_nonblocking_ = nonblocking_;
  all_confined_ = confined_;
  for (const auto* names : {&nonblocking_, &confined_}) expected_.insert(names->begin(), names->end());
}

/// True if the function never waits; otherwise records the reason.
/// @param known it is a device function at namespace level
bool FunctionFacts::is_nonblocking(const Declaration& found, bool known) {
  const std::string name(syntax_.at(found.name));
  const std::string reason = known
                                 ? blocking_reason(syntax_, found.body + 1, found.end - 1, names(constants_))
                                 : "it is no plain function";
  if (!reason.empty()) blocking_reasons_[name] = reason;
  return reason.empty() &&
         !is_meeting_name(name);  // CUDA has this name; another call may call CUDA's function
}

bool FunctionFacts::is_confined(const Declaration& found, bool known) const {
  const std::string_view name = syntax_.at(found.name);
  return known && !is_meeting_name(name) && !is_acting_name(name) &&
         is_confined_function(syntax_, found.parameters, found.body + 1, found.end - 1, names(constants_));
}

namespace {
/// Records whether a function of that name has a property, as all of them must.
void note(const std::string& name, bool fits, std::unordered_set<std::string>& good,
          std::unordered_set<std::string>& bad) {
  if (!fits) {
    good.erase(name);
    bad.insert(name);
  } else if (bad.count(name) == 0) {
    good.insert(name);
  }
}
}  // namespace

// ---- what the text declares

void FunctionFacts::note_references(const Declaration& function) {
  if (function.parameters == Syntax::npos) return;
  reference_parameters_[std::string(syntax_.at(function.name))] |=
      reference_mask(read_parameters(syntax_, function.parameters));
}

void FunctionFacts::note_function(const Declaration& found, bool known) {
  const std::string name(syntax_.at(found.name));
  if (expected_.erase(name) > 0)
    for (auto* names : {&nonblocking_, &confined_}) names->erase(name);
  note_references(found);
  const bool nonblocking = is_nonblocking(found, known), confined = is_confined(found, known);
  note(name, nonblocking, nonblocking_, blocking_);
  note(name, confined, confined_, touching_);
}

void FunctionFacts::note_prototype(const Declaration& found) {
  note_references(found);
  const std::string name(syntax_.at(found.name));
  if (found.words.device && all_nonblocking_.count(name) == 0) note(name, false, nonblocking_, blocking_);
  if (found.words.device && all_confined_.count(name) == 0) note(name, false, confined_, touching_);
}

void FunctionFacts::note_warp_form(const std::string& name, bool has_form) {
  if (!has_form) {
    warp_functions_.erase(name);
    formless_.insert(name);
  } else if (formless_.count(name) == 0) {
    warp_functions_.insert(name);
  }
}

/// Notes `using a::f;`, which does not import the second form of f.
void FunctionFacts::note_imports() {
  for (std::size_t i = 0; i + 2 < syntax_.size(); ++i) {
    if (!syntax_.is(i, "using") || syntax_.word(i + 1) == Word::namespace_) continue;
    std::size_t last = i + 1;
    while (last < syntax_.size() &&
           (syntax_.is_identifier(last) || syntax_.is(last, "::") || syntax_.is(last, ",")))
      formless_.emplace(syntax_.at(last++));
  }
}

/// Records a constant that conditions may compare with, as in `constexpr int warp_width = 32;`.
void FunctionFacts::note_variable(const Declaration& found) {
  std::size_t sign = found.begin;
  while (sign < found.end && !syntax_.is(sign, "=") && !syntax_.is(sign, "{") && !syntax_.is(sign, "("))
    ++sign;
  if (sign >= found.end || sign == found.begin || !syntax_.is_name(sign - 1)) return;
  const std::string name(syntax_.at(sign - 1));
  const KnownNames known = names(constants_);
  const auto value =
      syntax_.is(sign, "=") && (found.words.const_ || found.words.constexpr_) && !found.words.template_
          ? constant_value(syntax_, known, sign + 1, found.end - 1)
          : std::nullopt;
  const auto before = constants_.find(name);
  if (value && doubtful_constants_.count(name) == 0 &&
      (before == constants_.end() || before->second == *value)) {
    constants_.emplace(name, *value);
  } else {  // in another namespace the name has another meaning
    constants_.erase(name);
    doubtful_constants_.insert(name);
  }
}

}  // namespace emucc::detail
