// The entry points of -fsanitize-coverage=trace-pc,trace-cmp: beginnings of basic blocks, and comparisons in
// conditions. Only the location of a condition is used; it is the line of the `if`.
#include <cstdint>

#include "listeners.hpp"

#define CALLER __builtin_return_address(0)

extern "C" {

void __sanitizer_cov_trace_pc() {
  cuemu::hand_on(&cuemu::AccessListener::control, false, CALLER);
}

#define COMPARES(NAME, TYPE)                                       \
  void __sanitizer_cov_trace_##NAME(TYPE, TYPE) {                  \
    cuemu::hand_on(&cuemu::AccessListener::control, true, CALLER); \
  }
COMPARES(cmp1, std::uint8_t)
COMPARES(cmp2, std::uint16_t)
COMPARES(cmp4, std::uint32_t)
COMPARES(cmp8, std::uint64_t)
COMPARES(const_cmp1, std::uint8_t)
COMPARES(const_cmp2, std::uint16_t)
COMPARES(const_cmp4, std::uint32_t)
COMPARES(const_cmp8, std::uint64_t)
COMPARES(cmpf, float)
COMPARES(cmpd, double)
#undef COMPARES

void __sanitizer_cov_trace_switch(std::uint64_t, std::uint64_t*) {
  cuemu::hand_on(&cuemu::AccessListener::control, true, CALLER);
}
}
