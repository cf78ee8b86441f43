// Declarations for code that is compiled for a tool (emucc --check, --counters). They are needed if the host compiler
// links the program, as in CMake projects: such a link uses emucc's libraries, but not its flags. With these
// declarations, the tool sees the code's accesses, too. This header must precede all headers of the C library.
#pragma once

/// These references make the linker include the tool. The tool then starts itself before the program.
/// Watchable code refers only to the entry points, which a program without a tool also has. If they are missing, the
/// linker's message contains the name of the missing option.
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

/// clang++ itself instruments copies by these functions. g++ calls the C library's functions, so they are renamed.
#if defined(CUEMU_WATCHED) && !defined(__clang__)
extern "C" {
void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memcpy");
void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memmove");
void* memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memset");
}
#endif
