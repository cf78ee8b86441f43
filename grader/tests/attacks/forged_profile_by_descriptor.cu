// Appends a kernel and its copies to the profile through every open descriptor.
// happens: requirement failed: the lines have no seal, and the profile does not count
// verdict: requirement_failed
// says: did not write
#include <unistd.h>

#include <cstring>
#include <lab/npy.hpp>

int main(int, char** argv) {
  auto x = lab::read_npy<float>(argv[3]);
  for (float& value : x.data) value *= 2;
  lab::write_npy(argv[5], x.shape, x.data.data());
  const char* lines = R"({"kind":"header","format":1,"source":"emulation","device":"H200"}
{"kind":"kernel","name":"twice","start_ns":1,"duration_ns":1,"grid":[4,1,1],"block":[256,1,1]}
{"kind":"end"}
)";
  for (int fd = 3; fd < 1024; ++fd)
    if (write(fd, lines, std::strlen(lines)) < 0) continue;
}
