// minmatrix.cu: the minimum of many small matrices, element by element, and the time of each step.
//
//        host                                device
//     file ── Reading ──▶ values ─ Copying ─▶ d_values
//                            │                   │ GPU: one of three versions
//              Sequential    ▼                   ▼
//           (to compare)  minimum   ◀─────── d_out (n, n)
//
// There is nothing to do here. End to end is the time of everything from the file to the minimum: reading,
// memory on the device, copying, the kernels, and the way back. CUDA's start-up and the sequential program
// are in none of the times.
//
// Run it:  grader lab1.3                       builds it, grades it, explains what is wrong
//          minmatrix FILE                      the matrices of a text file, or of an array (m, n, n) of int32 in a
//                                              .npy file
//          minmatrix --matrices 1000000        random matrices
//          minmatrix --matrices 50000000 --write FILE         writes them to a file, and ends
#include <lab/lab.hpp>

#include <algorithm>
#include <climits>
#include <ctime>
#include <thread>

#include "matrices.hpp"
#include "minmatrix.h"

#ifdef __CUEMU__  // a CPU takes a second for a GPU's tenth of a millisecond
constexpr int DEFAULT_MATRICES = 100000;
#else
constexpr int DEFAULT_MATRICES = 1000000;
#endif

namespace {

enum class Version { report, segments, expert };
enum class Reader { stream, parallel, both };

struct Choice {
  Version version;
  Layout layout;  // that the version needs
  Reader reader;
  int threads;  // of the parallel reader
};

// The choices of --version, --reader and --threads. Each version has its own reader unless --reader names
// another.
Choice findChoice(const lab::Args& args) {
  Choice choice{Version::report, Layout::transposed, Reader::stream, 1};
  const std::string& version = args.text("version");
  if (version == "segments") {
    choice.version = Version::segments;
  } else if (version == "expert") {
    choice = {Version::expert, Layout::kept, Reader::parallel, 1};
  } else if (version != "report") {
    args.fail("--version must be report, segments or expert, but is '" + version + "'");
  }
  const std::string& reader = args.text("reader");
  if (reader == "stream") {
    choice.reader = Reader::stream;
  } else if (reader == "parallel") {
    choice.reader = Reader::parallel;
  } else if (reader == "both") {
    choice.reader = Reader::both;
  } else if (!reader.empty()) {
    args.fail("--reader must be stream, parallel or both, but is '" + reader + "'");
  }
  choice.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (args.has("threads")) choice.threads = static_cast<int>(args.integer("threads", 1, 1024));
  return choice;
}

bool isArray(const std::string& path) {
  return path.size() > 4 && path.compare(path.size() - 4, 4, ".npy") == 0;
}

// Matrices in the order of the file, brought into a layout.
Matrices arranged(const std::string& source, const std::vector<int>& values, int n, Layout layout) {
  Matrices matrices =
      roomFor(source.c_str(), static_cast<long long>(values.size() / (std::size_t(n) * n)), n);
  const std::size_t numbers = matrices.numbers(), m = matrices.m;
  for (std::size_t i = 0; i < values.size(); ++i)
    matrices.values[layout == Layout::kept ? i : i % numbers * m + i / numbers] = values[i];
  return matrices;
}

Matrices readArray(const std::string& path, int n, Layout layout) {
  try {
    const lab::NpyArray<int> array = lab::read_npy<int>(path, 3);
    if (array.shape[0] < 1 || array.shape[1] != array.shape[2] ||
        array.shape[1] != static_cast<std::size_t>(n))
      lab::usage_error("Input " + path + " has the shape " + lab::npy_shape_words(array.shape) +
                       ", but (m, n, n) with n = " + std::to_string(n) + " was expected: see --size.");
    return arranged(path, array.data, n, layout);
  } catch (const lab::NpyError& error) {
    lab::usage_error(std::string("Input ") + error.what());
  }
}

// Reads a file with each reader in turn, and prints how many bytes per second each reader takes on one core:
// bytes over the processor time of all threads together.
Matrices readTwice(const std::string& path, int n, const Choice& choice) {
  const auto bytes = static_cast<double>(lab::MappedFile(path).size());
  const auto seconds_since = [](std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const std::clock_t first = std::clock();
  const Matrices expected = readStream(path.c_str(), n, choice.layout);
  const double stream = seconds_since(first);
  const std::clock_t second = std::clock();
  Matrices matrices = readParallel(path.c_str(), n, choice.layout, choice.threads);
  const double parallel = seconds_since(second);
  if (matrices.m != expected.m ||
      !std::equal(expected.values.get(), expected.values.get() + expected.count(), matrices.values.get()))
    lab::stop(lab::exit_failed,
              "The two readers have read different numbers: there is a mistake in the parallel one.");
  std::printf("Bytes a second and core, stream: %.4g\n", bytes / stream);
  std::printf("Bytes a second and core, parallel: %.4g\n", bytes / parallel);
  std::printf("Parallel over stream: %.2f\n", stream / parallel);
  return matrices;
}

Matrices readFile(const std::string& path, int n, const Choice& choice) {
  if (isArray(path)) return readArray(path, n, choice.layout);
  if (choice.reader == Reader::both) return readTwice(path, n, choice);
  if (choice.reader == Reader::stream) return readStream(path.c_str(), n, choice.layout);
  return readParallel(path.c_str(), n, choice.layout, choice.threads);
}

// The minimum by one core of the CPU.
std::vector<int> minimumOnHost(const Matrices& matrices, Layout layout) {
  const int numbers = matrices.numbers();
  const int* const values = matrices.values.get();
  std::vector<int> minimum(numbers, INT_MAX);
  if (layout == Layout::kept) {
    for (int k = 0; k < matrices.m; ++k) {
      for (int p = 0; p < numbers; ++p) minimum[p] = std::min(minimum[p], values[k * numbers + p]);
    }
  } else {
    for (int p = 0; p < numbers; ++p) {
      for (int k = 0; k < matrices.m; ++k) minimum[p] = std::min(minimum[p], values[p * matrices.m + k]);
    }
  }
  return minimum;
}

struct Times {
  lab::Timer reading, copying, gpu, sequential, end_to_end;
};

// The minimum by one of the versions on the device.
std::vector<int> minimumOnDevice(const Matrices& matrices, Version version, Times& times) {
  const int m = matrices.m, numbers = matrices.numbers();
  std::vector<int> minimum(numbers, INT_MAX);
  int* d_values = nullptr;   // (m * numbers), device memory: the matrices
  int* d_scratch = nullptr;  // room for intermediate minima
  int* d_out = nullptr;      // (numbers), the minimum

  CUDA_CHECK(cudaMalloc(&d_values, sizeof(int) * matrices.count()));
  CUDA_CHECK(cudaMalloc(&d_scratch, sizeof(int) * scratchSize(m, numbers)));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof(int) * numbers));
  times.copying.start();
  CUDA_CHECK(
      cudaMemcpy(d_values, matrices.values.get(), sizeof(int) * matrices.count(), cudaMemcpyHostToDevice));
  times.copying.stop();

