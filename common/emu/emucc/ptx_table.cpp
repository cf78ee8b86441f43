// What each PTX instruction becomes.
#include <functional>
#include <unordered_map>

#include "ptx_instruction.hpp"

namespace emucc::detail {
namespace {

using Instruction = PtxInstruction;

const char* const where = "::cuemu::SourceLine::here()";

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const auto& part : parts) {
    if (part.empty()) continue;
    result += (result.empty() ? "" : ", ") + part;
  }
  return result;
}

/// `f<types>(arguments);`
std::string call(const std::string& function, const std::vector<std::string>& types,
                 const std::vector<std::string>& arguments) {
  const std::string angle = joined(types);
  return ptx_space + function + (angle.empty() ? "" : "<" + angle + ">") + "(" + joined(arguments) + ");";
}

std::vector<std::string> codes(const Instruction& i, std::size_t from = 0) {
  std::vector<std::string> result;
  for (std::size_t k = from; k < i.arguments.size(); ++k) {
    if (i.arguments[k].is_list() && !i.arguments[k].is_address)
      for (const auto& part : i.arguments[k].parts) result.push_back(part.code);
    else
      result.push_back(i.arguments[k].code);
  }
  return result;
}

/// The generic address of `[…]`; of shared memory from its offset.
std::string address(const PtxArgument& argument, bool shared) {
  const std::string generic =
      ptx_space + "address(" + argument.code + (argument.offset == "0" ? "" : ", " + argument.offset) + ")";
  return shared ? ptx_space + "shared_address(" + generic + ")" : generic;
}

bool take_shared(Instruction& i) {
  bool shared = i.take("shared");
  for (const char* space : {"shared::cta", "shared::cluster"}) shared = i.take(space) || shared;
  return shared;
}
/// Scopes and orders, which are all the same here but that an order makes an access a synchronising one.
bool take_order(Instruction& i) {
  bool ordered = false;
  for (const char* order : {"acquire", "release", "acq_rel", "sc", "volatile", "relaxed", "mmio"})
    ordered = i.take(order) || ordered;
  for (const char* scope : {"cta", "cluster", "gpu", "sys", "gl"}) i.take(scope);
  return ordered;
}
/// Hints of the caches.
void take_hints(Instruction& i) {
  auto& all = i.modifiers;
  for (const char* hint : {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "weak"}) i.take(hint);
  all.erase(
      std::remove_if(all.begin(), all.end(),
                     [](const std::string& m) { return m.rfind("L1::", 0) == 0 || m.rfind("L2::", 0) == 0; }),
      all.end());
}
std::size_t take_vector(Instruction& i) {
  return i.take("v2") ? 2 : i.take("v4") ? 4 : i.take("v8") ? 8 : 1;
}

/// One function for the operation, its type, and arguments as they stand.
std::string plain(Instruction& i, const std::string& function, std::size_t arguments) {
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() != arguments) return {};
  return call(function, {type}, codes(i));
}

bool is_real(const std::string& type) {
  return type == ptx_space + "f32" || type == ptx_space + "f64";
}

/// add, sub, mul, fma, div, sqrt, rcp and their like of numbers with a rounding.
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

