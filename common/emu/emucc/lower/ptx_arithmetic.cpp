// Translates PTX arithmetic: sums, products, bits, comparisons, conversions.
#include "lower/ptx_calls.hpp"

namespace emucc::detail {
namespace {

/// Translates add, sub, mul, fma, div, sqrt, rcp and other arithmetic with a rounding mode.
std::string arithmetic(Instruction& i, const std::string& function, std::size_t arguments) {
  if (i.arguments.size() != arguments) return {};
  const std::string rounding = i.take_rounding();
  const bool flush = i.take("ftz"), saturate = i.take("sat");
  i.take("approx");
  i.take("full");
  const std::string type = i.take_type();
  if (!is_real(type)) return {};
  const std::string& d = i.arguments[0].code;
  return call(function, {type, rounding}, codes(i)) + (flush ? " " + call("flush", {}, {d}) : "") +
         (saturate ? " " + call("saturate", {}, {d}) : "");
}
std::string approximation(Instruction& i, const std::string& function) {
  i.take("approx");
  i.take("rn");
  const bool flush = i.take("ftz");
  const std::string type = i.take_type();
  if (!is_real(type) || i.arguments.size() != 2) return {};
  return call(function, {type}, codes(i)) + (flush ? " " + call("flush", {}, {i.arguments[0].code}) : "");
}

/// Returns a handler of a video instruction, which works on all parts of a word. The instruction names the
/// result's type, the operands' types, and saturation or a sum, in this order. Without selectors and masks,
/// every part is computed, and the last operand is used only for a sum.
Handler video(const char* function, int parts) {
  return [=](Instruction& i) -> std::string {
    const std::string d = i.take_type(), a = i.take_type(), b = i.take_type();
    const bool saturates = i.take("sat"), adds = i.take("add");
    if (b.empty() || i.arguments.size() != 4) return {};
    return call(function,
                {d, a, b, std::to_string(parts), saturates ? "true" : "false", adds ? "true" : "false"},
                codes(i));
  };
}

std::string boolean(bool value) {
  return value ? "true" : "false";
}

/// Returns the call for the parts and the last operand of a scalar video instruction. The last operand exists
/// if the result is merged with it.
std::string scalar_video_call(Instruction& i, const std::string& function, std::vector<std::string> types) {
  const std::size_t count = i.arguments.size();
  if (count != 3 && count != 4) return {};
  std::string then = "nothing";
  for (const char* const name : {"add", "min", "max"})
    if (i.take(name)) then = name;
  const bool merges = !i.arguments[0].selector.empty(), combines = then != "nothing";
  if ((count == 4) != (merges || combines) || (merges && combines)) return {};
  const bool saturates = i.name != "vset" && i.take("sat");
  types.insert(types.end(), {ptx_space + "VideoThen::" + then, boolean(saturates)});
  std::vector<std::string> arguments;
  for (std::size_t k = 0; k < 3; ++k) {
    arguments.push_back(i.arguments[k].code);
    arguments.push_back(i.take_part(k));
  }
  arguments.push_back(count == 4 ? i.arguments[3].code : ptx_space + "Integer{0}");
  return call("scalar_" + function, types, arguments);
}

/// Translates vadd and the other scalar video instructions.
std::string scalar_video(Instruction& i) {
  const std::string d = i.take_type(), a = i.take_type(), b = i.take_type();
  return b.empty() ? "" : scalar_video_call(i, i.name, {d, a, b});
}
std::string video_shift(Instruction& i) {
  const std::string d = i.take_type(), a = i.take_type(), b = i.take_type();
  const bool clamps = i.take("clamp");
  if (b != ptx_space + "u32" || (!clamps && !i.take("wrap"))) return {};
  return scalar_video_call(i, i.name + (clamps ? "_clamp" : "_wrap"), {d, a, b});
}
std::string video_compare(Instruction& i) {
  const std::string a = i.take_type(), b = i.take_type();
  for (const char* const relation : {"eq", "ne", "lt", "le", "gt", "ge"})
    if (!b.empty() && i.take(relation))
      return scalar_video_call(i, i.name + "_" + relation, {ptx_space + "u32", a, b});
  return {};
}
std::string video_product(Instruction& i) {
  const std::string d = i.take_type(), a = i.take_type(), b = i.take_type();
  if (b.empty() || i.arguments.size() != 4) return {};
  const bool plus_one = i.take("po"), saturates = i.take("sat");
  const std::string shift = i.take("shr7") ? "7" : i.take("shr15") ? "15" : "0";
  const bool a_negated = i.take_sign(1), b_negated = i.take_sign(2);
  const bool product = a_negated != b_negated, sum = i.take_sign(3);
  if ((product && sum) || (plus_one && (a_negated || b_negated || sum))) return {};
  const std::string part_of_a = i.take_part(1), part_of_b = i.take_part(2);
  return call("vmad", {a, b, boolean(product), boolean(sum), boolean(plus_one), shift, boolean(saturates)},
              {i.arguments[0].code, i.arguments[1].code, part_of_a, i.arguments[2].code, part_of_b,
               i.arguments[3].code});
}

/// Translates arithmetic of half and bfloat16, alone or in pairs. Returns an empty text for other types.
std::string half_arithmetic(Instruction& i, std::size_t arguments) {
  for (const char* type : {"f16", "f16x2", "bf16", "bf16x2"}) {
    if (!i.take(type)) continue;
    i.take("rn");
    i.take("ftz");
    auto all = codes(i);
    if (all.size() != arguments) return {};
    while (all.size() < 4) all.push_back(ptx_space + "Integer{0}");
    const std::string name = type;
    const bool pair = name.size() > 2 && name.rfind("x2") == name.size() - 2;
    return call("half",
                {ptx_space + "HalfOperation::" + i.name,
                 ptx_space + name.substr(0, name.size() - (pair ? 2 : 0)), pair ? "2" : "1"},
                all);
  }
  return {};
}
/// Returns a handler that uses `general` for all types except half and bfloat16.
Handler with_half(std::size_t arguments, const Handler& general) {
  return [=](Instruction& i) {
    Instruction halves = i;
    const std::string text = half_arithmetic(halves, arguments);
    if (text.empty()) return general(i);
    i = halves;
    return text;
  };
}

std::string sum(Instruction& i) {
  const bool subtract = i.name[0] == 's', in = i.name.back() == 'c', out = i.take("cc");
  if (in || out) {
    const std::string type = i.take_type();
    if (type.empty() || i.arguments.size() != 3) return {};
    return call(subtract ? "carry_sub" : "carry_add", {type, in ? "true" : "false", out ? "true" : "false"},
                codes(i));
  }
  Instruction real = i;
  const std::string result = arithmetic(real, i.name, 3);
  if (!result.empty()) {
    i = real;
    return result;
  }
  if (i.take("sat")) return plain(i, i.name + "_sat", 3);
  return plain(i, i.name, 3);
}

std::string product(Instruction& i) {
  const std::size_t arguments = i.name == "mul" ? 3 : 4;
  const bool in = i.name == "madc", out = i.take("cc");
  const std::string part = i.take("lo") ? "lo" : i.take("hi") ? "hi" : i.take("wide") ? "wide" : "";
  if (part.empty()) return arithmetic(i, i.name == "mul" ? "mul" : "fma", arguments);
  if (!in && !out) return plain(i, i.name + "_" + part, arguments);
  const std::string type = i.take_type();
  if (part == "wide" || type.empty() || i.arguments.size() != 4) return {};
  return call("carry_mad",
              {type, part == "hi" ? "true" : "false", in ? "true" : "false", out ? "true" : "false"},
              codes(i));
}

std::string move(Instruction& i) {
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() != 2) return {};
  const auto &d = i.arguments[0], &a = i.arguments[1];
  if (d.is_list() && d.parts.size() == 2 && !a.is_list()) return call("unpack", {type}, codes(i));
  if (a.is_list() && a.parts.size() == 2 && !d.is_list()) return call("pack", {type}, codes(i));
  return d.is_list() || a.is_list() ? "" : call("mov", {type}, codes(i));
}

std::string compare(Instruction& i) {
  static const char* const relations[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                          "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  std::string relation, logic;
  for (const char* name : relations)
    if (relation.empty() && i.take(name)) relation = name;
  for (const char* name : {"and", "or", "xor"})
    if (i.take(name))
      logic = name == std::string("and") ? " && " : name == std::string("or") ? " || " : " != ";
  i.take("ftz");
  const bool set = i.name == "set";
  const std::string result_type = set ? i.take_type() : "";
  const std::string type = i.take_type();
  if (relation.empty() || type.empty() || i.arguments.size() != (logic.empty() ? 3u : 4u)) return {};
  const std::string compared = ptx_space + "compare<" + type + ", " + ptx_space + "Compare::" + relation +
                               ">(" + i.arguments[1].code + ", " + i.arguments[2].code + ")";
  const auto with = [&](const std::string& holds) {
    return logic.empty() ? holds
                         : "(" + holds + logic + ptx_space + "get<bool>(" + i.arguments[3].code + "))";
  };
  const auto& d = i.arguments[0];
  if (set) {
    const std::string yes = is_real(result_type) ? "1" : "-1";
    return call("set", {},
                {d.code, "static_cast<" + result_type + ">(" + with(compared) + " ? " + yes + " : 0)"});
  }
  std::string text =
      "{ const bool cuemu_holds = " + compared + "; " + call("set", {}, {d.code, with("cuemu_holds")});
  if (!d.second.empty()) text += " " + call("set", {}, {d.second, with("!cuemu_holds")});
  return text + " }";
}

std::string minimum(Instruction& i) {
  i.take("ftz");
  const bool nan = i.take("NaN");
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() != 3) return {};
  return call(i.name, {type, nan ? "true" : "false"}, codes(i));
}

std::string convert(Instruction& i) {
  bool integral = false;
  std::string rounding;
  for (const auto& [name, cpp] : {std::pair<const char*, const char*>{"rni", "nearest"},
                                  {"rzi", "zero"},
                                  {"rmi", "down"},
                                  {"rpi", "up"}})
    if (i.take(name)) rounding = cpp, integral = true;
  const bool tf32 = i.take("tf32"), away = i.take("rna");
  if (rounding.empty())
    rounding = i.take_rounding();
  else
    rounding = ptx_space + "Rounding::" + rounding;
  const bool flush = i.take("ftz"), saturate = i.take("sat");
  i.take("relu");
  if (tf32)
    return (away || true) && i.take("f32") && i.arguments.size() == 2 ? call("cvt_tf32", {}, codes(i)) : "";
  const auto half_pair = [&](const char* name, const char* type) {
    return i.take(name) && i.take("f32") && i.arguments.size() == 3
               ? call("cvt_pair", {ptx_space + type, rounding}, codes(i))
               : std::string();
  };
  if (i.modifiers.size() == 2 && i.modifiers[0] == "f16x2") return half_pair("f16x2", "f16");
  if (i.modifiers.size() == 2 && i.modifiers[0] == "bf16x2") return half_pair("bf16x2", "bf16");
  const auto type = [&] {
    for (const char* half : {"f16", "bf16"})
      if (!i.modifiers.empty() && i.modifiers[0] == half && i.take(half)) return ptx_space + half;
    return i.take_type();
  };
  const std::string to = type(), from = type();
  if (to.empty() || from.empty() || i.arguments.size() != 2) return {};
  return call("cvt", {to, from, rounding, integral ? "true" : "false", saturate ? "true" : "false"},
              codes(i)) +
         (flush ? " " + call("flush", {}, {i.arguments[0].code}) : "");
}

std::string permute(Instruction& i) {
  if (!i.take("b32") || i.arguments.size() != 4) return {};
  for (const char* mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})
    if (i.take(mode)) return call("prmt", {ptx_space + "Prmt::" + mode}, codes(i));
  return call("prmt", {}, codes(i));
}
}  // namespace

