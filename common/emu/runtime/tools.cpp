#include "tools.hpp"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define CUEMU_HAS_VALGRIND 1
#endif

namespace cuemu {

#if defined(CUEMU_HAS_VALGRIND)
bool under_valgrind() {
  static const bool answer = RUNNING_ON_VALGRIND != 0;
  return answer;
}
void register_stack(const void* low, const void* high) {
  VALGRIND_STACK_REGISTER(low, static_cast<const unsigned char*>(high) - 1);
}
#else
bool under_valgrind() {
  return false;
}
void register_stack(const void*, const void*) {}
#endif

}  // namespace cuemu
