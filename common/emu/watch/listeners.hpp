// The listening tools; the entry points of the compilers' instrumentation read this list.
#pragma once

#include "access_listener.hpp"

namespace cuemu {

#ifndef CUEMU_NO_LISTENERS
/// The listening tools in the order of their slots, then null.
extern AccessListener* listeners[tool_slots + 1];
/// The functions for frequent events, which are empty until a tool listens. The table is hidden, so that calling code
/// addresses it directly.
[[gnu::visibility("hidden")]] extern HotEvents hot;
#else
/// In libcuemu_unwatched.a, the compiler knows that there are no listeners, so the entry points become empty functions.
static constexpr AccessListener* listeners[1] = {};
struct NoTool {
  template <unsigned bytes, bool writes>
  static void plain_access(std::uintptr_t, const void*) {}
  static void enter(const void*) {}
  static void leave() {}
};
static constexpr HotEvents hot = hot_events<NoTool>();
#endif

template <class... Parameters, class... Arguments>
void hand_on(void (AccessListener::*event)(Parameters...), Arguments... arguments) {
  for (AccessListener* const* each = listeners; *each != nullptr; ++each) ((*each)->*event)(arguments...);
}

}  // namespace cuemu