const Handlers& arithmetic_instructions() {
  static const Handlers all = {
      {"add", with_half(3, sum)},
      {"sub", with_half(3, sum)},
      {"addc", sum},
      {"subc", sum},
      {"mul", with_half(3, product)},
      {"mad", product},
      {"madc", product},
      {"fma", with_half(4, [](Instruction& i) { return arithmetic(i, "fma", 4); })},
      {"div",
       [](Instruction& i) {
         Instruction real = i;
         const std::string result = arithmetic(real, "div", 3);
         if (result.empty()) return plain(i, "div", 3);
         i = real;
         return result;
       }},
      {"rem", simple("rem", 3)},
      {"mul24", [](Instruction& i) { return i.take("lo") ? plain(i, "mul24_lo", 3) : ""; }},
      {"mad24", [](Instruction& i) { return i.take("lo") ? plain(i, "mad24_lo", 4) : ""; }},
      {"sad", simple("sad", 4)},
      {"dp4a",
       [](Instruction& i) {
         const std::string a = i.take_type(), b = i.take_type();
         return b.empty() || i.arguments.size() != 4 ? "" : call("dp4a", {a, b}, codes(i));
       }},
      {"vadd", scalar_video},
      {"vsub", scalar_video},
      {"vabsdiff", scalar_video},
      {"vmin", scalar_video},
      {"vmax", scalar_video},
      {"vshl", video_shift},
      {"vshr", video_shift},
      {"vset", video_compare},
      {"vmad", video_product},
      {"vadd2", video("vadd", 2)},
      {"vadd4", video("vadd", 4)},
      {"vsub2", video("vsub", 2)},
      {"vsub4", video("vsub", 4)},
      {"vabsdiff2", video("vabsdiff", 2)},
      {"vabsdiff4", video("vabsdiff", 4)},
      {"vmin2", video("vmin", 2)},
      {"vmin4", video("vmin", 4)},
      {"vmax2", video("vmax", 2)},
      {"vmax4", video("vmax", 4)},
      {"neg", with_half(2,
                        [](Instruction& i) {
                          i.take("ftz");
                          return plain(i, "neg", 2);
                        })},
      {"abs", with_half(2,
                        [](Instruction& i) {
                          i.take("ftz");
                          return plain(i, "abs", 2);
                        })},
      {"min", with_half(3, minimum)},
      {"max", with_half(3, minimum)},
      {"copysign", simple("copysign", 3)},
      {"sqrt", [](Instruction& i) { return arithmetic(i, "sqrt", 2); }},
      {"rcp", [](Instruction& i) { return arithmetic(i, "rcp", 2); }},
      {"rsqrt", [](Instruction& i) { return approximation(i, "rsqrt"); }},
      {"sin", [](Instruction& i) { return approximation(i, "sin"); }},
      {"cos", [](Instruction& i) { return approximation(i, "cos"); }},
      {"ex2", [](Instruction& i) { return approximation(i, "ex2"); }},
      {"lg2", [](Instruction& i) { return approximation(i, "lg2"); }},
      {"tanh", [](Instruction& i) { return approximation(i, "tanh"); }},
      {"mov", move},
      {"and", simple("and_", 3)},
      {"or", simple("or_", 3)},
      {"xor", simple("xor_", 3)},
      {"not", simple("not_", 2)},
      {"cnot", simple("cnot", 2)},
      {"shl", simple("shl", 3)},
      {"shr", simple("shr", 3)},
      {"shf",
       [](Instruction& i) {
         const bool left = i.take("l");
         if ((!left && !i.take("r"))) return std::string();
         const bool clamp = i.take("clamp");
         if ((!clamp && !i.take("wrap")) || !i.take("b32") || i.arguments.size() != 4) return std::string();
         return call("shf", {left ? "true" : "false", clamp ? "true" : "false"}, codes(i));
       }},
      {"bfe", simple("bfe", 4)},
      {"bfi", simple("bfi", 5)},
      {"bfind",
       [](Instruction& i) {
         const bool shift = i.take("shiftamt");
         const std::string type = i.take_type();
         return type.empty() || i.arguments.size() != 2
                    ? ""
                    : call("bfind", {type, shift ? "true" : "false"}, codes(i));
       }},
      {"popc", simple("popc", 2)},
      {"clz", simple("clz", 2)},
      {"brev", simple("brev", 2)},
      {"fns",
       [](Instruction& i) {
         return i.take("b32") && i.arguments.size() == 4 ? call("fns", {}, codes(i)) : "";
       }},
      {"lop3",
       [](Instruction& i) {
         return i.take("b32") && i.arguments.size() == 5 ? call("lop3", {}, codes(i)) : "";
       }},
      {"prmt", permute},
      {"setp", compare},
      {"set", compare},
      {"selp", simple("selp", 4)},
      {"slct",
       [](Instruction& i) {
         const std::string type = i.take_type();
         return i.take("s32") && i.arguments.size() == 4 ? call("slct", {type}, codes(i)) : "";
       }},
      {"cvt", convert},
  };
  return all;
}

}  // namespace emucc::detail
