// Included before each source of the runtime, so that the runtime's `new` allocates from a separate heap
// (own_heap.cpp), and the program's `new` from the C library. The assembler renames the calls, including calls from
// templates.
#pragma once

#if !defined(CUEMU_PROGRAMS_NEW) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__asm__("_Znwm = cuemu_own_new");
__asm__("_Znam = cuemu_own_new");
#endif
