// Tests emucc with command lines as users write them. Messages must name the user's lines, invalid input must
// be reported in one sentence, and no temporary file may remain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Emucc : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "emucc-driver-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    fs::create_directories(folder / "tmp");
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(folder / "tmp")) << "temporary files were left behind";
    fs::remove_all(folder);
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string read(const std::string& name) const {
    std::ifstream in(folder / name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  /// Runs a command line that begins with `emucc` in the test's folder. Returns its output together with its
  /// messages.
  std::string run(const std::string& arguments, const std::string& environment = "") {
    const std::string emucc = (fs::path(KIT_BINARY_DIR) / "bin" / "emucc").string();
    const std::string command = "cd '" + folder.string() + "' && TMPDIR=$PWD/tmp " + environment + " '" +
                                emucc + "' " + arguments + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
      output.append(buffer.data(), n);
    const int ended = pclose(pipe);
    status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return output;
  }
  void expect_refusal(const std::string& arguments, const std::string& sentence) {
    const std::string output = run(arguments);
    EXPECT_EQ(status, 1) << arguments;
    EXPECT_THAT(output, HasSubstr(sentence)) << arguments;
    EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 1) << output;
  }

  fs::path folder;
  int status = -1;
};

const char* const good =
    "#include <cstdio>\n__global__ void k() { printf(\"hi\\n\"); }\nint main() { k<<<1, 1>>>(); return "
    "cudaDeviceSynchronize(); }\n";

TEST_F(Emucc, CompilerErrorsNameTheUsersPlace) {
  write("a.cu",
        "#include <cstdio>\n"
        "#define N 4 /* a comment */\n"
        "__global__ void k(float* a) {\n"
        "  __shared__ float s[N];   int i = threadIdx.x + wrong1;\n"
        "  a[i] = s[wrong2];\n"
        "}\n"
        "int main() {\n"
        "\tk<<<wrong3,\n"
        "     N>>>(wrong4); std::vector<int> v;\n"
        "}\n");
  const std::string output = run("-c a.cu");
  EXPECT_EQ(status, 1);
  for (const char* place :
       {"a.cu:4:50: error: ‘wrong1’", "a.cu:5:12: error: ‘wrong2’", "a.cu:8:13: error: ‘wrong3’",
        "a.cu:9:11: error: ‘wrong4’", "a.cu:9:25: error: ‘vector’"}) {
    std::string plain = place;  // quotes depend on the locale
    const std::size_t quote = plain.find("‘");
    EXPECT_THAT(output, HasSubstr(plain.substr(0, quote))) << place;
  }
  EXPECT_FALSE(fs::exists(folder / "a.o"));
}

TEST_F(Emucc, ItsOwnErrorsShowTheLine) {
  write("a.cu", "__global__ void k(int n) {}\nint main() {\n\tk(3);\n}\n");
  const std::string output = run("a.cu");
  EXPECT_EQ(status, 1);
  EXPECT_THAT(output, HasSubstr("a.cu:3:2: error: a call of the kernel 'k' needs a configuration"));
  EXPECT_THAT(output, HasSubstr("  \tk(3);\n  \t^\n"));
}

TEST_F(Emucc, OnlySourcesWithKernelsAreCompiledWithWhatWatchesDeviceCodeAlone) {
  write("kernel.cu", "template <class T> __global__ void k(T* p) { p[0] = 1; }\n");
  write("host.cu",
        "__device__ int twice(int x) { return 2 * x; }\n__global__ void k(int*);\nint main() {}\n");
  for (const auto& [option, flag] :
       {std::pair("--check", "alignment"), std::pair("--counters", "-fsanitize-coverage=trace-pc")}) {
    const auto compilation = [&](const std::string& words) {
      const std::string said = run(option + std::string(" -v -c ") + words);
      return said.substr(said.rfind("#$ "));
    };
    EXPECT_THAT(compilation("kernel.cu"), HasSubstr(flag));
    EXPECT_THAT(compilation("host.cu"), AllOf(HasSubstr("-fsanitize=thread"), Not(HasSubstr(flag))));
    EXPECT_THAT(compilation("-rdc=true host.cu"), HasSubstr(flag)) << "kernels elsewhere may call twice()";
  }
}