std::string shuffle(Instruction& i) {
  i.take("sync");
  const std::string how = i.take("bfly")   ? "shuffle_xor"
                          : i.take("up")   ? "shuffle_up"
                          : i.take("down") ? "shuffle_down"
                          : i.take("idx")  ? "shuffle"
                                           : "";
  if (how.empty() || !i.take("b32") || (i.arguments.size() != 5 && i.arguments.size() != 4)) return {};
  const auto& d = i.arguments[0];
  const std::string mask =
      i.arguments.size() == 5 ? i.arguments[4].code : "::__activemask()";  // the form before PTX 6
  return call("shfl", {"::cuemu::Collective::" + how},
              {d.code, d.second.empty() ? ptx_space + "Nowhere{}" : d.second, i.arguments[1].code,
               i.arguments[2].code, i.arguments[3].code, mask, where});
}
std::string vote(Instruction& i) {
  i.take("sync");
  for (const char* how : {"ballot", "any", "all", "uni"}) {
    if (!i.take(how)) continue;
    if (!i.take("b32") && !i.take("pred")) return {};
    if (i.arguments.size() != 3 && i.arguments.size() != 2) return {};
    return call(std::string("vote_") + how, {},
                {i.arguments[0].code, i.arguments[1].code,
                 i.arguments.size() == 3 ? i.arguments[2].code : "::__activemask()", where});
  }
  return {};
}
std::string match(Instruction& i) {
  const bool all = i.take("all");
  if ((!all && !i.take("any")) || !i.take("sync") || i.arguments.size() != 3) return {};
  const std::string type = i.take_type();
  const auto& d = i.arguments[0];
  if (all)
    return call("match_all", {type},
                {d.code, d.second.empty() ? ptx_space + "Nowhere{}" : d.second, i.arguments[1].code,
                 i.arguments[2].code, where});
  return call("match_any", {type}, {d.code, i.arguments[1].code, i.arguments[2].code, where});
}
std::string redux(Instruction& i) {
  if (!i.take("sync") || i.arguments.size() != 3) return {};
  for (const char* how : {"add", "min", "max", "and", "or", "xor"}) {
    if (!i.take(how)) continue;
    const std::string type = i.take_type(), name = how;
    const std::string in_cpp = name == "and" || name == "or" || name == "xor" ? name + "_" : name;
    return call("redux", {ptx_space + "Redux::" + in_cpp, type},
                {i.arguments[0].code, i.arguments[1].code, i.arguments[2].code, where});
  }
  return {};
}

std::string barrier(Instruction& i) {
  if (i.take("warp"))
    return i.take("sync") && i.arguments.size() == 1 ? call("syncwarp", {}, {codes(i)[0], where}) : "";
  i.take("cta");
  i.take("aligned");
  auto all = codes(i);
  if (i.take("cluster")) {
    for (const char* order : {"acquire", "release", "relaxed"}) i.take(order);
    if (i.take("arrive")) return "static_cast<void>(0);";  // the wait is the whole barrier of one block
    return i.take("wait") ? call("bar_sync", {}, {ptx_space + "Integer{0}", where}) : "";
  }
  if (i.take("sync") && !all.empty() && all.size() <= 2) {
    all.push_back(where);
    return call("bar_sync", {}, all);
  }
  if (i.take("arrive") && all.size() == 2) return call("bar_arrive", {}, {all[0], all[1], where});
  if (!i.take("red") || all.size() != 3) return {};
  for (const char* how : {"popc", "and", "or"}) {
    if (!i.take(how)) continue;
    if (!i.take("u32") && !i.take("pred")) return {};
    const std::string name = how;
    return call("bar_red", {ptx_space + "Gather::" + (name == "popc" ? name : name + "_")},
                {all[0], all[2], where});
  }
  return {};
}

std::string memory(Instruction& i) {
  const bool load = i.name != "st";
  const bool ordered = take_order(i);
  take_hints(i);
  const bool shared = take_shared(i);
  for (const char* space : {"global", "local", "const", "param", "relaxed"}) i.take(space);
  const std::size_t count = take_vector(i);
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() < 2) return {};
  const auto &memory = i.arguments[load ? 1 : 0], &registers = i.arguments[load ? 0 : 1];
  if (!memory.is_address || (registers.is_list() ? registers.parts.size() : 1) != count) return {};
  std::vector<std::string> all = {address(memory, shared)};
  if (registers.is_list())
    for (const auto& part : registers.parts) all.push_back(part.code);
  else
    all.push_back(registers.code);
  return call(std::string(load ? "ld" : "st") + (ordered ? "_ordered" : ""), {type}, all);
}

std::string atomic(Instruction& i) {
  take_order(i);
  take_hints(i);
  i.take("noftz");
  const bool shared = take_shared(i);
  i.take("global");
  const bool reduction = i.name == "red";
  std::string how;
  for (const char* name : {"add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas"})
    if (how.empty() && i.take(name)) how = name;
  const std::string type = i.take_type();
  const std::size_t first = reduction ? 0 : 1;  // of the address
  if (how.empty() || type.empty() || i.arguments.size() != first + (how == "cas" ? 3 : 2)) return {};
  if (!i.arguments[first].is_address) return {};
  const std::string d = reduction ? ptx_space + "Nowhere{}" : i.arguments[0].code;
  const std::string at = address(i.arguments[first], shared);
  if (how == "cas")
    return call("atom_cas", {type}, {d, at, i.arguments[first + 1].code, i.arguments[first + 2].code});
  if (how == "and" || how == "or" || how == "xor") how += '_';
  return call("atom", {ptx_space + "Atom::" + how, type}, {d, at, i.arguments[first + 1].code});
}