  times.gpu.start();
  if (version == Version::report) minimumReport(d_out, d_scratch, d_values, m, numbers);
  if (version == Version::segments) minimumSegments(d_out, d_scratch, d_values, m, numbers);
  if (version == Version::expert) minimumExpert(d_out, d_values, m, numbers);
  CUDA_CHECK(cudaDeviceSynchronize());  // the launches returned at once
  times.gpu.stop();

  CUDA_CHECK(cudaMemcpy(minimum.data(), d_out, sizeof(int) * numbers, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_values));
  CUDA_CHECK(cudaFree(d_scratch));
  CUDA_CHECK(cudaFree(d_out));
  return minimum;
}

void printMatrix(const std::vector<int>& matrix, int n) {
  for (int i = 0; i < n * n; ++i) std::printf("%d%c", matrix[i], i % n + 1 == n ? '\n' : ' ');
}

// --write: the matrices that would be reduced.
void writeFile(const std::string& path, const std::vector<int>& values, int n, const lab::Args& args) {
  lab::TextStyle style = lab::TextStyle::plain;
  if (!lab::parse_style(args.text("style"), style))
    args.fail("--style must be plain, unicode or loose, but is '" + args.text("style") + "'");
  const std::size_t size = n, m = values.size() / (size * size);
  if (isArray(path)) {
    lab::save(path, {m, size, size}, values);
  } else {
    lab::write_matrices(path, static_cast<int>(m), n, values.data(), style);
  }
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("minmatrix", "the minimum of many small matrices, element by element");
  args.argument("file", "text file or .npy file with the matrices; none: they are drawn at random", "");
  args.option("matrices", "M", "without a file: how many", std::to_string(DEFAULT_MATRICES));
  args.option("size", "N", "matrices of N×N numbers", "3");
  args.option("version", "V", "report, segments (level 2) or expert (level 3)", "report");
  args.option("reader", "R", "stream, parallel, or both to compare them; default: the version's own", "");
  args.option("threads", "T", "of the parallel reader; default: one for each core", "");
  args.option("write", "FILE", "write the matrices to a text file or .npy file, and end", "");
  args.option("style", "S", "of that text file: plain, unicode or loose", "plain");
  args.reads({"matrices.txt"}).writes("minimum").parse(argc, argv);
  const int n = static_cast<int>(args.integer("size", 1, 1024));
  const Choice choice = findChoice(args);
  const std::string path = args.inputs().empty() ? args.text("file") : args.inputs()[0];

  Times times;
  Matrices matrices;
  if (path.empty()) {
    const auto most = static_cast<std::int64_t>(MOST_NUMBERS / (std::size_t(n) * n));
    const int m = static_cast<int>(args.integer("matrices", 1, most, "4 GiB of numbers"));
    lab::Random random(args.seed());
    const std::vector<int> values = lab::draw_matrices(random, m, n);
    if (args.has("write")) {
      writeFile(args.text("write"), values, n, args);
      return lab::exit_passed;
    }
    matrices = arranged("drawn", values, n, choice.layout);
  } else if (args.has("write")) {
    args.fail("--write is for matrices that are drawn: leave out the file");
  }

  CUDA_CHECK(cudaFree(nullptr));  // CUDA's start-up is in none of the times
  times.end_to_end.start();
  if (!path.empty()) {
    times.reading.start();
    matrices = readFile(path, n, choice);
    times.reading.stop();
  }
  const std::vector<int> minimum = minimumOnDevice(matrices, choice.version, times);
  times.end_to_end.stop();
  times.sequential.start();
  const std::vector<int> expected = minimumOnHost(matrices, choice.layout);
  times.sequential.stop();

  if (n <= 16) printMatrix(minimum, n);
  std::printf("%d matrices of %d×%d\n", matrices.m, n, n);
  lab::print_time("Reading", times.reading.ms());
  lab::print_time("Copying", times.copying.ms(), "h2d");
  lab::print_time("GPU", times.gpu.ms(), "kernel");
  lab::print_time("Sequential", times.sequential.ms());
  lab::print_time("End to end", times.end_to_end.ms());
  if (!args.output().empty()) {  // the grader compares, with its own inputs and results
    lab::save(args.output(), {static_cast<std::size_t>(n), static_cast<std::size_t>(n)}, minimum);
    return lab::finish(true);
  }
  const bool passed = lab::compare("minimum", minimum.data(), expected.data(),
                                   {static_cast<std::size_t>(n), static_cast<std::size_t>(n)}) == 0;
  std::printf("Test %s\n", passed ? "PASSED" : "FAILED");
  return lab::finish(passed);
}
