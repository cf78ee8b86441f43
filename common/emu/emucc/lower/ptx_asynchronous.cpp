// Translates PTX that a GPU runs asynchronously: copies by threads and bulk copies, tiles of tensors,
// mbarriers, wgmma.
//
// In the emulation, an operation is complete as soon as it is issued. The called functions document their
// effects on the operation's barrier (cuemu/bulk_copy.hpp, cuemu/ptx/wgmma.hpp).
#include <cstdlib>

#include "lower/ptx_calls.hpp"

namespace emucc::detail {
namespace {

/// The destination and the source of a copy. The instruction names the spaces in this order.
struct Spaces {
  bool to_shared = false, from_shared = false;
};
Spaces take_spaces(Instruction& i) {
  std::vector<bool> shared;
  auto& all = i.modifiers;
  for (auto modifier = all.begin(); modifier != all.end();) {
    const bool here = modifier->rfind("shared", 0) == 0;
    if (here || *modifier == "global") {
      shared.push_back(here);
      modifier = all.erase(modifier);
    } else {
      ++modifier;
    }
  }
  return shared.size() == 2 ? Spaces{shared[0], shared[1]} : Spaces{};
}

/// Returns the number of the tile's dimensions in `.2d`; zero if there is none.
std::size_t take_dimensions(Instruction& i) {
  std::size_t dimensions = 0;
  for (const char* count : {"1d", "2d", "3d", "4d", "5d"}) {
    ++dimensions;
    if (i.take(count)) return dimensions;
  }
  return 0;
}
/// Returns the map's address and the coordinates in `[map, {c0, c1}]`.
std::string map_of(const PtxArgument& argument) {
  return address(argument, false);
}
std::string coordinates_of(const PtxArgument& argument) {
  return ptx_space + "coordinates(" + joined(codes_of(argument.parts.front())) + ")";
}
/// Returns the coordinates of a column of pixels, with the offsets of a load.
std::string im2col_coordinates_of(const PtxArgument& argument, const std::vector<std::string>& offsets) {
  return ptx_space + "im2col(" + coordinates_of(argument) + (offsets.empty() ? "" : ", ") + joined(offsets) +
         ")";
}
bool is_place(const PtxArgument& argument) {
  return argument.is_address && argument.parts.size() == 1;
}

/// Returns the name of the Reduction for `.add`, `.min` …
std::string take_reduction(Instruction& i) {
  for (const char* how : {"add", "min", "max", "inc", "dec"})
    if (i.take(how)) return ptx_space + "Reduction::" + how;
  for (const char* how : {"and", "or", "xor"})
    if (i.take(how)) return ptx_space + "Reduction::" + how + "_";
  return {};
}

std::string copy_tile(Instruction& i, const std::string& reduction) {
  const bool multicast = i.take("multicast::cluster"), counted = i.take(complete_tx);
  const Spaces spaces = take_spaces(i);
  i.take("bulk_group");
  const auto& all = i.arguments;
  const std::size_t dimensions = take_dimensions(i);
  const bool im2col = i.take(spaces.to_shared ? "im2col" : "im2col_no_offs");
  if (dimensions == 0 || (im2col ? dimensions < 3 : false)) return {};
  if (!im2col) i.take("tile");
  if (!spaces.to_shared) {  // only a hint may follow the source
    if (counted || all.size() < 2 || !is_place(all[0]) || !all[1].is_address) return {};
    return call(reduction.empty() ? "store_tile" : "reduce_tile", {reduction},
                {map_of(all[0]), im2col ? im2col_coordinates_of(all[0], {}) : coordinates_of(all[0]),
                 address(all[1], true)});
  }
  const std::size_t blocks = im2col ? 4 : 3;  // 4 or 3: after the barrier and the offsets
  if (!counted || !reduction.empty() || all.size() < blocks + (multicast ? 1 : 0)) return {};
  if (!all[0].is_address || !is_place(all[1]) || !all[2].is_address) return {};
  if (im2col && codes_of(all[3]).size() != dimensions - 2) return {};
  return call("load_tile", {},
              {address(all[0], true), map_of(all[1]),
               im2col ? im2col_coordinates_of(all[1], codes_of(all[3])) : coordinates_of(all[1]),
               address(all[2], true), multicast ? all[blocks].code : ""});
}

std::string copy_bulk(Instruction& i, const std::string& reduction) {
  const bool multicast = i.take("multicast::cluster"), counted = i.take(complete_tx);
  const Spaces spaces = take_spaces(i);
  i.take("bulk_group");
  i.take("noftz");
  const auto& all = i.arguments;
  if (all.size() < 3 + (counted ? 1u : 0u) + (multicast ? 1u : 0u)) return {};
  if (!all[0].is_address || !all[1].is_address || (counted && !all[3].is_address)) return {};
  std::string type;
  if (!reduction.empty()) {
    type = i.take("f16") ? ptx_space + "f16" : i.take("bf16") ? ptx_space + "bf16" : i.take_type();
    if (type.empty()) return {};
  }
  return call(reduction.empty() ? "cp_async_bulk" : "cp_reduce_async_bulk", {reduction, type},
              {address(all[0], spaces.to_shared), address(all[1], spaces.from_shared), all[2].code,
               counted ? address(all[3], true) : "", multicast ? all[4].code : ""});
}

/// Translates cp.async of one thread.
std::string copy_few(Instruction& i) {
  if (i.take("commit_group")) return call("cp_async_commit", {}, {});
  if (i.take("wait_all")) return call("cp_async_wait_all", {}, {});
  if (i.take("wait_group"))
    return i.arguments.size() == 1 ? call("cp_async_wait", {}, {i.arguments[0].code}) : "";
  if (i.take("mbarrier")) {
    i.modifiers.clear();  // .arrive(.noinc).shared.b64: no copy is pending
    return done;
  }
  const bool shared = take_shared(i);
  if (!i.take("global") || i.arguments.size() < 3 || !i.arguments[0].is_address) return {};
  return call("cp_async", {},
              {address(i.arguments[0], shared), address(i.arguments[1], false), i.arguments[2].code,
               i.arguments.size() == 4 ? i.arguments[3].code : ""});
}

std::string copy_async(Instruction& i) {
  take_hints(i);
  const bool reduces = i.take("reduce");
  if (!i.take("async")) return {};
  if (!i.take("bulk")) return reduces ? "" : copy_few(i);
  if (i.take("commit_group") || i.take("wait_group")) {
    i.take("read");
    return done;
  }
  if (i.take("prefetch")) {
    i.modifiers.clear();
    return done;
  }
  const bool tile = i.take("tensor");
  const std::string reduction = reduces ? take_reduction(i) : "";
  if (reduces && reduction.empty()) return {};
  return tile ? copy_tile(i, reduction) : copy_bulk(i, reduction);
}

/// A field of a tensor map, and whether it exists once for each dimension.
struct MapField {
  const char* name;
  bool has_dimensions, is_wide;
};
constexpr MapField map_fields[] = {
    {"global_address", false, true}, {"rank", false, false},
    {"box_dim", true, false},        {"global_dim", true, false},
    {"global_stride", true, true},   {"element_stride", true, false},
    {"elemtype", false, false},      {"interleave_layout", false, false},
    {"swizzle_mode", false, false},  {"swizzle_atomicity", false, false},
    {"fill_mode", false, false},
};
/// Translates tensormap.replace.tile.FIELD. Its operands are the map, the dimension if there are several, and
/// the new value.
std::string replace_field(Instruction& i) {
  const bool shared = take_shared(i);
  i.take("global");
  const auto& all = i.arguments;
  if (!i.take("tile") || !i.take("b1024") || all.size() < 2 || !all[0].is_address) return {};
  for (const MapField& field : map_fields) {
    if (!i.take(field.name)) continue;
    if (!i.take(field.is_wide ? "b64" : "b32") || all.size() != (field.has_dimensions ? 3u : 2u)) return {};
    return call("tensormap_replace",
                {ptx_space + "MapField::" + field.name, ptx_space + (field.is_wide ? "u64" : "u32")},
                {address(all[0], shared), field.has_dimensions ? all[1].code : "0u", all.back().code});
  }
  return {};
}
std::string change_map(Instruction& i) {  // tensormap
  if (i.take("replace")) return replace_field(i);
  const auto& all = i.arguments;
  if (!i.take("cp_fenceproxy") || !i.take("global") || !take_shared(i) || !i.take("tensormap::generic") ||
      !i.take("release") || !i.take("sync") || !i.take("aligned"))
    return {};
  take_order(i);
  if (all.size() != 3 || !all[0].is_address || !all[1].is_address) return {};
  return call("tensormap_cp_fenceproxy", {},
              {address(all[0], false), address(all[1], true), all[2].code, where});
}

std::string mbarrier(Instruction& i) {
  take_order(i);
  const bool shared = take_shared(i);
  i.take("b64");
  const bool parity = i.take("parity"), bytes = i.take("expect_tx");
  const auto& all = i.arguments;
  const auto at = [&](std::size_t index) { return address(all[index], shared); };
  const auto is_at = [&](std::size_t index) { return all.size() > index && all[index].is_address; };
  if (i.take("init"))
    return is_at(0) && all.size() == 2 ? call("mbarrier_init", {}, {at(0), all[1].code}) : "";
  if (i.take("inval")) return is_at(0) ? done : "";
  if (i.take("complete_tx") || (bytes && i.modifiers.empty()))
    return is_at(0) && all.size() == 2
               ? call(bytes ? "mbarrier_expect_tx" : "mbarrier_complete_tx", {}, {at(0), all[1].code})
               : "";
  i.take("noComplete");
  if (i.take("arrive") || i.take("arrive_drop")) {
    const bool drops = i.full.find("arrive_drop") != std::string::npos;
    const std::size_t first = is_at(0) ? 0 : 1;
    if (!is_at(first)) return {};
    const std::string state = first == 0 ? ptx_space + "Nowhere{}" : all[0].code;
    const std::string number = all.size() > first + 1 ? all[first + 1].code : "";
    if (drops) return bytes || !number.empty() ? "" : call("mbarrier_arrive_drop", {}, {state, at(first)});
    if (bytes && number.empty()) return {};
    return call(bytes ? "mbarrier_arrive_expect_tx" : "mbarrier_arrive", {}, {state, at(first), number});
  }
  if ((i.take("test_wait") || i.take("try_wait")) && all.size() >= 3 && is_at(1))
    return call("set", {},
                {all[0].code, ptx_space + (parity ? "mbarrier_wait_parity(" : "mbarrier_wait(") + at(1) +
                                  ", " + all[2].code + ")"});
  return {};
}

std::string map_address(Instruction& i) {  // mapa
  const bool shared = take_shared(i);
  if (i.take_type().empty() || i.arguments.size() != 3) return {};
  return call(shared ? "mapa_shared" : "mapa", {}, codes(i));
}
std::string rank_of_address(Instruction& i) {  // getctarank
  const bool shared = take_shared(i);
  if (i.take_type().empty() || i.arguments.size() != 2) return {};
  PtxArgument address_of = i.arguments[1];
  address_of.offset = "0";
  return call("set", {},
              {i.arguments[0].code, ptx_space + "getctarank_of(" + address(address_of, shared) + ")"});
}

/// Translates wgmma.mma_async. Its operands are, in order: D; A in registers or as a descriptor; B's
/// descriptor; with .sp, the metadata and its selector; a flag for adding D. Products of reals then have the
/// factors of A and B. Products of halves then have the transpose flags of the matrices in shared memory.
std::string multiply_groups(Instruction& i) {
  if (!i.take("sync") || !i.take("aligned")) return {};
  if (i.take("fence") || i.take("commit_group") || i.take("wait_group")) return done;
  if (!i.take("mma_async")) return {};
  const bool sparse = i.take("sp"), saturates = i.take("satfinite");
  int columns = 0, depth = 0;
  for (std::size_t k = 0; k < i.modifiers.size() && columns == 0; ++k) {
    const std::string& shape = i.modifiers[k];
    if (shape.rfind("m64n", 0) != 0) continue;
    const std::size_t split = shape.find('k');
    if (split == shape.npos) return {};
    columns = std::atoi(shape.substr(4, split - 4).c_str());
    depth = std::atoi(shape.substr(split + 1).c_str());
    i.modifiers.erase(i.modifiers.begin() + static_cast<std::ptrdiff_t>(k));
  }
  name_bits(i);
  if (columns < 8 || columns > 256 || columns % 8 != 0 || i.modifiers.size() != 3) return {};
  const std::vector<std::string> types = i.modifiers;  // d, a, b
  i.modifiers.clear();

  const auto is = [&](const std::string& type, std::initializer_list<const char*> all) {
    return std::find(all.begin(), all.end(), type) != all.end();
  };
  const bool halves = is(types[1], {"f16", "bf16"}) && types[1] == types[2];
  const bool bytes = is(types[1], {"e4m3", "e5m2"}) && is(types[2], {"e4m3", "e5m2"});
  const bool bits = types[1] == "b1_and" && types[2] == "b1_and" && !sparse;
  const bool integers = (is(types[1], {"s8", "u8"}) && is(types[2], {"s8", "u8"})) || bits;
  const bool tf32 = types[1] == "tf32" && types[2] == "tf32";
  const int expected_depth = (bits ? 256 : halves ? 16 : tf32 ? 8 : 32) * (sparse ? 2 : 1);
  if (integers && columns % 16 != 0 && columns != 8 && columns != 24) return {};
  if (saturates && (bits || !integers)) return {};
  const bool half_sum = types[0] == "f16" && (types[1] == "f16" || bytes);
  const bool known_sum = integers ? types[0] == "s32" : types[0] == "f32" || half_sum;
  if (!(halves || bytes || integers || tf32) || !known_sum || depth != expected_depth) return {};

  const auto& all = i.arguments;
  const std::size_t registers = static_cast<std::size_t>(columns / (half_sum ? 4 : 2));
  if (all.size() < (sparse ? 6 : 4) || codes_of(all[0]).size() != registers) return {};
  const bool a_in_registers = all[1].is_list();
  if (a_in_registers && all[1].parts.size() != 4) return {};
  const std::size_t adds = sparse ? 5 : 3;  // the position of the flag for adding D
  const std::size_t factors = integers ? 0 : 2, transposed = halves ? (a_in_registers ? 1 : 2) : 0;
  if (all.size() != adds + 1 + factors + transposed) return {};
  const auto immediate = [&](std::size_t index) {
    return ptx_space + "get<" + ptx_space + "s32>(" + all[index].code + ")";
  };
  const auto negative = [&](std::size_t index) { return factors == 0 ? "false" : immediate(index) + " < 0"; };
  const auto flag = [&](std::size_t index) { return immediate(index) + " != 0"; };
  const std::string transposes_a = transposed == 2 ? flag(adds + 3) : "false";
  const std::string transposes_b = transposed == 0 ? "false" : flag(all.size() - 1);

  std::string addresses;
  for (const std::string& code : codes_of(all[0])) addresses += (addresses.empty() ? "&" : ", &") + code;
  std::vector<std::string> a = codes_of(all[1]);
  if (!a_in_registers) a[0] = ptx_space + "get<" + ptx_space + "u64>(" + a[0] + ")";
  a.insert(a.begin(), std::string("::std::") + (a_in_registers ? "true_type{}" : "false_type{}"));
  const std::string sparsity = !sparse ? ""
                                       : ptx_space + "Sparsity{" + ptx_space + "get<" + ptx_space + "u32>(" +
                                             all[3].code + "), " + immediate(4) + "}";
  return "{ void* const cuemu_d[] = {" + addresses + "}; " +
         call(sparse ? "wgmma_sparse" : "wgmma",
              {std::to_string(columns), ptx_space + types[1], ptx_space + types[2], ptx_space + types[0]},
              {where, "cuemu_d", ptx_space + "WgmmaA(" + joined(a) + ")",
               ptx_space + "get<" + ptx_space + "u64>(" + all[2].code + ")", sparsity,
               ptx_space + "WgmmaFlags{" + ptx_space + "get<bool>(" + all[adds].code + "), " +
                   negative(adds + 1) + ", " + negative(adds + 2) + ", " + transposes_a + ", " +
                   transposes_b + (saturates ? ", true}" : "}")}) +
         " }";
}

}  // namespace

const Handlers& asynchronous_instructions() {
  static const Handlers all = {
      {"cp", copy_async},         {"mbarrier", mbarrier},
      {"mapa", map_address},      {"getctarank", rank_of_address},
      {"wgmma", multiply_groups}, {"tensormap", change_map},
  };
  return all;
}

}  // namespace emucc::detail
