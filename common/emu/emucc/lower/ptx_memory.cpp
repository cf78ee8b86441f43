// Translates PTX that accesses memory or other threads: loads, stores, atomics, barriers, warps, matrices of warps.
#include <cstdlib>

#include "lower/ptx_calls.hpp"

namespace emucc::detail {
namespace {

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
    if (i.take("arrive")) return call("cluster_arrive", {}, {});
    return i.take("wait") ? call("cluster_wait", {}, {where}) : "";
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
  const bool counted = i.name == "st" && i.take("async") && i.take(complete_tx) && i.arguments.size() == 3;
  for (const char* space : {"global", "local", "const", "param", "relaxed"}) i.take(space);
  const std::size_t count = take_vector(i);
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() < 2) return {};
  const auto &memory = i.arguments[load ? 1 : 0], &registers = i.arguments[load ? 0 : 1];
  if (!memory.is_address || (registers.is_list() ? registers.parts.size() : 1) != count) return {};
  std::vector<std::string> all = {address(memory, shared)};
  if (counted) all.push_back(address(i.arguments[2], shared));
  for (const std::string& code : codes_of(registers)) all.push_back(code);
  return call(load      ? (ordered ? "ld_ordered" : "ld")
              : counted ? "st_async"
              : ordered ? "st_ordered"
                        : "st",
              {type}, all);
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
  const std::size_t first = reduction ? 0 : 1;  // the address's index
  for (const char* half : {"f16x2", "bf16x2", "f16", "bf16"}) {
    if (how != "add" || !i.take(half)) continue;
    const std::string name = half;
    const bool pair = name.rfind("x2") != name.npos;
    if (i.arguments.size() != first + 2 || !i.arguments[first].is_address) return {};
    return call("atom_half", {ptx_space + (pair ? name.substr(0, name.size() - 2) : name), pair ? "2" : "1"},
                {reduction ? ptx_space + "Nowhere{}" : i.arguments[0].code,
                 address(i.arguments[first], shared), i.arguments[first + 1].code});
  }
  const std::string type = i.take_type();
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
  const bool of_map = i.take("tensormap::generic") && i.take("acquire");  // takes the map and its size
  i.modifiers.clear();  // every kind of fence becomes the strongest one
  return i.arguments.size() == (of_map ? 2u : 0u) ? call("fence", {}, {}) : "";
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
  for (const std::string& code : codes_of(registers)) all.push_back(code);
  if (!memory.is_address || all.size() != count + 2) return {};
  return call(i.name, {transposed ? "true" : "false"}, all);
}

