// What each PTX instruction becomes: looks for it in the three tables.
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

std::string ptx_call(PtxInstruction instruction) {
  for (const Handlers* instructions :
       {&arithmetic_instructions(), &memory_instructions(), &asynchronous_instructions()}) {
    const auto handler = instructions->find(instruction.name);
    if (handler == instructions->end()) continue;
    std::string text = handler->second(instruction);
    return instruction.modifiers.empty() ? text : std::string();
  }
  return {};
}

}  // namespace emucc::detail
