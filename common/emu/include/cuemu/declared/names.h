// Declares the names CUEMU_NAMES of a library that is not emulated; CUEMU_LIBRARY is the library's title.
//
// Many programs include such headers without calling their functions, so types, values and all functions are
// declared. If a call remains, the host compiler reports the sentence below at the user's line.
// (This file is included once for each library, so it has no #pragma once. The .inc files in this folder are plain
// lists.)
#ifdef __cplusplus
#define CUEMU_FUNCTION(NAME)                                                                              \
  template <class... Arguments>                                                                           \
  __attribute__((error(CUEMU_LIBRARY ", of which the emulation has only the declarations"))) CUEMU_RESULT \
  NAME(Arguments&&...);
#else
#define CUEMU_FUNCTION(NAME)                                                                              \
  __attribute__((error(CUEMU_LIBRARY ", of which the emulation has only the declarations"))) CUEMU_RESULT \
  NAME();
#endif

#include CUEMU_NAMES

#undef CUEMU_FUNCTION
#undef CUEMU_LIBRARY
#undef CUEMU_NAMES