TEST_F(Emucc, PreprocessorErrorsPassThrough) {
  write("a.cu", "#include \"missing.h\"\n");
  EXPECT_THAT(run("a.cu"), HasSubstr("a.cu:1:10"));
  EXPECT_EQ(status, 1);
  write("a.cu", "#include <cudnn.h>\n");
  expect_refusal("a.cu", "a.cu:1: error: 'cudnn.h' belongs to cuDNN");
  write("a.cpp", "#include <cuda.h>\nint main() { CUdevice d; cuInit(0); cuDeviceGet(&d, 0); }\n");
  expect_refusal("a.cpp", "a.cpp:2: error: 'cuInit' belongs to the driver API");
}

TEST_F(Emucc, LibrariesThatAreNotThereAreDeclared) {
  const std::string uses =
      "#include <cublas_v2.h>\n#include <cublasLt.h>\n#include <cuda.h>\n#include <cufft.h>\n#include "
      "<cusolverDn.h>\n"
      "#include <cusparse.h>\n#include <nvrtc.h>\n#include <cstdio>\n"
      "inline cublasStatus_t packed(cublasHandle_t h, float* m) {\n  const int n = 2;\n"
      "  return cublasStrttp(h, CUBLAS_FILL_MODE_LOWER, n, m, n, m + 4);\n}\n"
      "inline int sparse(cusparseHandle_t* h) { return cusparseCreate(h) == CUSPARSE_STATUS_SUCCESS; }\n";
  write(
      "a.cu",
      uses + "int main() { printf(\"%d %d\\n\", CUBLAS_STATUS_NOT_SUPPORTED, CUDA_ERROR_INVALID_VALUE); }\n");
  EXPECT_EQ(run("a.cu -o a -lcusparse"),
            "emucc: warning: 'cusparse' is left out: it belongs to cuSPARSE, which the emulation does not "
            "have: of CUDA's "
            "libraries it has the runtime, cuBLAS, cuFFT, cuRAND, CUB and Thrust\n");
  EXPECT_EQ(run("-run a.cu"), "15 1\n");
  // The sentence is reported at the user's line where a function is called, once for each library.
  write("a.cu", uses + "int main() {\n  return packed(nullptr, nullptr);\n}\n");
  EXPECT_THAT(run("a.cu"),
              HasSubstr("a.cu:11: error: 'cublasStrttp' belongs to cuBLAS, of which the emulation has only "
                        "the declarations\n"));
  EXPECT_EQ(status, 1);
}

TEST_F(Emucc, NumbersOfCuRandThatAreNvidiasOwnAnswerWithASentence) {
  write("a.cu",
        "#include <curand.h>\n#include <cstdio>\nint main() {\n  unsigned* c = nullptr;\n  "
        "curandDirectionVectors32_t* v = nullptr;\n"
        "  printf(\"%d %d\\n\", curandGetScrambleConstants32(&c),\n"
        "         curandGetDirectionVectors32(&v, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6));\n}\n");
  const std::string said = run("-run a.cu -lcurand");
  EXPECT_THAT(said, HasSubstr("103 103\n"));
  EXPECT_THAT(said, HasSubstr("kernels may scramble with constants of the program's own"));
}

// A program that calls cuBLAS or cuFFT loads the library that does the computations. A program that only
// links with cuBLAS or cuFFT does not need it.
TEST_F(Emucc, LibrariesThatAreComputedElsewhereAreLinkedForCToo) {
  write("a.c",
        "#include <cublas_v2.h>\n#include <cufft.h>\n#include <stdio.h>\nint main(void) {\n  float one = 1;\n"
        "  printf(\"%d %d %d\\n\", cublasSgemm_64(NULL, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, NULL, 2, "
        "NULL, 2, &one, NULL, 2),\n"
        "         cublasDnrm2_v2(NULL, 2, NULL, 1, NULL), cufftDestroy(77));\n}\n");
  const std::string said = run("a.c -o a -lcublas -lcufft");
  if (said.find("is not installed here") == std::string::npos) {
    EXPECT_EQ(said, "");
  }
  EXPECT_THAT(run("-run a.c -w -lcublas -lcufft"), testing::EndsWith("1 1 1\n"));
  EXPECT_THAT(run("a.c"), HasSubstr("undefined reference to `cublasSgemm_64'")) << "as with nvcc";
}

