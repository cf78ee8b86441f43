// Makes copies of every kind, and compares each copy with the profile's content lines. The program serves both
// backends:
//
//   common/profile/tests/contents.sh emucc
//   common/profile/tests/contents.sh nvcc build/lib/libcuda_lab_profile.so
//
// Exits with 0 if the profile has the expected content lines in the expected order. $LAB_PROFILE must be a new file.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "wire/content_hash.hpp"

namespace {

constexpr int n = 1000;

__device__ float on_device[n];
std::vector<std::string> expected;

__global__ void fill(float* to, float first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = first + i;
}

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

void expect(const char* direction, const void* data, std::size_t bytes, const char* more = "}") {
  char line[200];
  unsigned long long head = 0;
  std::memcpy(&head, data, bytes < sizeof head ? bytes : sizeof head);
  std::snprintf(line, sizeof line,
                "{\"kind\":\"content\",\"direction\":\"%s\",\"bytes\":%zu,\"hash\":%llu,\"head\":%llu%s",
                direction, bytes, static_cast<unsigned long long>(kit_wire::content_hash(data, bytes)), head,
                more);
  expected.push_back(line);
}

std::vector<float> numbers(float first) {
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = first + i;
  return values;
}

void launch(float* to, float first) {
  fill<<<4, 256>>>(to, first);
  check(cudaGetLastError(), "launch");
}

}  // namespace

int main() {
  constexpr std::size_t bytes = n * sizeof(float);
  float *d = nullptr, *pinned = nullptr, *managed = nullptr;
  check(cudaMalloc(&d, bytes), "cudaMalloc");
  std::vector<float> host = numbers(1);

  // Copies in both directions, of the whole array and of an odd number of bytes. The direction is explicit, or
  // cudaMemcpyDefault.
  check(cudaMemcpy(d, host.data(), bytes, cudaMemcpyHostToDevice), "up");
  expect("h2d", host.data(), bytes);
  launch(d, 5);
  check(cudaMemcpy(host.data(), d, bytes, cudaMemcpyDeviceToHost), "down");
  expect("d2h", numbers(5).data(), bytes);
  check(cudaMemcpy(d, host.data() + 3, 7 * sizeof(float), cudaMemcpyDefault), "a part up");
  expect("h2d", host.data() + 3, 7 * sizeof(float));
  check(cudaMemcpy(host.data(), d, 13, cudaMemcpyDefault), "odd bytes down");
  expect("d2h", host.data(), 13);

  // Copies within the device, and within the host, have no content lines.
  check(cudaMemcpy(d + 100, d, 40, cudaMemcpyDeviceToDevice), "on the device");
  check(cudaMemcpy(host.data() + 100, host.data(), 40, cudaMemcpyHostToHost), "on the host");

  // A box with gaps between the host's rows has a content line for each row; without gaps it has one.
  launch(d, 7);
  const std::vector<float> seven = numbers(7);
  check(cudaMemcpy2D(host.data(), 20 * sizeof(float), d, 10 * sizeof(float), 10 * sizeof(float), 3,
                     cudaMemcpyDeviceToHost),
        "rows down");
  for (int row = 0; row < 3; ++row) expect("d2h", &seven[10 * row], 10 * sizeof(float));
  check(cudaMemcpy2D(host.data(), 10 * sizeof(float), d, 10 * sizeof(float), 10 * sizeof(float), 3,
                     cudaMemcpyDeviceToHost),
        "a box down");
  expect("d2h", seven.data(), 30 * sizeof(float));

  // Copies to and from device variables, by their names.
  check(cudaMemcpyToSymbol(on_device, seven.data(), bytes), "to a symbol");
  expect("h2d", seven.data(), bytes);
  check(cudaMemcpyFromSymbol(host.data(), on_device, 8 * sizeof(float), 4 * sizeof(float)), "from a symbol");
  expect("d2h", &seven[4], 8 * sizeof(float));

  // Queued copies. A copy to pageable memory waits within the call. A copy to pinned memory gets its content line after
  // the program's wait.
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  check(cudaMallocHost(&pinned, bytes), "cudaMallocHost");
  launch(d, 9);
  check(cudaDeviceSynchronize(), "wait");
  check(cudaMemcpyAsync(host.data(), d, bytes, cudaMemcpyDeviceToHost, stream), "down, queued");
  expect("d2h", numbers(9).data(), bytes);
  check(cudaStreamSynchronize(stream), "wait");
  check(cudaMemcpyAsync(pinned, d, bytes, cudaMemcpyDeviceToHost, stream), "down to pinned memory, queued");
  check(cudaStreamSynchronize(stream), "wait");
  expect("d2h", numbers(9).data(), bytes);

  // A copy whose source is memory that the host could have written.
  check(cudaMallocManaged(&managed, bytes), "cudaMallocManaged");
  launch(managed, 11);
  check(cudaDeviceSynchronize(), "wait");
  check(cudaMemcpy(host.data(), managed, bytes, cudaMemcpyDeviceToHost), "down from managed memory");
  expect("d2h", numbers(11).data(), bytes, ",\"shared\":true}");

  const char* const path = std::getenv("LAB_PROFILE");
  std::ifstream profile(path != nullptr ? path : "");
  std::vector<std::string> got;
  bool has_contents = false, host_visible = false;
  for (std::string line; std::getline(profile, line);) {
    if (line.find("{\"kind\":\"content\"") == 0) got.push_back(line);
    if (line.find("{\"kind\":\"header\"") == 0)
      has_contents = line.find("\"content\":true") != std::string::npos;
    host_visible = host_visible || line.find("{\"kind\":\"host_visible\"") == 0;
  }
  int wrong = 0;
  for (std::size_t i = 0; i < expected.size() || i < got.size(); ++i) {
    const std::string left = i < expected.size() ? expected[i] : "nothing",
                      right = i < got.size() ? got[i] : "nothing";
    if (left == right) continue;
    ++wrong;
    std::printf("content %zu\n  expected %s\n  found    %s\n", i, left.c_str(), right.c_str());
  }
  if (!has_contents) std::printf("the header does not say that there are contents\n");
  if (!host_visible)
    std::printf("the profile does not say that the host could read a kernel's work without a copy\n");
  std::printf("%zu contents, %d wrong\n", expected.size(), wrong);
  return wrong == 0 && has_contents && host_visible ? 0 : 1;
}
