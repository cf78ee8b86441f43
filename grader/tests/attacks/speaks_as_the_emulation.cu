// Calls the function by which the emulation seals its lines for the grader.
// happens: does not compile: submissions may not use names of the emulation, neither in the source nor in the object
// verdict: compile_error
// says: 'cuemu' is a name of those who run and watch the program
#include <string>

namespace cuemu {
void write_channel(const std::string&);
}
#define BEFORE \
  cuemu::write_channel("{\"kind\":\"kernel\",\"name\":\"twice\",\"start_ns\":1,\"duration_ns\":30}");
#include "program.h"
