// Declares the names CUEMU_NAMES of a library that the emulation does not have; CUEMU_LIBRARY is its title.
//
// Programs include such headers even where they call nothing of them, so types and values are there and every function is
// declared. The host compiler says the sentence where a call is left after all, at the user's line.
// (Read once for each library, so there is no #pragma once. The .inc files beside it are lists, not laid out by hand.)
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
