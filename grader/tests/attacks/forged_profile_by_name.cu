// Computes on the CPU, and appends a kernel and its copies to the file of the profile.
// happens: requirement failed: there is no such file, and the run left no profile
// verdict: requirement_failed
// says: left no profile
#include <cstdio>
#include <cstdlib>
#include <lab/npy.hpp>
#include <string>

int main(int, char** argv) {
  auto x = lab::read_npy<float>(argv[3]);
  for (float& value : x.data) value *= 2;
  lab::write_npy(argv[5], x.shape, x.data.data());
  const char* profile = std::getenv("LAB_PROFILE");
  if (std::FILE* file = std::fopen(profile ? profile : "profile.jsonl", "a"))
    std::fputs(R"({"kind":"header","format":1,"source":"emulation","device":"H200"}
{"kind":"kernel","name":"twice","start_ns":1,"duration_ns":1,"grid":[4,1,1],"block":[256,1,1]}
{"kind":"end"}
)",
               file);
}
