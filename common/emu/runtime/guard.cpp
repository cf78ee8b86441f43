// A guard page between the program's initialised variables and the runtime's zero-initialised variables. emucc links
// this file first, so the page comes first in the program's zeroed memory. The runtime makes the page inaccessible
// (api_device.cpp), so that an overrun stops there.
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