/// The matrix products of warps: the types of A and B, the type of their sum, and the shapes; also with a
/// sparse A. In one entry, A and B may have different types. The added matrix and the result have the same
/// type.
struct MatrixTypes {
  std::vector<std::string> factors, sums, shapes, sparse_sums, sparse_shapes;
};
const std::vector<MatrixTypes>& matrix_types() {
  using All = std::vector<std::string>;
  const All bits = {"m8n8k128", "m16n8k128", "m16n8k256"};
  static const std::vector<MatrixTypes> all = {
      {{"f16"}, {"f16", "f32"}, {"m16n8k8", "m16n8k16"}, {"f16", "f32"}, {"m16n8k16", "m16n8k32"}},
      {{"bf16"}, {"f32"}, {"m16n8k8", "m16n8k16"}, {"f32"}, {"m16n8k16", "m16n8k32"}},
      {{"tf32"}, {"f32"}, {"m16n8k4", "m16n8k8"}, {"f32"}, {"m16n8k8", "m16n8k16"}},
      {{"f64"}, {"f64"}, {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"}, {}, {}},
      {{"s8", "u8"}, {"s32"}, {"m8n8k16", "m16n8k16", "m16n8k32"}, {"s32"}, {"m16n8k32", "m16n8k64"}},
      {{"s4", "u4"}, {"s32"}, {"m8n8k32", "m16n8k32", "m16n8k64"}, {"s32"}, {"m16n8k64", "m16n8k128"}},
      {{"e4m3", "e5m2"}, {"f16", "f32"}, {"m16n8k16", "m16n8k32"}, {"f32"}, {"m16n8k64"}},
      {{"b1_and"}, {"s32"}, bits, {}, {}},
      {{"b1_xor"}, {"s32"}, bits, {}, {}},
  };
  return all;
}
std::string multiply_matrix(Instruction& i) {
  if (!i.take("sync")) return {};
  i.take("aligned");
  const bool ordered = i.take("sp::ordered_metadata"), sparse = i.take("sp") || ordered;
  const bool saturates = i.take("satfinite"), rounds = i.take("rn");
  if (!i.take("row") || !i.take("col")) return {};
  const auto shape_at = std::find_if(i.modifiers.begin(), i.modifiers.end(),
                                     [](const std::string& one) { return one[0] == 'm'; });
  if (shape_at == i.modifiers.end()) return {};
  const std::string shape = *shape_at;
  i.modifiers.erase(shape_at);
  name_bits(i);
  if (i.modifiers.size() != 4 || i.arguments.size() != (sparse ? 6u : 4u)) return {};
  const auto types = i.modifiers;  // d, a, b, c
  const auto has = [](const auto& all, const auto& wanted) {
    return std::find(all.begin(), all.end(), wanted) != all.end();
  };
  const auto& known = matrix_types();
  const auto of = std::find_if(known.begin(), known.end(), [&](const MatrixTypes& one) {
    return has(one.factors, types[1]) && has(one.factors, types[2]) && types[0] == types[3] &&
           has(sparse ? one.sparse_sums : one.sums, types[0]) &&
           has(sparse ? one.sparse_shapes : one.shapes, shape);
  });
  if (of == known.end()) return {};
  const bool of_bits = types[1].rfind("b1", 0) == 0;
  if ((saturates && (types[0] != "s32" || of_bits)) || (rounds && types[0] != "f64")) return {};
  i.modifiers.clear();
  const auto value = [&](const char* type, std::size_t index) {
    return ptx_space + "get<" + ptx_space + type + ">(" + i.arguments[index].code + ")";
  };
  std::string flags = ptx_space + "MmaFlags{" + (saturates ? "true" : "false");
  if (sparse)
    flags += ", " + ptx_space + "Metadata::" + (ordered ? "ordered" : "any_order") + ", {" + value("u32", 4) +
             ", " + value("s32", 5) + "}";
  std::vector<std::string> all = {where, flags + "}"};
  for (std::size_t k = 0; k < 4; ++k) {
    for (const std::string& code : codes_of(i.arguments[k]))
      all.push_back(k == 0 ? code : "::std::as_const(" + code + ")");
  }
  const std::size_t k_at = shape.find('k');
  const int depth = std::atoi(shape.c_str() + k_at + 1);
  const int elements = of_bits ? depth / 32 : depth;  // words
  return call("mma",
              {shape.substr(1, shape.find('n') - 1), std::to_string(elements), ptx_space + types[1],
               ptx_space + types[2], ptx_space + types[3], ptx_space + types[0], sparse ? "true" : "false"},
              all);
}
std::string transpose_matrix(Instruction& i) {
  for (const char* modifier : {"sync", "aligned", "m8n8", "trans", "b16"})
    if (!i.take(modifier)) return {};
  return i.arguments.size() == 2 ? call("movmatrix", {}, {where, i.arguments[0].code, i.arguments[1].code})
                                 : "";
}

std::string convert_address(Instruction& i) {
  const bool to = i.take("to"), shared = take_shared(i);
  for (const char* space : {"global", "local", "const", "param"}) i.take(space);
  const std::string type = i.take_type();
  if (type.empty() || i.arguments.size() != 2) return {};
  if (!shared) return call("mov", {type}, codes(i));
  return call(to ? "cvta_to_shared" : "cvta_shared", {}, codes(i));
}

}  // namespace

const Handlers& memory_instructions() {
  static const Handlers all = {
      {"cvta", convert_address},
      {"ld", memory},
      {"ldu", memory},
      {"st", memory},
      {"atom", atomic},
      {"red", atomic},
      {"membar", fence},
      {"fence", fence},
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
      {"movmatrix", transpose_matrix},
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

}  // namespace emucc::detail
