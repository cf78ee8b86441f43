/// @file
/// Builds the calls that PTX instructions become. The files with the tables use these functions.
#pragma once
#include <functional>
#include <unordered_map>

#include "lower/ptx_instruction.hpp"

namespace emucc::detail {

using Instruction = PtxInstruction;

inline const char* const where = "::cuemu::SourceLine::here()";

inline std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    result += (result.empty() ? "" : ", ") + part;
  }
  return result;
}

/// Writes `f<types>(arguments);`.
inline std::string call(const std::string& function, const std::vector<std::string>& types,
                        const std::vector<std::string>& arguments) {
  const std::string angle = joined(types);
  return ptx_space + function + (angle.empty() ? "" : "<" + angle + ">") + "(" + joined(arguments) + ");";
}

/// Returns the registers of an operand: one register, or the registers of a list.
inline std::vector<std::string> codes_of(const PtxArgument& argument) {
  if (!argument.is_list() || argument.is_address) return {argument.code};
  std::vector<std::string> result;
  for (const auto& part : argument.parts) result.push_back(part.code);
  return result;
}
inline std::vector<std::string> codes(const Instruction& i, std::size_t from = 0) {
  std::vector<std::string> result;
  for (std::size_t k = from; k < i.arguments.size(); ++k)
    for (std::string& code : codes_of(i.arguments[k])) result.push_back(std::move(code));
  return result;
}

/// Returns the generic address that `[…]` denotes. An address in shared memory is computed from its offset.
inline std::string address(const PtxArgument& argument, bool shared) {
  const std::string generic =
      ptx_space + "address(" + argument.code + (argument.offset == "0" ? "" : ", " + argument.offset) + ")";
  return shared ? ptx_space + "shared_address(" + generic + ")" : generic;
}

inline bool take_shared(Instruction& i) {
  bool shared = i.take("shared");
  for (const char* space : {"shared::cta", "shared::cluster"}) shared = i.take(space) || shared;
  return shared;
}
/// Removes scopes and orders. They have no effect here, except that an order makes an access synchronising.
inline bool take_order(Instruction& i) {
  bool ordered = false;
  for (const char* order : {"acquire", "release", "acq_rel", "sc", "volatile", "relaxed", "mmio"})
    ordered = i.take(order) || ordered;
  for (const char* scope : {"cta", "cluster", "gpu", "sys", "gl"}) i.take(scope);
  return ordered;
}
/// Removes cache hints.
inline void take_hints(Instruction& i) {
  auto& all = i.modifiers;
  for (const char* hint : {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "weak"}) i.take(hint);
  all.erase(
      std::remove_if(all.begin(), all.end(),
                     [](const std::string& m) { return m.rfind("L1::", 0) == 0 || m.rfind("L2::", 0) == 0; }),
      all.end());
}
inline std::size_t take_vector(Instruction& i) {
  return i.take("v2") ? 2 : i.take("v4") ? 4 : i.take("v8") ? 8 : 1;
}

/// Makes the operation of a bit matrix product, which the instruction names at its end, a part of the types:
/// `b1_and`.
inline void name_bits(Instruction& i) {
  for (const char* how : {"and", "xor"}) {
    if (std::find(i.modifiers.begin(), i.modifiers.end(), "b1") == i.modifiers.end() || !i.take(how))
      continue;
    if (!i.take("popc")) return;
    std::replace(i.modifiers.begin(), i.modifiers.end(), std::string("b1"), std::string("b1_") + how);
  }
}

/// Writes a call of one function, with the operation's type and the unchanged arguments.
inline std::string plain(Instruction& i, const std::string& function, std::size_t arguments) {
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() != arguments) return {};
  return call(function, {type}, codes(i));
}

inline bool is_real(const std::string& type) {
  return type == ptx_space + "f32" || type == ptx_space + "f64";
}

using Handler = std::function<std::string(Instruction&)>;
using Handlers = std::unordered_map<std::string, Handler>;

inline Handler simple(const char* function, std::size_t arguments) {
  return [=](Instruction& i) { return plain(i, function, arguments); };
}

/// The code for instructions that have no effect here: hints, and waits for operations that are already
/// complete.
inline const char* const done = "static_cast<void>(0);";
inline Handler nothing() {
  return [](Instruction& i) {
    i.modifiers.clear();
    return std::string(done);
  };
}

/// The modifier of copies and stores whose bytes are counted by a barrier.
inline const char* const complete_tx = "mbarrier::complete_tx::bytes";

/// Return the three tables: instructions that compute, instructions that access memory or other threads, and
/// instructions that a GPU runs asynchronously.
const Handlers& arithmetic_instructions();
const Handlers& memory_instructions();
const Handlers& asynchronous_instructions();

}  // namespace emucc::detail
