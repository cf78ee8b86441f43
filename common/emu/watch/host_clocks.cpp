// Clocks of the host. The linker redirects the program's calls to these functions (--wrap), which notify the tools.
#include <sys/time.h>

#include <ctime>

#include "listeners.hpp"

namespace {

void note(const void* caller) {
  cuemu::hand_on(&cuemu::AccessListener::clock_read, caller);
}

}  // namespace

#define CLOCK(TYPE, NAME, PARAMETERS, ARGUMENTS)       \
  __attribute__((weak)) TYPE __real_##NAME PARAMETERS; \
  TYPE __wrap_##NAME PARAMETERS {                      \
    note(__builtin_return_address(0));                 \
    return __real_##NAME ARGUMENTS;                    \
  }

extern "C" {
CLOCK(int, clock_gettime, (clockid_t id, timespec* result), (id, result))
CLOCK(int, gettimeofday, (timeval * result, void* zone), (result, zone))
CLOCK(clock_t, clock, (), ())
CLOCK(double, omp_get_wtime, (), ())
// The clocks of std::chrono. One number represents a time_point.
CLOCK(long, _ZNSt6chrono3_V212steady_clock3nowEv, (), ())
CLOCK(long, _ZNSt6chrono3_V212system_clock3nowEv, (), ())
}
