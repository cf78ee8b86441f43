// A page that emucc links before everything else, so that it is the first of a program's zeroed memory: it lies between
// the program's initialised variables and the runtime's other ones. The runtime closes it (api_device.cpp), and an
// overrun ends there.
#include <cstddef>

namespace {
constexpr std::size_t page = 4096;
}

extern "C" {
extern const std::size_t cuemu_guard_bytes;
const std::size_t cuemu_guard_bytes = page;
extern unsigned char cuemu_guard[];
alignas(page) unsigned char cuemu_guard[page];
}
