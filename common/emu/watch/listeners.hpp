// The listening tools, for the entry points of the compilers' instrumentation.
#pragma once

#include "access_listener.hpp"

namespace cuemu {

/// In the order of their slots, then null.
extern AccessListener* listeners[tool_slots + 1];
/// Empty functions until a tool listens. Hidden, so that calling code knows its address.
[[gnu::visibility("hidden")]] extern HotEvents hot;

template <class... Parameters, class... Arguments>
void hand_on(void (AccessListener::*event)(Parameters...), Arguments... arguments) {
  for (AccessListener* const* each = listeners; *each != nullptr; ++each) ((*each)->*event)(arguments...);
}

}  // namespace cuemu
