// External tools under which a program may run: linked sanitizers, and valgrind. The same runtime library works with
// and without these tools.
#pragma once

#include <cstddef>
#include <cstdint>

// These functions are defined in programs built with a sanitizer, and null in others.
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                          std::size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom,
                                                           std::size_t* size);
__attribute__((weak)) void* __tsan_get_current_fiber();
__attribute__((weak)) void* __tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}

namespace cuemu {

inline bool address_sanitizer() {
  return __sanitizer_start_switch_fiber != nullptr && __tsan_switch_to_fiber == nullptr;
}
inline bool thread_sanitizer() {
  return __tsan_switch_to_fiber != nullptr;
}
/// Returns an address within the sanitizer's own code, or 0.
inline std::uintptr_t sanitizer_code() {
  return reinterpret_cast<std::uintptr_t>(__sanitizer_start_switch_fiber);
}

/// Returns whether the program runs under valgrind.
bool on_valgrind();
/// Registers [low, high) as a stack with valgrind.
void register_stack(const void* low, const void* high);

}  // namespace cuemu
