// Measures the time from emucc's start to the finished binary, and nvcc's time for the same file.
//
//   compile_bench [file.cu …] [--runs N] [-- flags of both compilers]
//
// Without files, the program builds the test programs of the emulation. Runs of emucc and nvcc alternate, so
// that a change of the machine's load affects both. The program prints the medians and their ratio. Each
// compiler first makes an uncounted run that fills caches. Without nvcc, only emucc's times are printed.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Sample {
  double wall_s = 0;
  double cpu_s = 0;  ///< user and system time of the compiler and its children
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double children_cpu() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Builds the files once. @return false if the compiler fails or is missing
bool build(const std::string& compiler, const std::vector<std::string>& files,
           const std::vector<std::string>& flags, const fs::path& output, Sample& sample) {
  std::vector<std::string> words = {compiler};
  words.insert(words.end(), files.begin(), files.end());
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-o", output.string()});
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const double cpu = children_cpu();
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  sample.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  sample.cpu_s = children_cpu() - cpu;
  return status == 0;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Result {
  std::vector<double> wall, cpu;
  void add(const Sample& sample) {
    wall.push_back(sample.wall_s);
    cpu.push_back(sample.cpu_s);
  }
};

void measure(const std::vector<std::string>& files, const std::vector<std::string>& flags, int runs) {
  const fs::path output = fs::temp_directory_path() / ("compile_bench_" + std::to_string(getpid()));
  const std::string emucc = std::string(KIT_BINARY_DIR) + "/bin/emucc";
  Result ours, theirs;
  Sample sample;
  if (!build(emucc, files, flags, output, sample)) {
    std::printf("%-40s emucc failed\n", files.front().c_str());
    return;
  }
  const bool have_nvcc = build("nvcc", files, flags, output, sample);
  for (int i = 0; i < runs; ++i) {
    if (build(emucc, files, flags, output, sample)) ours.add(sample);
    if (have_nvcc && build("nvcc", files, flags, output, sample)) theirs.add(sample);
  }
  fs::remove(output);
  const std::string name = fs::path(files.front()).filename().string() +
                           (files.size() > 1 ? " +" + std::to_string(files.size() - 1) : "");
  std::printf("%-24s %8.2f %8.2f", name.c_str(), median(ours.wall), median(ours.cpu));
  if (!theirs.wall.empty()) {
    std::printf(" %8.2f %8.2f %8.2f %8.2f", median(theirs.wall), median(theirs.cpu),
                median(ours.wall) / median(theirs.wall), median(ours.cpu) / median(theirs.cpu));
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int runs = 5;
  std::vector<std::string> files, flags;
  bool both = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--")
      both = true;
    else if (both)
      flags.push_back(argument);
    else if (argument == "--runs" && i + 1 < argc)
      runs = std::max(1, std::atoi(argv[++i]));
    else
      files.push_back(argument);
  }
  std::printf("%-24s %8s %8s %8s %8s %8s %8s\n", "seconds, median", "emucc", "cpu", "nvcc", "cpu", "ratio",
              "cpu");
  if (!files.empty()) {
    measure(files, flags, runs);
    return 0;
  }
  flags = {"-O2"};
  for (const char* name : {"vector_add", "tiled_product", "reduction"}) {
    measure({std::string(KIT_SOURCE_DIR) + "/common/emu/tests/programs/" + name + ".cu"}, flags, runs);
  }
}
