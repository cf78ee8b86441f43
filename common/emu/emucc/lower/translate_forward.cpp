// Finds facts about functions that are called before they are defined, as in `__device__ float sum(float);`. Kernels
// above the definition may use these facts.
#include <algorithm>

#include "analyse/plain_loop.hpp"
#include "lower/translator_detail.hpp"

namespace emucc::detail {

/// Fills device_functions_ for the whole file.
void Translator::note_device_functions() {
  bool forward = false;
  std::unordered_map<std::string, std::vector<const NamespaceMember*>> prototypes;
  bool shared = false;  // a variable of a namespace, which later functions may mention
  for (const NamespaceMember& member : namespaces_.members()) {
    const Declaration& found = member.declaration;
    shared = shared || (found.words.shared && found.kind != Declaration::Kind::class_);
    if (member.in_class || found.name == npos || found.parameters == npos || found.words.global) continue;
    const std::string name(syntax_.at(found.name));
    if (found.kind == Declaration::Kind::prototype && found.words.device) prototypes[name].push_back(&member);
    if (found.kind != Declaration::Kind::function || shared || !is_device_function(found) ||
        syntax_.partner(found.parameters) == npos)
      continue;
    DeviceFunction function{found, member.scope, found.begin, read_parameters(syntax_, found.parameters)};
    for (const NamespaceMember* const prototype : prototypes[name]) {
      const auto announced = read_parameters(syntax_, prototype->declaration.parameters);
      if (prototype->scope != member.scope || announced.size() != function.parameters.size()) continue;
      function.from = std::min(function.from, prototype->declaration.begin);
      forward = true;
      for (std::size_t i = 0; i < announced.size(); ++i)
        if (announced[i].default_begin != npos) {
          function.parameters[i].default_begin = announced[i].default_begin;
          function.parameters[i].default_end = announced[i].default_end;
        }
    }
    device_functions_[name].push_back(std::move(function));
  }
  if (forward && options_.fission) note_forward_functions();
}

/// True if kernels can call the function, and its `volatile` accesses need no separate form.
bool Translator::is_device_function(const Declaration& found) const {
  const bool in_step = options_.lockstep && !found.words.constexpr_;
  return found.words.device && (in_step || volatile_pointers(found).empty());
}

/// Assumes for each name the facts that are true of all functions of that name in the file. The facts about a
/// function follow from its callees, which may be defined later, so the search is repeated until it finds nothing
/// new. The definition of the first function of a name discards the assumption. From there on the facts in
/// note_function() apply.
void Translator::note_forward_functions() {
  for (const NamespaceMember& member : namespaces_.members()) {
    const Words& words = member.declaration.words;
    if (member.declaration.kind == Declaration::Kind::variable && (words.device || words.managed))
      for (const auto& declarator :
           read_variables(syntax_, member.declaration.begin, member.declaration.end).declarators)
        if (declarator.name != npos) device_variables_.emplace(syntax_.at(declarator.name));
  }
  for (std::size_t most = 0;;) {
    waiting_functions_.clear(), blocking_functions_.clear(), touching_functions_.clear();
    bool shared = false;
    for (const NamespaceMember& member : namespaces_.members()) {
      const Declaration& found = member.declaration;
      shared = shared || (found.words.shared && found.kind != Declaration::Kind::class_);
      if (found.kind == Declaration::Kind::function && found.name != npos && !found.words.global)
        note_facts(found, is_device_function(found) && !member.in_class && !shared);
    }
    const std::size_t all =
        plain_functions_.size() + nonblocking_functions_.size() + confined_functions_.size();
    if (all <= most) break;
    most = all;
  }
  waiting_functions_.clear(), blocking_functions_.clear(), touching_functions_.clear();
  for (const auto* names : {&plain_functions_, &nonblocking_functions_, &confined_functions_})
    expected_functions_.insert(names->begin(), names->end());
}

/// @param known true if it is a device function at namespace level
void Translator::note_facts(const Declaration& found, bool known) {
  const std::string name(syntax_.at(found.name));
  const auto note = [&](bool fits, auto& good, auto& bad) {
    if (!fits) {
      good.erase(name);
      bad.insert(name);
    } else if (bad.count(name) == 0) {
      good.insert(name);
    }
  };
  const std::size_t begin = found.body + 1, end = found.end - 1;
  const bool meets = is_meeting_name(name);  // CUDA has this name; another call may call CUDA's function
  const bool acts = meets || is_acting_name(name);
  note(known && !acts && is_plain_function(syntax_, begin, end, plain_functions_), plain_functions_,
       waiting_functions_);
  const KnownNames names = known_names(constants_);
  const std::string reason = known ? blocking_reason(syntax_, begin, end, names) : "it is no plain function";
  if (!reason.empty()) blocking_reasons_[name] = reason;
  note(reason.empty() && !meets, nonblocking_functions_, blocking_functions_);
  note(known && !acts && is_confined_function(syntax_, found.parameters, begin, end, names),
       confined_functions_, touching_functions_);
}

}  // namespace emucc::detail
