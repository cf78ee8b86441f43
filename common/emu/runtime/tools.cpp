#include "tools.hpp"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define CUEMU_HAS_VALGRIND 1
#endif

namespace cuemu {

bool on_valgrind() {
#if defined(CUEMU_HAS_VALGRIND)
  return RUNNING_ON_VALGRIND != 0;
#else
  return false;
#endif
}

void register_stack([[maybe_unused]] const void* low, [[maybe_unused]] const void* high) {
#if defined(CUEMU_HAS_VALGRIND)
  VALGRIND_STACK_REGISTER(low, static_cast<const unsigned char*>(high) - 1);
#endif
}

}  // namespace cuemu
