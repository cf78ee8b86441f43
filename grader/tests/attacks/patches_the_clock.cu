// Overwrites the clock in the page from which programs read the time without a system call (vDSO).
// happens: harmless: the emulation calls the system itself, and the kernels' times stay true
// verdict: passed
#include <cstdint>
#include <cstring>
#include <ctime>
extern "C" unsigned long getauxval(unsigned long);
extern "C" void* mmap(void*, size_t, int, int, int, long);
// Each answer is an hour later. By this clock a kernel would take longer than the run, and the profile would not
// count.
inline int late_clock(int, timespec* time) {
  static long hours = 0;
  time->tv_sec = 3600 * ++hours;
  time->tv_nsec = 0;
  return 0;
}
template <typename T>
T at(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}
inline void patch_clock() {
#ifdef __x86_64__
  char* const base = reinterpret_cast<char*>(getauxval(33));  // AT_SYSINFO_EHDR
  constexpr std::size_t size = 8192;
  static char copy[size];
  if (base == nullptr) return;
  std::memcpy(copy, base, size);
  if (mmap(base, size, 7, 0x32, -1, 0) != base) return;  // the program's own memory in the same place
  std::memcpy(base, copy, size);
  const char* const sections = base + at<std::uint64_t>(base + 40);
  for (int i = 0; i < at<std::uint16_t>(base + 60); ++i) {
    const char* const section = sections + 64 * i;
    if (at<std::uint32_t>(section + 4) != 11) continue;  // SHT_DYNSYM
    const char* const names = base + at<std::uint64_t>(sections + 64 * at<std::uint32_t>(section + 40) + 24);
    const char* const symbols = base + at<std::uint64_t>(section + 24);
    for (std::uint64_t k = 0; k < at<std::uint64_t>(section + 32) / 24; ++k) {
      const char* const symbol = symbols + 24 * k;
      if (std::strcmp(names + at<std::uint32_t>(symbol), "__vdso_clock_gettime") != 0) continue;
      unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};  // mov rax, address; jmp rax
      const auto address = reinterpret_cast<std::uint64_t>(&late_clock);
      std::memcpy(jump + 2, &address, sizeof address);
      std::memcpy(base + at<std::uint64_t>(symbol + 8), jump, sizeof jump);
    }
  }
#endif
}
#define BEFORE patch_clock();
#include "program.h"
