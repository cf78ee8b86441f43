// Kernels made at random print the same whether they are split at their barriers or run thread by thread.
//
// The kernels have no races: between two barriers a thread writes only its own elements of shared memory.
// What they do otherwise is whatever comes: loops and branches that all threads take together or not, early
// returns, breaks, variables of all lifetimes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace {

namespace fs = std::filesystem;

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string kernel(const std::string& name) {
    text_ = "__global__ void " + name + "(unsigned* out, unsigned n, unsigned m) {\n";
    text_ += "  __shared__ unsigned s[64], t[4][16];\n";
    text_ += "  const unsigned tid = threadIdx.x + threadIdx.y * blockDim.x;\n";
    text_ += "  unsigned v = tid * 3 + n, w = blockIdx.x, u = n, x = m + 1;\n";
    text_ += "  unsigned a[3] = {tid, n, 7};\n  unsigned late;\n";
    text_ += "  s[tid] = v;\n  t[tid / 16][tid % 16] = tid;\n  __syncthreads();\n";
    loop_ = false;
    counters_ = 0;
    block(3, "  ");
    text_ += "  late = v ^ w;\n  __syncthreads();\n";
    text_ +=
        "  out[blockIdx.x * 64 + tid] = late + v * 3 + w * 5 + u * 7 + x + a[0] + a[1] * a[2] + s[tid];\n}\n";
    return text_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <std::size_t N>
  std::string one_of(const char* const (&all)[N]) {
    return all[static_cast<std::size_t>(pick(N))];
  }

  /// The same for all threads.
  std::string uniform() {
    static constexpr const char* terms[] = {"n",          "m",  "u",         "x",       "blockIdx.x",
                                            "blockDim.x", "5u", "min(u, m)", "(u >> 2)"};
    std::string all = one_of(terms);
    while (pick(2) == 0) all = "(" + all + one_of({" + ", " * ", " ^ ", " % 7u + "}) + one_of(terms) + ")";
    return all;
  }
  /// Anything.
  std::string value() {
    static constexpr const char* terms[] = {"v",           "w",      "tid", "a[1]", "a[tid % 3]",
                                            "threadIdx.x", "s[tid]", "u",   "n"};
    std::string all = one_of(terms);
    while (pick(2) == 0) all = "(" + all + one_of({" + ", " * ", " ^ ", " - "}) + one_of(terms) + ")";
    return all;
  }
  std::string mine() { return one_of({"v", "w", "a[0]", "a[1]", "a[2]", "a[tid % 3]", "s[tid]"}); }

  /// A statement without barriers.
  void leaf(const std::string& indent) {
    switch (pick(6)) {
      case 0:
        text_ += indent + "if (" + value() + " % 3u == 1u) " + mine() + " += " + value() + ";\n";
        break;
      case 1:
        text_ += indent + "for (unsigned j = 0; j < " + value() + " % 4u; ++j) " + mine() + " ^= j + " +
                 value() + ";\n";
        break;
      case 2: {
        const std::string name = "k" + std::to_string(counters_++);
        text_ += indent + "const unsigned " + name + " = " + value() + ";\n" + indent + "v += " + name +
                 " >> 1;\n";
        break;
      }
      case 3:
        text_ += indent + "switch (" + value() + " % 3u) { case 0: " + mine() +
                 "++; break; case 1: w ^= 9; break; }\n";
        break;
      default:
        text_ += indent + mine() + one_of({" = ", " += ", " ^= "}) + value() + ";\n";
    }
  }

  void exchange(const std::string& indent) {
    text_ += indent + "__syncthreads();\n" + indent + mine() + " += s[(tid + " + uniform() + ") % 64];\n";
    text_ += indent + "w ^= t[(tid + 5) % 4][tid % 16];\n" + indent + "__syncthreads();\n";
    text_ += indent + "s[tid] = " + value() + ";\n";
    if (pick(2) == 0) text_ += indent + "t[tid / 16][tid % 16] += v;\n" + indent + "__syncthreads();\n";
  }

  void block(int depth, const std::string& indent) {
    for (int i = 2 + pick(3); i > 0; --i) statement(depth, indent);
  }

  void statement(int depth, const std::string& indent) {
    const bool loop = loop_;
    switch (depth > 0 ? pick(12) : pick(6)) {
      case 0:
      case 1:
        return exchange(indent);
      case 2:
        text_ += indent + one_of({"u", "x"}) + one_of({" = ", " += ", " ^= "}) + uniform() + ";\n";
        return;
      case 6:
        text_ += indent + "if (" + uniform() + " % 2u == 0u) {\n";
        block(depth - 1, indent + "  ");
        text_ += indent + "}";
        if (pick(2) == 0) {
          text_ += " else {\n";
          block(depth - 1, indent + "  ");
          text_ += indent + "}";
        }
        text_ += "\n";
        return;
      case 7:
      case 8: {
        const std::string i = "i" + std::to_string(counters_++);
        text_ +=
            indent + "for (unsigned " + i + " = 0; " + i + " < 1 + " + uniform() + " % 3u; ++" + i + ") {\n";
        text_ += indent + "  const unsigned at" + i + " = " + i + " * 7 + tid;\n";
        loop_ = true;
        block(depth - 1, indent + "  ");
        loop_ = loop;
        text_ += indent + "  v += at" + i + ";\n" + indent + "}\n";
        return;
      }
      case 9: {
        const std::string i = "i" + std::to_string(counters_++);
        text_ += indent + "unsigned " + i + " = 2;\n" + indent + "while (" + i + " > 0) {\n";
        loop_ = false;  // `continue` would not count down
        block(depth - 1, indent + "  ");
        loop_ = loop;
        text_ += indent + "  " + i + " >>= 1;\n" + indent + "}\n";
        return;
      }
      case 10:
        if (loop_)
          text_ += indent + "if (" + uniform() + " % 5u == 0u) " + one_of({"break", "continue"}) + ";\n";
        else if (pick(3) == 0)
          text_ += indent + "if (tid > 40 + " + value() + " % 16u) return;\n";
        return;
      default:
        return leaf(indent);
    }
  }

  std::mt19937 random_;
  std::string text_;
  bool loop_ = false;
  int counters_ = 0;
};

