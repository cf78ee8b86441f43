/// @file
/// Undefines the macros of the instrumentation. Only the headers before this header use them, and a program must not
/// see them. cuda_runtime.h includes this header last. emucc includes it again after a precompiled header, after which
/// macros of the command line are still defined.
#undef CUEMU_CHECK
#undef CUEMU_COUNTERS
#undef CUEMU_WATCHABLE
#undef CUEMU_WATCHED
