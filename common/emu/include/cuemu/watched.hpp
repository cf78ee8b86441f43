// Parts of code compiled for a tool (emucc --check, --counters), by which the tool also sees its accesses if the host
// compiler links it, as in CMake projects: emucc's flags don't reach such a link, only its libraries do. Must precede
// all headers of the C library.
#pragma once

/// The tool starts itself before the program. Only these references make the linker include it. Watchable code needs the
/// entry points alone, which a program without a tool has too. A link without them names the missing option.
/// @{
#ifdef CUEMU_WATCHABLE
extern "C" const char cuemu_hooks_are_linked;
[[gnu::used]] static const char* const cuemu_needs_hooks = &cuemu_hooks_are_linked;
#endif
#if defined(CUEMU_CHECK) && !defined(CUEMU_WATCHABLE)
extern "C" const char cuemu_check_is_linked;
[[gnu::used]] static const char* const cuemu_needs_check = &cuemu_check_is_linked;
#endif
#if defined(CUEMU_COUNTERS) && !defined(CUEMU_WATCHABLE)
extern "C" const char cuemu_counters_are_linked;
[[gnu::used]] static const char* const cuemu_needs_counters = &cuemu_counters_are_linked;
#endif
/// @}

/// clang++ instruments copies by these functions itself; g++ calls the C library's, so they are renamed.
#if defined(CUEMU_WATCHED) && !defined(__clang__)
extern "C" {
void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memcpy");
void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memmove");
void* memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memset");
}
#endif
