// The listening tools, and the functions for frequent events. If only one tool listens, they are this tool's functions;
// otherwise they call all tools.
#include "listeners.hpp"

#include <utility>

namespace cuemu {

namespace {

struct Listener {
  AccessListener* tool = nullptr;
  HotEvents hot = {};
};
// Tools register before any static constructor runs.
constinit Listener by_slot[tool_slots] = {};

template <class Report>
void to_each(const Report& report) {
  for (const Listener& each : by_slot)
    if (each.tool != nullptr) report(each.hot);
}

template <unsigned size, bool writes>
void access_to_all(std::uintptr_t address, const void* pc) {
  to_each([&](const HotEvents& hot) { (writes ? hot.write : hot.read)[size](address, pc); });
}

void enter_to_all(const void* caller) {
  to_each([&](const HotEvents& hot) { hot.enter(caller); });
}

void leave_to_all() {
  to_each([](const HotEvents& hot) { hot.leave(); });
}

/// Functions that call all listening tools. They do nothing before a tool registers.
template <unsigned... size>
constexpr HotEvents to_all(std::integer_sequence<unsigned, size...>) {
  return {{access_to_all<size, false>...}, {access_to_all<size, true>...}, enter_to_all, leave_to_all};
}

}  // namespace

constinit AccessListener* listeners[tool_slots + 1] = {};
constinit HotEvents hot = to_all(std::make_integer_sequence<unsigned, HotEvents::sizes>());

void listen(AccessListener& listener, ToolSlot slot, const HotEvents& own) {
  by_slot[static_cast<unsigned>(slot)] = {&listener, own};
  unsigned count = 0;
  for (const Listener& each : by_slot)
    if (each.tool != nullptr) listeners[count++] = each.tool;
  hot = count == 1 ? own : to_all(std::make_integer_sequence<unsigned, HotEvents::sizes>());
}

}  // namespace cuemu
