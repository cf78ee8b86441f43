// The code that the attacks in attacks/cases share. All of them are one program, and the number of elements chooses
// the attack. The test pastes the attacks after this text, each in its own namespace, and adds a main that chooses.
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <lab/npy.hpp>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace fs = std::filesystem;

constexpr int first_size = 1000;  // elements of attack 0

__global__ void times(float* y, const float* x, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
__global__ void nothing() {}

struct Run {
  int argc;
  char** argv;
  std::string input, output;
  lab::NpyArray<float> x = {};
  int n = 0;

  Run(int count, char** words) : argc(count), argv(words) {
    for (int i = 1; i + 1 < argc; ++i) {
      if (!std::strcmp(argv[i], "--input")) input = argv[i + 1];
      if (!std::strcmp(argv[i], "--output")) output = argv[i + 1];
    }
    x = lab::read_npy<float>(input);
    n = static_cast<int>(x.data.size());
  }

  /// Factor 2 gives the right result.
  std::vector<float> on_device(float factor = 2, bool own_stream = false) const {
    const std::size_t bytes = n * sizeof(float);
    float *d_x = nullptr, *d_y = nullptr;
    cudaStream_t stream = nullptr;
    if (own_stream) cudaStreamCreate(&stream);
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMemcpy(d_x, x.data.data(), bytes, cudaMemcpyHostToDevice);
    times<<<(n + 255) / 256, 256, 0, stream>>>(d_y, d_x, n, factor);
    cudaDeviceSynchronize();
    std::vector<float> y(n);
    cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    if (own_stream) cudaStreamDestroy(stream);
    return y;
  }
  std::vector<float> on_host() const {
    std::vector<float> y = x.data;
    for (float& value : y) value *= 2;
    return y;
  }
  void write(const std::vector<float>& y) const { lab::write_npy(output, {y.size()}, y.data()); }

  /// Writes a result whose header contains `shape_and_type`, followed by as many bytes as a right result has, all 0.
  void write_header(std::string shape_and_type) const {
    shape_and_type.resize(117, ' ');
    std::ofstream(output, std::ios::binary)
        << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << shape_and_type << '\n'
        << std::string(n * sizeof(float), '\0');
  }
  /// The folders to which a program may write, and in which files that outlive it may be.
  std::vector<std::string> folders() const {
    return {"/tmp",
            "/dev/shm",
            "/var/tmp",
            "/run",
            ".",
            "..",
            output.substr(0, output.rfind('/')),
            input.substr(0, input.rfind('/')),
            std::string(getenv("HOME") ? getenv("HOME") : "/")};
  }
  /// Reports an attack that should have been impossible.
  int gained(const std::string& what) const {
    std::fprintf(stderr, "GAINED: %s\n", what.c_str());
    return 99;
  }
};
