// Finds the translation of each PTX instruction in the three tables.
#include <algorithm>

#include "lower/ptx_calls.hpp"

namespace emucc::detail {

std::string PtxInstruction::take_type() {
  static const std::unordered_map<std::string, std::string> types = {
      {"u8", "u8"},   {"u16", "u16"}, {"u32", "u32"}, {"u64", "u64"}, {"s8", "s8"},
      {"s16", "s16"}, {"s32", "s32"}, {"s64", "s64"}, {"b8", "u8"},   {"b16", "u16"},
      {"b32", "u32"}, {"b64", "u64"}, {"f32", "f32"}, {"f64", "f64"}, {"pred", "pred"}};
  for (auto modifier = modifiers.begin(); modifier != modifiers.end(); ++modifier) {
    const auto found = types.find(*modifier);
    if (found == types.end()) continue;
    modifiers.erase(modifier);
    return ptx_space + found->second;
  }
  return {};
}

std::string PtxInstruction::take_rounding() {
  const std::string all = ptx_space + "Rounding::";
  if (take("rz")) return all + "zero";
  if (take("rm")) return all + "down";
  if (take("rp")) return all + "up";
  take("rn");
  return all + "nearest";
}

std::string PtxInstruction::take_part(std::size_t argument) {
  static const std::unordered_map<std::string, std::string> parts = {
      {"", "0, 32"},   {"b0", "0, 8"},  {"b1", "8, 8"},  {"b2", "16, 8"},
      {"b3", "24, 8"}, {"h0", "0, 16"}, {"h1", "16, 16"}};
  const std::string selector = std::exchange(arguments[argument].selector, "");
  return ptx_space + "Part{" + parts.at(selector) + "}";
}

namespace {

/// Returns true if the argument has a part or a sign that the instruction doesn't accept.
bool is_left(const PtxArgument& argument) {
  return !argument.selector.empty() || argument.negated ||
         std::any_of(argument.parts.begin(), argument.parts.end(), is_left);
}

}  // namespace

std::string ptx_call(PtxInstruction instruction) {
  for (const Handlers* instructions :
       {&arithmetic_instructions(), &memory_instructions(), &asynchronous_instructions()}) {
    const auto handler = instructions->find(instruction.name);
    if (handler == instructions->end()) continue;
    std::string text = handler->second(instruction);
    const bool is_read = instruction.modifiers.empty() &&
                         std::none_of(instruction.arguments.begin(), instruction.arguments.end(), is_left);
    return is_read ? text : std::string();
  }
  return {};
}

}  // namespace emucc::detail
