// Included in front of each source of the runtime: its `new` takes memory from the runtime's own heap (own_heap.cpp), the
// program's from the C library's. The assembler renames the calls, wherever the compiler or a template has them from.
#pragma once

#if !defined(CUEMU_PROGRAMS_NEW) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__asm__("_Znwm = cuemu_own_new");
__asm__("_Znam = cuemu_own_new");
#endif