std::string program(unsigned seed, int kernels) {
  std::string text = "#include <cstdio>\n";
  for (int i = 0; i < kernels; ++i)
    text += Generator(seed * 1000 + static_cast<unsigned>(i)).kernel("k" + std::to_string(i));
  text += "int main() {\n  unsigned* out;\n  unsigned host[192];\n  cudaMalloc(&out, sizeof host);\n";
  for (int i = 0; i < kernels; ++i) {
    text += "  cudaMemset(out, 0, sizeof host);\n  k" + std::to_string(i) + "<<<3, dim3(16, 4)>>>(out, " +
            std::to_string(3 + i % 5) + ", " + std::to_string(1 + i % 7) + ");\n";
    text += "  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault) != cudaSuccess) return 1;\n";
    text += "  for (unsigned i = 0; i < 192; ++i) printf(\"%u%c\", host[i], i % 16 == 15 ? '\\n' : ' ');\n";
  }
  return text + "}\n";
}

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class RandomKernels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomKernels, PrintTheSameEitherWay) {
  constexpr int kernels = 25;
  std::string pattern = (fs::temp_directory_path() / "emucc-fission-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path folder = pattern;
  std::ofstream(folder / "k.cu") << program(GetParam(), kernels);
  const std::string emucc = (fs::path(KIT_BINARY_DIR) / "bin" / "emucc").string();
  const std::string build = "cd '" + pattern + "' && '" + emucc + "' -keep k.cu -o split && '" + emucc +
                            "' --no-fission k.cu -o fibers && ./split > a && ./fibers > b";
  ASSERT_EQ(std::system(build.c_str()), 0) << program(GetParam(), kernels);
  const std::string split = read(folder / "a"), fibers = read(folder / "b");
  EXPECT_EQ(split, fibers) << program(GetParam(), kernels);
  EXPECT_GT(std::count(split.begin(), split.end(), '\n'), kernels * 10);
  // Most are really split.
  const std::string translated = read(folder / "k.emucc.ii");
  int whole = 0;
  for (std::size_t at = 0;
       (at = translated.find("kernel_entry<::cuemu::whole_block>", at)) != std::string::npos; ++at)
    ++whole;
  EXPECT_GT(whole, kernels * 7 / 10);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernels, testing::Values(1U, 2U, 3U));

}  // namespace
