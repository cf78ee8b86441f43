// What code that is compiled for a tool (emucc --check, --counters) has in it, so that the tool sees what it does also where
// the host's own compiler links it, as CMake has it do: no flag of emucc's reaches such a link, only its libraries.
// Before all headers of the C library.
#pragma once

/// The tool begins by itself before the program does. Nothing else asks for it, and the linker leaves out what nobody asks for.
/// @{
#ifdef CUEMU_CHECK
extern "C" const char cuemu_check_is_linked;
[[gnu::used]] static const char* const cuemu_needs_check = &cuemu_check_is_linked;
#endif
#ifdef CUEMU_COUNTERS
extern "C" const char cuemu_counters_are_linked;
[[gnu::used]] static const char* const cuemu_needs_counters = &cuemu_counters_are_linked;
#endif
/// @}

/// clang++ tells of copies by these functions itself; g++ calls the C library's, so they get these names.
#if defined(CUEMU_WATCHED) && !defined(__clang__)
extern "C" {
void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memcpy");
void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memmove");
void* memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept __asm__("__tsan_memset");
}
#endif