TEST_F(Emucc, BadInputGetsOneSentence) {
  write("a.cu", good);
  fs::create_directories(folder / "folder.cu");
  expect_refusal("", "no input files");
  expect_refusal("missing.cu", "there is no file 'missing.cu'");
  expect_refusal("folder.cu", "is a folder");
  write("wide.cu", std::string("\xff\xfei\0n\0t\0", 8));
  expect_refusal("-c wide.cu", "Save it as UTF-8");
  write("a.xyz", "");
  expect_refusal("a.xyz", "-x cu");
  expect_refusal("a.cu -o nowhere/a", "mkdir -p nowhere");
  expect_refusal("a.cu -o folder.cu", "is a folder");
  expect_refusal("-c a.cu -o a.cu", "also an input");
  expect_refusal("-Wall a.cu", "-Xcompiler -Wall");
  expect_refusal("-arch=foo a.cu", "'foo' is not a GPU architecture");
  expect_refusal("-ccbin no-such-compiler a.cu", "no such program");
  expect_refusal("-cubin a.cu", "no PTX");
  EXPECT_EQ(read("a.cu"), good);
}

TEST_F(Emucc, AnObjectThatIsWatchedIsNotLinkedWithout) {
  write("a.cu", good);
  for (const std::string option : {"--check", "--record", "--counters"}) {
    EXPECT_EQ(run(option + " -c a.cu -o a.o"), "");
    const std::string said = run("a.o -o a");
    EXPECT_THAT(said, HasSubstr("an object was compiled with "));
    EXPECT_THAT(said, HasSubstr(option));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
}

TEST_F(Emucc, AWatchableObjectIsLinkedWithAnyToolOrNone) {
  write("a.cu",
        "#include <cstdio>\n__global__ void sum(int* p) {\n  __shared__ int s[64];\n  unsigned t = "
        "threadIdx.x;\n"
        "  s[t] = p[t];\n  s[t + 32] = 0;\n  __syncwarp();\n  volatile int* v = s;\n  v[t] += v[t + 2];\n  "
        "v[t] += v[t + 1];\n  p[t] = v[t];\n}\n"
        "int main() {\n  int* p;\n  cudaMallocManaged(&p, 128);\n  for (int i = 0; i < 32; ++i) p[i] = i;\n"
        "  sum<<<1, 32>>>(p);\n  cudaDeviceSynchronize();\n  printf(\"%d\\n\", p[0]);\n  cudaFree(p);\n}\n");
  EXPECT_EQ(run("--watchable -c a.cu -o a.o"), "");
  EXPECT_EQ(run("--watchable a.o -o plain -run"), "6\n")
      << "nothing is reported, and the lanes continue together";
  write("host.cu", "int main() { return 0; }\n");
  EXPECT_EQ(run("--watchable -c host.cu -o host.o"), "");
  for (const char* object : {"a.o", "host.o"})
    EXPECT_THAT(run(std::string(object) + " -o plain"),
                HasSubstr("an object was compiled with --watchable: link with the same option"));
  const std::string checked = run("--check a.o -o checked -run");
  EXPECT_THAT(checked, AllOf(HasSubstr("race"), HasSubstr("a.cu:9"), Not(HasSubstr("counters of"))));
  EXPECT_EQ(checked, run("--check a.cu -o checked -run"));
  EXPECT_EQ(run("--counters a.o -o counted -run"), run("--counters a.cu -o counted -run"));
}

TEST_F(Emucc, CudaSourcesShareAPrecompiledHeader) {
  const auto headers = [&] {
    std::vector<std::string> made;
    for (const auto& entry : fs::directory_iterator(folder / "cache" / "headers"))
      if (fs::exists(entry.path() / "prelude.h.gch"))
        made.push_back(read(fs::relative(entry.path() / "prelude.h", folder).string()));
    return made;
  };
  int compiled = 0;
  for (const char* more : {"<vector>", "<string>", "<map>", "<set>"}) {
    write("a.cu", "#include " + std::string(more) + "\n" + good);
    EXPECT_EQ(run("-c a.cu -o a.o", "CUEMU_CACHE=$PWD/cache"), "");
    const std::vector<std::string> made = headers();
    if (++compiled < 4)
      EXPECT_TRUE(made.empty()) << "for a few sources it would take longer than it saves";
    else
      EXPECT_EQ(made, std::vector<std::string>{
                          "#include <cuemu/without_special_functions.h>\n#include <cuda_runtime.h>\n"});
  }
  write("a.cu", "#include <string>\n" + std::string(good) + "std::vector<int> forgotten;\n");
  EXPECT_THAT(run("-c a.cu -o a.o", "CUEMU_CACHE=$PWD/cache"), HasSubstr("a.cu:5:6: error"))
      << "a header that the source does not include is missed";
  write("a.cu", "#include <cmath>\n" + std::string(good) + "double zeta = std::riemann_zeta(2.0);\n");
  EXPECT_EQ(run("-std=c++17 -c a.cu -o a.o", "CUEMU_CACHE=$PWD/cache"), "")
      << "which no precompiled header has";
}

TEST_F(Emucc, RulesListTheInputsOfPrecompiledHeaders) {
  write("a.cu", good);
  write("b.cpp", "#include <vector>\nint main() { return static_cast<int>(std::vector<int>().size()); }\n");
  EXPECT_EQ(run("--make-headers=shared a.cu", "CUEMU_CACHE=$PWD/cache"), "made\n");
  std::set<std::string> files[2];
  for (const bool cached : {false, true}) {
    SCOPED_TRACE(cached);
    const std::string setting = cached ? "CUEMU_CACHE=$PWD/cache" : "CUEMU_CACHE=";
    const std::string shown = run("-v -c a.cu -MD -MP -MF a.d", setting);
    EXPECT_EQ(status, 0) << shown;
    EXPECT_EQ(shown.find("prelude.h") != shown.npos, cached) << "-MD needs no headers of its own: " << shown;
    EXPECT_THAT(read("a.d"), testing::AllOf(HasSubstr("a.cu"), HasSubstr("cuemu/thread.hpp")));
    std::istringstream rule(read("a.d"));
    files[cached] = {std::istream_iterator<std::string>(rule), {}};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(run("-c b.cpp -MD -MF b.d", setting), "");
    EXPECT_THAT(read("b.d"), testing::AllOf(HasSubstr("b.cpp"), HasSubstr("bits/stl_vector.h"),
                                            Not(HasSubstr("prelude.h"))));
  }
  for (const std::string& file : files[true])
    EXPECT_EQ(files[false].count(file), 1u) << file << ": the rule is for builds without emucc's cache, too";
}

TEST_F(Emucc, SharedHeadersAreMadeAtOnceOnRequest) {
  write("a.cu", "#include <vector>\n" + std::string(good));
  EXPECT_EQ(run("--make-headers a.cu", "CUEMU_CACHE=$PWD/cache"), "") << "nobody asked for them often enough";
  EXPECT_EQ(run("--make-headers=shared a.cu", "CUEMU_CACHE=$PWD/cache"), "made\n");
  int made = 0;
  for (const auto& entry : fs::directory_iterator(folder / "cache" / "headers"))
    made += fs::exists(entry.path() / "prelude.h.gch");
  EXPECT_EQ(made, 1) << "not those of this source alone";
  EXPECT_THAT(run("--make-headers=all a.cu"), HasSubstr("it takes shared, or nothing"));
  EXPECT_EQ(status, 1);
}

// At the end of each source, g++ instantiates the templates of its precompiled headers, except for functions
// with deduced types.
TEST_F(Emucc, CudaHeadersInstantiateNearlyNothingInEachSource) {
  write("a.cu", "");
  const std::string dump = " -Xcompiler -fdump-tree-original=$PWD/functions";
  EXPECT_EQ(run("--make-headers=shared a.cu" + dump, "CUEMU_CACHE=$PWD/cache"), "made\n");
  EXPECT_EQ(run("-c a.cu -o a.o" + dump, "CUEMU_CACHE=$PWD/cache"), "");
  const std::string functions = read("functions");
  int count = 0;
  for (std::size_t at = 0; (at = functions.find(";; Function ", at)) != functions.npos; ++at) ++count;
  EXPECT_LT(count, 12) << functions.substr(0, 2000);
}

TEST_F(Emucc, AFullDiskAndAClosedCacheAreNoLoss) {
  write("a.cu", good);
  EXPECT_EQ(run("a.cu -o a", "CUEMU_CACHE=/proc/none"), "");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(run("a.cu -o a", "CUEMU_CACHE="), "");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(run("a.cu -o /dev/full"), Not(testing::IsEmpty()));
  EXPECT_EQ(status, 1);
}

TEST_F(Emucc, DependenciesAndPreprocessing) {
  write("a.cu", "#include \"a.h\"\n" + std::string(good));
  write("a.h", "#define X 1\n");
  run("-MMD -c a.cu");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(read("a.d"), testing::AllOf(HasSubstr("a.o:"), HasSubstr("a.h")));
  EXPECT_THAT(run("-MM a.cu"), HasSubstr("a.h"));
  EXPECT_THAT(run("-E a.cu"), HasSubstr("k<<<1, 1>>>();"));
  run("-c a.cu -MD -MF other.d -MT target");
  EXPECT_THAT(read("other.d"), HasSubstr("target:"));
}

TEST_F(Emucc, LibrariesAndDeviceLinking) {
  write("a.cu", "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n");
  write("b.cu", "void f();\nint main() { f(); return cudaDeviceSynchronize(); }\n");
  EXPECT_EQ(run("-dc a.cu b.cu"), "");
  EXPECT_EQ(run("-lib a.o -o liba.a"), "");
  EXPECT_EQ(run("-dlink a.o b.o -o link.o"), "");
  EXPECT_EQ(run("b.o link.o -L. -la -lcudart -lcudadevrt -o b && ./b"), "");
  EXPECT_EQ(status, 0);
}

TEST_F(Emucc, SharedLibrariesHoldTheRuntime) {
  const std::string library =
      "__global__ void fill(int* p, int v) { p[threadIdx.x] = v; }\n"
      "extern \"C\" int* NAME(int v) { int* p; cudaMalloc(&p, 40); fill<<<1, 10>>>(p, v); return p; }\n";
  write("library.cu", library);
  write("main.cpp",
        "#include <cuda_runtime.h>\n#include <cstdio>\nextern \"C\" int* one(int);\nextern \"C\" int* "
        "two(int);\n"
        "int main() { int a[2]; cudaMemcpy(a, one(3), 4, cudaMemcpyDefault);\n"
        "cudaMemcpy(a + 1, two(4), 4, cudaMemcpyDefault);\n"
        "std::printf(\"%d %d %s\\n\", a[0], a[1], cudaGetErrorName(cudaGetLastError())); }\n");
  EXPECT_EQ(run("-shared -Xcompiler -fPIC -DNAME=one library.cu -o libone.so"), "");
  EXPECT_EQ(run("-shared -Xcompiler -fPIC -DNAME=two library.cu -o libtwo.so"), "");
  // Both libraries and the program use the same device.
  EXPECT_EQ(run("-run main.cpp -L. -lone -ltwo -Xlinker -rpath,."), "3 4 cudaSuccess\n");
}

TEST_F(Emucc, SharedLibrariesHoldTheChecker) {
  if (!fs::exists(fs::path(KIT_BINARY_DIR) / "lib" / "libcuemu_check.a"))
    GTEST_SKIP() << "emucc was built without it";
  write("library.cu",
        "__global__ void sum(int* p) { *p += 1; }\n"
        "extern \"C\" int count() { int *p, h; cudaMalloc(&p, 4); cudaMemset(p, 0, 4);\n"
        "  sum<<<1, 64>>>(p);\n"
        "  cudaMemcpy(&h, p, 4, cudaMemcpyDefault); cudaFree(p); return h > 0; }\n");
  write("main.cpp",
        "#include <cstdio>\nextern \"C\" int count();\nint main() { std::printf(\"%d\\n\", count()); }\n");
  EXPECT_EQ(run("--check -shared -Xcompiler -fPIC library.cu -o libcount.so"), "");
  // The library contains the checker, which checks the library's kernels.
  const std::string said = run("-run main.cpp -L. -lcount -Xlinker -rpath,.");
  EXPECT_THAT(said, HasSubstr("1\n"));
  EXPECT_THAT(said, HasSubstr("race"));
  EXPECT_THAT(said, HasSubstr("library.cu:1"));
  // A program with its own checker can load the library too.
  EXPECT_THAT(run("--check -run main.cpp -L. -lcount -Xlinker -rpath,."), HasSubstr("1\n"));
}

/// The program must stop at the end of its variables, before it reaches the runtime's.
TEST_F(Emucc, OverrunsOfVariablesDoNotReachTheRuntime) {
  write(
      "a.cu",
      "#include <cstdio>\n#include <cstdlib>\n"
      "int zeros[100], ones[100] = {1};\n"
      "__global__ void add(int* p) { p[threadIdx.x] += 1; }\n"
      "int main(int count, char** words) {\n"
      "  int sum = 0, *d;\n"
      "  cudaMalloc(&d, 400);\n  cudaMemset(d, 0, 400);\n  add<<<1, 100>>>(d);\n  cudaDeviceSynchronize();\n"
      "  volatile int* const array = count > 2 ? ones : zeros;\n"
      "  for (int i = 0, n = atoi(words[1]); i < n; ++i) array[i] = 0x41414141;\n"
      "  add<<<1, 100>>>(d);\n"
      "  cudaMemcpy(&sum, d, 4, cudaMemcpyDeviceToHost);\n"
      "  printf(\"%d\\n\", sum);\n"
      "  return cudaFree(d);\n"
      "}\n");
  EXPECT_EQ(run("a.cu -o a && ./a 100"), "2\n");
  for (const char* const words : {"3000", "30000", "3000 ones", "30000 ones"})
    EXPECT_THAT(run(std::string("a.cu -o a && ./a ") + words), HasSubstr("cuemu: host code used address 0x"))
        << words;
}

TEST_F(Emucc, RunsWhatItBuilt) {
  write(
      "a.cu",
      "#include <cstdio>\nint main(int n, char** words) { for (int i = 1; i < n; ++i) puts(words[i]); return "
      "40 + n; }\n");
  EXPECT_EQ(run("-run a.cu -run-args one,two -run-args 'three'"), "one\ntwo\nthree\n");
  EXPECT_EQ(status, 44);
  EXPECT_TRUE(fs::exists(folder / "a.out"));
  EXPECT_EQ(run("-run a.cu -o b"), "");
  EXPECT_EQ(status, 41);
  expect_refusal("-run -c a.cu", "-run needs a program");
}

TEST_F(Emucc, FreshMemoryIsZeroUnlessNaNsAreWanted) {
  write("a.cu",
        "#include <cstdio>\nint main() {\n  unsigned *p, h;\n  cudaMalloc(&p, 4);\n"
        "  cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n  printf(\"%x\\n\", h);\n}\n");
  EXPECT_EQ(run("-run a.cu"), "0\n");
  EXPECT_EQ(run("-run a.cu", "CUEMU_FILL=nan"), "7fffdead\n");
  EXPECT_EQ(run("-run a.cu", "LAB_POISON=1"), "7fffdead\n");  // as a grader runs it
  EXPECT_THAT(run("-run a.cu", "CUEMU_FILL=7"), HasSubstr("CUEMU_FILL can be 'nan'"));
}

TEST_F(Emucc, PrintsItsSteps) {
  write("a.cu", good);
  EXPECT_THAT(run("--version"), HasSubstr("release 13.0"));
  EXPECT_THAT(run("--version"), HasSubstr("nvcc: NVIDIA (R) Cuda compiler driver"));
  EXPECT_THAT(run("--list-gpu-arch"), HasSubstr("compute_90\n"));
  EXPECT_THAT(run("--list-gpu-code"), HasSubstr("sm_90\n"));
  EXPECT_THAT(run("--help"), HasSubstr("-Xcompiler"));
  // Build systems find the toolkit by this output.
  const std::string toolkit = (fs::canonical(KIT_BINARY_DIR) / "cuda").string();
  EXPECT_THAT(run("-v __cmake_determine_cuda"), HasSubstr("#$ TOP=" + toolkit + "\n"));
  EXPECT_THAT(run("--dryrun a.cu"), HasSubstr("#$ LIBRARIES=-L" + toolkit + "/lib64\n"));
  EXPECT_THAT(run("--dryrun -arch=sm_80 a.cu"), HasSubstr("-arch compute_80 "));
  EXPECT_THAT(run("-v -Xptxas -v -c a.cu"), HasSubstr("-Xptxas has no meaning"));
  EXPECT_THAT(run("--dryrun a.cu -o nothing"), HasSubstr("#$ "));
  EXPECT_FALSE(fs::exists(folder / "nothing"));
}

TEST_F(Emucc, WarningsAreTheUsersAlone) {
  write("a.cu", std::string(good) +
                    "__global__ void unused(int n) { int m; extern __shared__ float s[]; __shared__ int "
                    "t[4]; auto f = [=] { return t[0] + s[0]; }; f(); }\n");
  const std::string output = run("-Xcompiler -Wall,-Wextra,-Wshadow,-Wpedantic -c a.cu");
  EXPECT_THAT(output, HasSubstr("unused variable"));
  EXPECT_THAT(output, Not(HasSubstr("hadow")));
  EXPECT_THAT(output, Not(HasSubstr("cuemu")));
}

// Tests nvcc's warnings #224-D, #225-D and #181-D. nvcc gives them by default, and even -Werror does not turn
// them into errors.
TEST_F(Emucc, ComparesTheTextOfPrintfWithItsArguments) {
  const std::string kernel = "#include <cstdio>\n__global__ void k(int* p, long long l) {\n";
  write("a.cu", kernel +
                    "  __syncthreads();\n"
                    "  printf(\"block %d thread %d\\n\", blockIdx.x);\n"
                    "  printf(\"%d\\n\", 1, 2);\n"
                    "  printf(\"%s\\n\", threadIdx.x);\n}\n");
  for (const char* flags : {"-c a.cu", "-Xcompiler -Wall,-Werror -c a.cu"}) {
    const std::string output = run(flags);
    EXPECT_THAT(output, HasSubstr("a.cu:4:")) << flags;
    EXPECT_THAT(output, HasSubstr("expects a matching")) << flags;
    EXPECT_THAT(output, HasSubstr("a.cu:5:")) << flags;
    EXPECT_THAT(output, HasSubstr("a.cu:6:")) << flags;
  }
  write("a.cu", kernel +
                    "  printf(\"%lld %llu %lu %p %f %u %d %x %hd %c %5.1e %-4s|%*d%%\\n\", l, 1ull, sizeof "
                    "l, p, 1.5f,\n"
                    "         threadIdx.x, threadIdx.x, 3u, short(1), 'b', 2.5, \"x\", 4, true);\n"
                    "  printf(\"\");\n}\n");
  EXPECT_EQ(run("-c a.cu"), "");
}

// Kernels that sum, rotate and sort within a warp, without volatile and without __syncwarp(). They contain a
// read that must end before another lane writes, branches that only a part of the warp takes, a loop around
// such branches, and a function call.
const char* const in_step =
    "#include <cstdio>\n"
    "__device__ void sum_warp(int* s, int t) {\n"
    "  s[t] += s[t + 32];\n  s[t] += s[t + 16];\n  s[t] += s[t + 8];\n"
    "  for (int d = 4; d > 0; d /= 2) s[t] += s[t + d];\n"
    "}\n"
    "__global__ void k(int* out) {\n"
    "  __shared__ int s[64], total;\n"
    "  int t = threadIdx.x;\n"
    "  s[t] = t;\n  s[t + 32] = 1;\n"
    "  int next = s[(t + 1) % 32];\n"
    "  s[t] = next * 10;\n"
    "  out[t] = s[t ^ 1];\n"
    "  sum_warp(s, t);\n"
    "  if (t == 31) total = s[0];\n"
    "  out[32 + t] = total;\n"
    "  s[t] = t * 13 % 32;\n"
    "  for (int k = 0; k < 32; ++k) {\n"
    "    int left = 2 * t + (k & 1);\n"
    "    if (left > 30) continue;\n"
    "    if (s[left] > s[left + 1]) {\n"
    "      int x = s[left];\n      s[left] = s[left + 1];\n      s[left + 1] = x;\n"
    "    }\n"
    "  }\n"
    "  out[64 + t] = s[t];\n"
    "}\n"
    "int main() {\n"
    "  int* out;\n  int sorted = 0;\n"
    "  cudaMallocManaged(&out, 96 * sizeof(int));\n"
    "  k<<<1, 32>>>(out);\n  cudaDeviceSynchronize();\n"
    "  for (int i = 0; i < 32; ++i) sorted += out[64 + i] == i;\n"
    "  printf(\"%d %d, %d %d, %d\\n\", out[0], out[31], out[32], out[63], sorted);\n"
    "}\n";

TEST_F(Emucc, RunsTheLanesOfAWarpInStepOnRequest) {
  write("a.cu", in_step);
  EXPECT_EQ(run("--lockstep a.cu -o a && ./a"), "20 310, 4992 4992, 32\n");
  EXPECT_THAT(run("a.cu -o a && ./a"), Not(HasSubstr("4992")));
}

}  // namespace