std::string fence(Instruction& i) {
  i.modifiers.clear();  // every kind of fence is the strongest one
  return i.arguments.empty() ? call("fence", {}, {}) : "";
}

std::string copy_async(Instruction& i) {
  take_hints(i);
  if (!i.take("async")) return {};
  const bool bulk = i.take("bulk");
  i.take("read");
  for (const char* waiting : {"commit_group", "wait_group", "wait_all"})
    if (i.take(waiting)) return "static_cast<void>(0);";  // copies are complete when they have been issued
  if (i.take("mbarrier")) {
    i.modifiers.clear();  // .arrive(.noinc).shared.b64: nothing is under way
    return "static_cast<void>(0);";
  }
  const bool from_shared = bulk && i.modifiers.size() > 1 && i.modifiers[0] == "global";
  const bool shared = take_shared(i);
  if (!i.take("global") || i.arguments.size() < 3 || !i.arguments[0].is_address) return {};
  i.take("mbarrier::complete_tx::bytes");
  i.take("bulk_group");
  std::vector<std::string> all = {address(i.arguments[0], shared && !from_shared),
                                  address(i.arguments[1], from_shared), i.arguments[2].code};
  if (!bulk && i.arguments.size() == 4) all.push_back(i.arguments[3].code);
  return call("cp_async", {}, all);
}

std::string mbarrier(Instruction& i) {
  take_order(i);
  const bool shared = take_shared(i);
  i.take("b64");
  const bool parity = i.take("parity");
  const auto at = [&](std::size_t index) { return address(i.arguments[index], shared); };
  const auto& all = i.arguments;
  if (i.take("init") && all.size() == 2) return call("mbarrier_init", {}, {at(0), all[1].code});
  if (i.take("inval") || i.take("expect_tx")) {
    if (!i.take("arrive")) return "static_cast<void>(0);";
    return all.size() == 3 ? call("mbarrier_arrive", {}, {all[0].code, at(1)}) : "";
  }
  i.take("noComplete");
  if (i.take("arrive")) {
    const bool to_nowhere = !all.empty() && all[0].is_address;
    const std::size_t first = to_nowhere ? 0 : 1;
    if (all.size() <= first || !all[first].is_address) return {};
    return call("mbarrier_arrive", {},
                {to_nowhere ? ptx_space + "Nowhere{}" : all[0].code, at(first),
                 all.size() > first + 1 ? all[first + 1].code : ""});
  }
  if ((i.take("test_wait") || i.take("try_wait")) && all.size() >= 3 && all[1].is_address)
    return call("set", {},
                {all[0].code, ptx_space + (parity ? "mbarrier_wait_parity(" : "mbarrier_wait(") + at(1) +
                                  ", " + all[2].code + ")"});
  return {};
}

std::string load_matrix(Instruction& i) {
  const bool load = i.name == "ldmatrix";
  const bool transposed = i.take("trans");
  if (!i.take("sync") || !i.take("aligned") || !i.take("m8n8") || !i.take("b16")) return {};
  const std::size_t count = i.take("x4") ? 4 : i.take("x2") ? 2 : i.take("x1") ? 1 : 0;
  const bool shared = take_shared(i);
  if (i.arguments.size() != 2) return {};
  const auto &memory = i.arguments[load ? 1 : 0], &registers = i.arguments[load ? 0 : 1];
  std::vector<std::string> all = {where, address(memory, shared)};
  if (registers.is_list())
    for (const auto& part : registers.parts) all.push_back(part.code);
  else
    all.push_back(registers.code);
  if (!memory.is_address || all.size() != count + 2) return {};
  return call(i.name, {transposed ? "true" : "false"}, all);
}

