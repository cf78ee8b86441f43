#include "facts/function_objects.hpp"

#include <algorithm>
#include <functional>

#include "parse/classes.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {

FunctionObjects::FunctionObjects(const Syntax& syntax, const Namespaces& namespaces) : syntax_(syntax) {
  std::vector<std::pair<std::size_t, std::size_t>> device_code;  // in the order of the text
  for (const NamespaceMember& member : namespaces.members()) {
    const Declaration& found = member.declaration;
    if (!found.words.device && !found.words.global) continue;
    if (found.kind == Declaration::Kind::function) device_code.emplace_back(found.body, found.end);
    if (found.words.device && found.name != npos && found.parameters != npos && !member.in_class)
      functions_.insert(syntax.at(found.name));
  }
  for (const Class& each : syntax.tree().classes().all())
    for (const Method& method : each.methods) {
      if (!method.is_call) continue;
      constant_ = constant_ && method.constant;
      if (method.body == npos)
        all_known_ = false;
      else
        bodies_.push_back({method.body + 1, syntax.partner(method.body), &each});
    }
  auto around = device_code.begin();
  for (std::size_t i = 0; i < syntax.size(); ++i) {
    while (around != device_code.end() && around->second <= i) ++around;
    if (const std::size_t body = syntax.is(i, "[") ? syntax.lambda_body(i) : npos; body != npos)
      note_lambda(i, body, around != device_code.end() && around->first < i);
    if (functions_.count(syntax.at(i)) > 0 && syntax.is_identifier(i) && syntax.call_open(i) == npos &&
        !syntax.is(i - 1, ".") && !syntax.is(i - 1, "->"))
      named_.emplace(syntax.at(i));
  }
}

void FunctionObjects::note_lambda(std::size_t open, std::size_t body, bool in_device_code) {
  bool of_device = in_device_code, is_mutable = false;
  for (std::size_t i = syntax_.after(open); i < body; ++i) {
    of_device = of_device || syntax_.word(i) == Word::device;
    is_mutable = is_mutable || syntax_.is(i, "mutable");
  }
  if (!of_device || syntax_.partner(body) == npos) return;
  bodies_.push_back({body + 1, syntax_.partner(body), nullptr});
  constant_ = constant_ && !is_mutable;
}

namespace {
/// Returns a hash of the set of nonblocking functions. The hash does not depend on their order.
std::size_t digest_of(const KnownNames& names) {
  std::size_t sum = 1;
  for (const auto* functions : {&names.plain_functions, &names.nonblocking_functions})
    for (const std::string& name : *functions) sum += std::hash<std::string>()(name);
  return sum;
}
}  // namespace

std::string FunctionObjects::blocking_reason(const KnownNames& names) const {
  const std::size_t known = digest_of(names);
  if (known != known_functions_) {
    known_functions_ = known;
    answer_.clear();  // for nested calls: a callee that waits is found separately
    answer_ = find_reason(names);
  }
  return answer_;
}

std::string FunctionObjects::find_reason(const KnownNames& names) const {
  if (!all_known_) return "a function object of this file has an operator() that is defined elsewhere";
  for (const std::string& name : named_)
    if (names.plain_functions.count(name) == 0 && names.nonblocking_functions.count(name) == 0)
      return "the function '" + name + "' may be called by another name";
  for (const Body& body : bodies_) {
    const std::string reason = emucc::blocking_reason(syntax_, body.begin, body.end, names, body.of);
    if (!reason.empty())
      return "of a function object of this file (line " +
             std::to_string(syntax_.stream().tokens[body.begin - 1].line) + "): " + reason;
  }
  return {};
}

}  // namespace emucc
