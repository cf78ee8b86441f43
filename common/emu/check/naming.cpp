#include "naming.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "expression.hpp"
#include "pointer_names.hpp"
#include "timeline.hpp"

namespace cuemu::check {

std::string point(const dim3& dims, std::uint64_t linear) {
  const auto [x, y, z] = index_of(dims, linear);
  return point(uint3{x, y, z});
}

std::string point(const uint3& at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

kit_wire::Index index_of(const dim3& dims, std::uint64_t linear) {
  return {static_cast<unsigned>(linear % dims.x), static_cast<unsigned>(linear / dims.x % dims.y),
          static_cast<unsigned>(linear / (std::uint64_t{dims.x} * dims.y))};
}

kit_wire::Index index_of(const uint3& at) {
  return {at.x, at.y, at.z};
}

kit_wire::Access access_of(unsigned kind) {
  using kit_wire::Access;
  const bool write = (kind & writes) != 0;
  if ((kind & is_atomic) != 0) return write ? Access::atomic_update : Access::atomic_read;
  if ((kind & is_volatile) != 0) return write ? Access::volatile_write : Access::volatile_read;
  return write ? Access::write : Access::read;
}

const char* space_of(const Region& region) {
  switch (region.kind) {
    case RegionKind::device:
    case RegionKind::symbol:
      return "global";
    case RegionKind::managed:
      return "managed";
    case RegionKind::pinned:
    case RegionKind::registered:
      return "host";
    case RegionKind::shared:
      return "shared";
    case RegionKind::heap:
      return "heap";
  }
  return "";
}

std::string verb_of(unsigned kind) {
  if ((kind & is_atomic) != 0) return (kind & writes) != 0 ? "atomic update" : "atomic read";
  return std::string((kind & writes) != 0 ? "write" : "read") +
         ((kind & is_volatile) != 0 ? " (volatile)" : "");
}

std::string bytes_text(std::uint64_t bytes) {
  return grouped(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string at_line_of(const std::vector<void*>& stack) {
  const Line line = line_of(stack);
  return line.known() ? " at " + short_path(line.file) + ":" + std::to_string(line.line) : "";
}

std::string described(const Region& region) {
  const Line line = line_of(region.made_at);
  std::string text = "an allocation of " + bytes_text(region.bytes);
  if (line.known()) text += " (line " + std::to_string(line.line) + ")";
  return text;
}

std::string name_of_region(const Region& region) {
  if (!region.name.empty()) return region.name;
  return pointer_filled_by(region.made_at);
}

std::string allocated_note(const Region& region) {
  const std::string name = name_of_region(region), at = at_line_of(region.made_at);
  return (name.empty() ? std::string("the allocation") : name) + " has " + bytes_text(region.bytes) +
         (at.empty() ? "" : ", allocated" + at);
}

namespace {

/// Finds memory that a destructor freed at the end of a launch, because the launch had received a copy of an
/// object. Returns the class; empty if there is none.
std::string class_of_argument(const std::vector<void*>& stack) {
  const std::vector<Line> lines = users_lines(stack);
  const auto destructor = std::find_if(lines.begin(), lines.end(),
                                       [](const Line& line) { return line.function.rfind('~', 0) == 0; });
  const bool launches = std::any_of(destructor, lines.end(), [](const Line& line) {
    return text_of(line).find("<<<") != std::string::npos;
  });
  return launches ? destructor->function.substr(1) : "";
}

}  // namespace

std::string hint_of_free(const Region& region, const std::string& otherwise) {
  if (!text_of_call(line_of(region.freed_at), "cudaDeviceReset").empty())
    return "cudaDeviceReset() frees all memory of the device: call it after the last use of allocated "
           "memory, or "
           "leave it out";
  if (const std::string destroyed = class_of_argument(region.freed_at); !destroyed.empty())
    return "a kernel gets a copy of a " + destroyed +
           ", and the copy's destructor frees the memory when the launch "
           "returns: pass the pointer and the sizes, or an object whose class has no such destructor";
  return otherwise;
}

Party party(const BlockState& state, unsigned kind, Site site, std::uint32_t thread, std::uint32_t block,
            bool with_block) {
  std::string what = verb_of(kind) + " by thread " + point(state.launch->block, thread);
  if (with_block) what += " of block " + point(state.launch->grid, block);
  return {what, line_of(address_of(site)), access_of(kind), index_of(state.launch->block, thread),
          index_of(state.launch->grid, block)};
}

Party party_now(const BlockState& state, unsigned kind, Site site) {
  return party(state, kind, site, current_fiber->linear, state.clocks.block, true);
}

Party party_here(const std::string& verb, const Line& line, kit_wire::Access access) {
  const uint3& thread = current_fiber->thread_index;
  const uint3& block = current_fiber->block->block_index;
  return {verb + "thread " + point(thread) + " of block " + point(block), line, access, index_of(thread),
          index_of(block)};
}

namespace {
std::string file_of(const BlockState& state) {
  const char* const file = state.launch->kernel->info.file;
  if (file != nullptr && !source_lines(file).empty()) return file;
  // The file was moved after it was compiled. Debug information contains the absolute path of the launch's
  // file.
  return line_of(Timeline::get().now().stack).file;
}
}  // namespace

const std::vector<std::string>& dynamic_arrays(const BlockState& state) {
  return dynamic_arrays_in(file_of(state));
}

DynamicArray dynamic_array(const BlockState& state) {
  const std::string file = file_of(state);
  const auto* const code = reinterpret_cast<const void*>(state.launch->kernel->run_threads);
  return file.empty() ? DynamicArray{} : dynamic_array_of(file, code);
}

std::size_t index_in(const DynamicArray& array, std::size_t bytes, std::size_t size) {
  return bytes / (array.element != 0 ? array.element : size);
}

namespace {

ElementPlace place_in_shared(const BlockState& state, std::size_t at, std::size_t size) {
  const std::uint8_t owner = at / 4 < state.layout->owner.size() ? state.layout->owner[at / 4] : 0;
  if (owner == 0 || owner == SharedLayout::dynamic) {
    const DynamicArray array = dynamic_array(state);
    const std::size_t bytes = at - (state.dynamic_begin - state.arena_begin);
    const std::size_t index = index_in(array, bytes, size);
    return {array.name, {index}, index, "", true};
  }
  const SharedArray& found = state.layout->arrays[owner - 1u];
  std::size_t elements = 1;
  for (const std::size_t extent : found.extents) elements *= extent;
  const std::size_t position = (at - found.offset) / (found.bytes / elements);
  std::size_t index = position;
  std::vector<std::size_t> indices(found.extents.size());
  for (std::size_t i = found.extents.size(); i-- > 0; index /= found.extents[i])
    indices[i] = index % found.extents[i];
  return {found.name, indices, position, found.type, false};
}

std::string indices_of(const ElementPlace& place) {
  std::string text;
  for (const std::size_t index : place.indices) text += "[" + std::to_string(index) + "]";
  return text;
}

void set_element(Finding& finding, const ElementPlace& place, const char* space, std::size_t size) {
  finding.array = place.array;
  finding.element = {
      space, {place.indices.begin(), place.indices.end()}, static_cast<std::int64_t>(place.position), size};
}

}  // namespace

ElementPlace place_of(const BlockState& state, const Region& region, std::uintptr_t address,
                      std::size_t size) {
  const std::size_t index = (address - region.begin) / size;
  if (region.kind != RegionKind::shared) return {name_of_region(region), {index}, index, "", false};
  return place_in_shared(state, address - region.begin, size);
}

std::string shared_element(const BlockState& state, std::size_t at, std::size_t size, Finding& finding) {
  const ElementPlace place = place_in_shared(state, at, size);
  set_element(finding, place, "shared", size);
  const std::string indices = indices_of(place);
  if (!place.dynamic) return place.array + indices + " (shared " + place.type + ")";
  if (place.array.empty())
    return "element " + std::to_string(place.position) + " of the dynamic shared memory";
  return place.array + indices + " (dynamic shared memory)";
}

std::string element_name(const BlockState& state, const Region& region, std::uintptr_t address,
                         std::size_t size, Finding& finding) {
  if (region.kind == RegionKind::shared) return shared_element(state, address - region.begin, size, finding);
  const ElementPlace place = place_of(state, region, address, size);
  set_element(finding, place, space_of(region), size);
  if (place.array.empty()) return "element " + std::to_string(place.position) + " of " + described(region);
  return place.array + indices_of(place);
}

std::string whose(const BlockState& state, std::uint32_t home) {
  return home != state.clocks.block ? " of block " + point(state.launch->grid, home) : "";
}

std::uint64_t array_key(const BlockState& state, const Region& region, std::uintptr_t address) {
  if (region.kind != RegionKind::shared) return region.begin;
  const std::size_t word = (address - region.begin) / 4;
  const std::uint8_t owner = word < state.layout->owner.size() ? state.layout->owner[word] : 0;
  return owner != 0 ? owner : SharedLayout::dynamic;
}

std::string tidy_type(const std::string& type) {
  std::string text;
  for (std::size_t i = 0; i < type.size(); ++i)
    if (type[i] != ' ' || (i > 0 && i + 1 < type.size() && is_word(type[i - 1]) && is_word(type[i + 1])))
      text += type[i];
  return text;
}

SharedArray describe_shared(const char* description) {
  const std::string text = description;
  SharedArray array;
  if (const std::size_t open = text.find("T = "); open != text.npos) {
    std::size_t end = open + 4;
    for (int depth = 0; end < text.size(); ++end) {
      const char c = text[end];
      if (depth == 0 && (c == ';' || c == ',')) break;
      depth += c == '[' || c == '<' || c == '(' ? 1 : c == ']' || c == '>' || c == ')' ? -1 : 0;
    }
    array.type = text.substr(open + 4, end - open - 4);
  }
  array.type = tidy_type(array.type);
  const char* const stem = "cuemu_shared_";
  if (const std::size_t at = text.rfind(stem); at != text.npos) {
    array.name = text.substr(at + std::strlen(stem));
    array.name = array.name.substr(0, array.name.find_first_of("];> "));
    array.name = array.name.substr(0, array.name.rfind('_'));
  }
  if (array.type.find("cuemu_") != array.type.npos) array.type = "memory";
  for (std::size_t at = array.type.find('['); at != array.type.npos; at = array.type.find('[', at + 1)) {
    const unsigned long extent = std::strtoul(array.type.c_str() + at + 1, nullptr, 10);
    if (extent != 0) array.extents.push_back(extent);
  }
  if (array.name.empty()) array.name = "a shared variable";
  return array;
}

}  // namespace cuemu::check
