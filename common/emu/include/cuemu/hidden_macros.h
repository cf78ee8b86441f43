/// @file
/// Ends the instrumentation's macros: only the headers before this one use them, and a program does not notice them.
/// cuda_runtime.h includes it last. emucc includes it again after a precompiled header, which leaves macros of the
/// command line defined.
#undef CUEMU_CHECK
#undef CUEMU_COUNTERS
#undef CUEMU_WATCHABLE
#undef CUEMU_WATCHED
