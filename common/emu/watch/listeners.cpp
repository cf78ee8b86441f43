// Who listens, and which functions plain accesses call: those of the one tool, or one that calls those of all.
#include "listeners.hpp"

#include <utility>

namespace cuemu {

namespace {

void to_nobody(std::uintptr_t, const void*) {}

struct Listener {
  AccessListener* tool = nullptr;
  PlainAccesses plain = {};
};
// Tools come before any static constructor runs.
constinit Listener by_slot[tool_slots] = {};

template <unsigned size, bool writes>
void to_all(std::uintptr_t address, const void* pc) {
  for (const Listener& each : by_slot)
    if (each.tool != nullptr) (writes ? each.plain.write : each.plain.read)[size](address, pc);
}

template <unsigned... size>
constexpr PlainAccesses for_all(std::integer_sequence<unsigned, size...>) {
  return {{to_all<size, false>...}, {to_all<size, true>...}};
}

}  // namespace

constinit AccessListener* listeners[tool_slots + 1] = {};
constinit PlainAccesses plain = {{to_nobody, to_nobody, to_nobody, to_nobody, to_nobody},
                                 {to_nobody, to_nobody, to_nobody, to_nobody, to_nobody}};

void listen(AccessListener& listener, ToolSlot slot, const PlainAccesses& own) {
  by_slot[static_cast<unsigned>(slot)] = {&listener, own};
  unsigned count = 0;
  for (const Listener& each : by_slot)
    if (each.tool != nullptr) listeners[count++] = each.tool;
  plain = count == 1 ? own : for_all(std::make_integer_sequence<unsigned, PlainAccesses::sizes>());
}

}  // namespace cuemu
