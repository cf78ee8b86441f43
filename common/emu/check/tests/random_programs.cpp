#include "random_programs.hpp"

#include <cstddef>
#include <random>

namespace cuemu::check::tests {

namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string kernel(const std::string& name) {
    text_ = "__global__ void " + name + "(int* g, int n) {\n" +
            "  __shared__ int s[64];\n  __shared__ unsigned char c[64];\n" +
            "  const int t = threadIdx.x;\n  int v = t + n;\n  s[t] = t;\n  c[t] = t;\n";
    if (below(3) != 0) text_ += "  __syncthreads();\n";
    for (int i = 4 + below(4); i > 0; --i) statement("  ", 2);
    text_ += "  g[blockIdx.x * 64 + t] = v;\n}\n";
    return text_;
  }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  template <std::size_t N>
  std::string one_of(const char* const (&all)[N]) {
    return all[below(static_cast<int>(N))];
  }

  std::string index() {
    return one_of({"t", "t", "t", "t ^ 1", "(t + 1) % 64", "63 - t", "t / 2", "(t + n) % 64", "5"});
  }
  std::string element() { return one_of({"s[", "s[", "c[", "g[blockIdx.x * 64 + ", "g["}) + index() + "]"; }
  std::string value() {
    std::string all = one_of({"v", "t", "n", "3"});
    while (below(3) == 0) all = "(" + all + one_of({" + ", " * ", " ^ "}) + element() + ")";
    return all;
  }

  void statement(const std::string& indent, int depth) {
    switch (below(depth > 0 ? 12 : 8)) {
      case 0:
      case 1:
        text_ += indent + "v" + one_of({" = ", " += "}) + element() + ";\n";
        return;
      case 2:
      case 3:
        text_ += indent + element() + " = " + value() + ";\n";
        return;
      case 4:
        text_ += indent + element() + " += " + value() + ";\n";
        return;
      case 5:
        text_ += indent + one_of({"atomicAdd", "atomicMax", "atomicXor"}) + "(&" + one_of({"s[", "g["}) +
                 index() + "], v);\n";
        return;
      case 6:
        text_ += indent + one_of({"v += __popc(v);\n", "__threadfence();\n", "v ^= 7;\n"});
        return;
      case 7:
        text_ += indent + "if (v % 3 == 1) " + element() + " = v;\n";
        return;
      case 8:
        text_ += indent + one_of({"__syncthreads();\n", "__syncwarp();\n"});
        return;
      case 9:
        text_ += indent + "__syncthreads();\n";
        return;
      case 10:
        text_ += indent + "if (t < " + one_of({"8", "32", "40"}) + ") {\n";
        for (int i = 1 + below(2); i > 0; --i) statement(indent + "  ", 0);
        text_ += indent + "}\n";
        return;
      default:
        text_ += indent + "for (int i = 0; i < " + one_of({"2", "n % 4"}) + "; ++i) {\n";
        for (int i = 1 + below(3); i > 0; --i) statement(indent + "  ", depth - 1);
        text_ += indent + "}\n";
    }
  }

  std::mt19937 random_;
  std::string text_;
};

}  // namespace

std::string random_program(unsigned seed, int kernels) {
  std::string text;
  std::string launches;
  Generator generator(seed);
  for (int i = 0; i < kernels; ++i) {
    const std::string name = "k" + std::to_string(i);
    text += generator.kernel(name);
    launches +=
        "  " + name + "<<<2, 64>>>(g, " + std::to_string(2 + i % 3) + ");\n  cudaDeviceSynchronize();\n";
  }
  return text + "int main() {\n  int* g;\n  cudaMalloc(&g, 128 * sizeof(int));\n" +
         "  cudaMemset(g, 0, 128 * sizeof(int));\n" + launches + "  cudaFree(g);\n}\n";
}

}  // namespace cuemu::check::tests