std::string multiply_matrix(Instruction& i) {
  if (!i.take("sync")) return {};
  i.take("aligned");
  i.take("satfinite");
  if (!i.take("row") || !i.take("col")) return {};
  if (i.take("m8n8k4")) {
    for (int k = 0; k < 4; ++k)
      if (!i.take("f64")) return {};
    std::vector<std::string> all = codes(i);
    all.insert(all.begin(), where);
    return all.size() == 7 ? call("mma_f64", {}, all) : "";
  }
  std::string depth;
  for (const char* shape : {"m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32"})
    if (i.take(shape)) depth = std::string(shape).substr(6);
  if (depth.empty() || i.modifiers.size() != 4 || i.arguments.size() != 4) return {};
  for (const auto& type : i.modifiers)
    if (type != "f16" && type != "bf16" && type != "tf32" && type != "f32" && type != "s8" && type != "u8" &&
        type != "s32")
      return {};
  const auto types = i.modifiers;  // d, a, b, c
  i.modifiers.clear();
  std::vector<std::string> all = {where};
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& argument = i.arguments[k];
    const auto& parts = argument.is_list() ? argument.parts : std::vector<PtxArgument>{argument};
    for (const auto& part : parts) all.push_back(k == 0 ? part.code : "::std::as_const(" + part.code + ")");
  }
  return call("mma",
              {depth, ptx_space + types[1], ptx_space + types[2], ptx_space + types[3], ptx_space + types[0]},
              all);
}

std::string permute(Instruction& i) {
  if (!i.take("b32") || i.arguments.size() != 4) return {};
  for (const char* mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})
    if (i.take(mode)) return call("prmt", {ptx_space + "Prmt::" + mode}, codes(i));
  return call("prmt", {}, codes(i));
}
std::string convert_address(Instruction& i) {
  const bool to = i.take("to"), shared = take_shared(i);
  for (const char* space : {"global", "local", "const", "param"}) i.take(space);
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() != 2) return {};
  if (!shared) return call("mov", {type}, codes(i));
  return call(to ? "cvta_to_shared" : "cvta_shared", {}, codes(i));
}

using Handler = std::function<std::string(Instruction&)>;

Handler simple(const char* function, std::size_t arguments) {
  return [=](Instruction& i) { return plain(i, function, arguments); };
}
Handler nothing() {  // hints that need not be followed
  return [](Instruction& i) {
    i.modifiers.clear();
    return std::string("static_cast<void>(0);");
  };
}

const std::unordered_map<std::string, Handler>& table() {
  static const std::unordered_map<std::string, Handler> all = {
      {"add", sum},
      {"sub", sum},
      {"addc",
       [](Instruction& i) {
         i.name = "addc";
         return sum(i);
       }},
      {"subc", sum},
      {"mul", product},
      {"mad", product},
      {"madc", product},
      {"fma", [](Instruction& i) { return arithmetic(i, "fma", 4); }},
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
      {"neg",
       [](Instruction& i) {
         i.take("ftz");
         return plain(i, "neg", 2);
       }},
      {"abs",
       [](Instruction& i) {
         i.take("ftz");
         return plain(i, "abs", 2);
       }},
      {"min", minimum},
      {"max", minimum},
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
      {"cvta", convert_address},
      {"ld", memory},
      {"ldu", memory},
      {"st", memory},
      {"atom", atomic},
      {"red", atomic},
      {"membar", fence},
      {"fence", fence},
      {"cp", copy_async},
      {"mbarrier", mbarrier},
      {"bar", barrier},
      {"barrier", barrier},
      {"shfl", shuffle},
      {"vote", vote},
      {"match", match},
      {"redux", redux},
      {"elect",
       [](Instruction& i) {
         if (!i.take("sync") || i.arguments.size() != 2) return std::string();
         const auto& d = i.arguments[0];
         return call(
             "elect", {},
             {d.code, d.second.empty() ? ptx_space + "Nowhere{}" : d.second, i.arguments[1].code, where});
       }},
      {"activemask",
       [](Instruction& i) {
         return i.take("b32") && i.arguments.size() == 1
                    ? call("set", {}, {i.arguments[0].code, "::__activemask()"})
                    : "";
       }},
      {"ldmatrix", load_matrix},
      {"stmatrix", load_matrix},
      {"mma", multiply_matrix},
      {"prefetch", nothing()},
      {"prefetchu", nothing()},
      {"discard", nothing()},
      {"applypriority", nothing()},
      {"pmevent", nothing()},
      {"griddepcontrol", nothing()},
      {"setmaxnreg", nothing()},
      {"nanosleep",
       [](Instruction& i) {
         i.take("u32");
         return std::string("::cuemu::yield();");
       }},
      {"trap", [](Instruction&) { return std::string("::cuemu::device_trap();"); }},
      {"brkpt", nothing()},
  };
  return all;
}

}  // namespace

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
  const auto handler = table().find(instruction.name);
  if (handler == table().end()) return {};
  std::string text = handler->second(instruction);
  return instruction.modifiers.empty() ? text : std::string();
}

}  // namespace emucc::detail
