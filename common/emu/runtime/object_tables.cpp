#include "object_tables.hpp"

#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <mutex>
#include <set>
#include <typeinfo>
#include <vector>

#include "cuemu/launch.hpp"
#include "host_pointers.hpp"
#include "memory.hpp"
#include "services.hpp"
#include "symbols.hpp"

namespace cuemu {

namespace {

struct Tables {
  std::mutex mutex;
  std::vector<AddressRange> data;   ///< data segments of programs and libraries with virtual functions
  std::set<std::uintptr_t> turned;  ///< the tables to which copied objects pointed
};
Tables& tables() {
  static Tables* const all = new Tables;
  return *all;
}

/// Whether any source of the program has virtual functions. Host code's reads of pointers test this first.
std::atomic<bool> any_tables{false};

bool lies_in(const std::vector<AddressRange>& ranges, std::uintptr_t address) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const AddressRange& range) { return address - range.begin < range.bytes; });
}

struct Plain {};
struct OtherPlain {};
struct Derived : Plain {};
struct Several : Plain, OtherPlain {};

/// Returns whether the object is a std::type_info of a class, which has one of three types by the C++ ABI.
bool is_type_of_class(std::uintptr_t type) {
  const auto table_of = [](const std::type_info& known) {
    return *reinterpret_cast<const std::uintptr_t*>(&known);
  };
  const auto its = *reinterpret_cast<const std::uintptr_t*>(type);
  return its == table_of(typeid(Plain)) || its == table_of(typeid(Derived)) ||
         its == table_of(typeid(Several));
}

/// Returns whether the pointer leads to a table of virtual functions. By the C++ ABI, the word before the
/// functions points to the class's type_info.
bool is_table(const std::vector<AddressRange>& data, std::uintptr_t pointer) {
  constexpr std::size_t word = sizeof(void*);
  if (pointer % word != 0 || !lies_in(data, pointer - word) || !is_mapped(pointer - word)) return false;
  const auto type = *reinterpret_cast<const std::uintptr_t*>(pointer - word);
  return type % word == 0 && lies_in(data, type) && is_mapped(type) && is_type_of_class(type);
}

void turn_words(Tables& all, unsigned char* begin, std::size_t bytes) {
  const DeviceAccess access;
  constexpr std::size_t word = sizeof(void*);
  for (std::size_t at = -reinterpret_cast<std::uintptr_t>(begin) % word; at + word <= bytes; at += word) {
    std::uintptr_t pointer = 0;
    std::memcpy(&pointer, begin + at, word);
    if (is_table(all.data, pointer))
      all.turned.insert(pointer);
    else if (!is_table(all.data, pointer ^ host_bit))
      continue;
    pointer = turn_host_bit(pointer);
    std::memcpy(begin + at, &pointer, word);
  }
}

/// Returns whether only the host owns the memory; managed memory belongs to both sides.
bool is_the_hosts(const void* memory) {
  Allocation found;
  if (find_allocation(memory, found))
    return found.kind != MemoryKind::managed && found.kind != MemoryKind::device;
  return symbol_kind(memory) == SymbolKind::none;
}
bool is_the_devices(const void* memory) {
  Allocation found;
  if (find_allocation(memory, found)) return found.kind == MemoryKind::device;
  return symbol_kind(memory) == SymbolKind::device;
}

}  // namespace

RegisterTables::RegisterTables() {
  const auto own = reinterpret_cast<std::uintptr_t>(this);
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* sought) {
        std::vector<AddressRange> data;
        for (int i = 0; i < object->dlpi_phnum; ++i)
          if (const auto& part = object->dlpi_phdr[i]; part.p_type == PT_LOAD && (part.p_flags & PF_X) == 0)
            data.push_back({object->dlpi_addr + part.p_vaddr, part.p_memsz});
        if (!lies_in(data, *static_cast<const std::uintptr_t*>(sought))) return 0;
        const std::lock_guard<std::mutex> lock(tables().mutex);
        tables().data.insert(tables().data.end(), data.begin(), data.end());
        any_tables = true;
        return 1;
      },
      const_cast<std::uintptr_t*>(&own));
}

void turn_object_tables(const CopyView& copied) {
  Tables& all = tables();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (all.data.empty()) return;
  const bool to_device = copied.direction == cudaMemcpyHostToDevice;
  if (!to_device && copied.direction != cudaMemcpyDeviceToHost) return;
  if (!is_the_devices(to_device ? copied.to.at : copied.from.at) ||
      !is_the_hosts(to_device ? copied.from.at : copied.to.at))
    return;
  const Box& box = copied.box;
  for (std::size_t row = 0; row < box.depth * box.height; ++row)
    turn_words(all, copied.to.at + row / box.height * copied.to.slice + row % box.height * copied.to.row,
               box.width);
}

void turn_object_tables(unsigned char* arguments, std::size_t bytes) {
  Tables& all = tables();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.data.empty()) turn_words(all, arguments, bytes);
}

bool is_object_table(std::uintptr_t pointer) {
  if (!any_tables) return false;
  Tables& all = tables();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return is_table(all.data, pointer);
}

bool in_turned_table(std::uintptr_t address) {
  constexpr std::size_t largest = 4096;
  Tables& all = tables();
  const std::unique_lock<std::mutex> lock(all.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  const auto after = all.turned.upper_bound(address);
  return after != all.turned.begin() && address - *std::prev(after) < largest;
}

}  // namespace cuemu
