// Measures the cost of the emulation: times kernels as emucc builds them, and the same loops in plain OpenMP C++, in
// one run. At the end it prints a table with the time per element, its spread, and the ratio to the plain loop.
//
//   build/bin/kernels_bench                  five repetitions of all benchmarks in random order; prints medians
//   build/bin/kernels_bench --benchmark_filter=tree
//
// Every result is checked, and all memory of the device and of the host is written, before anything is timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "kernels.hpp"

namespace {

constexpr int product = 512;
constexpr int elements = 1 << 24;
constexpr int launches = 1000;
constexpr int parents = 256;

/// Input and output of the benchmarks, in device memory and in host memory.
struct Data {
  std::vector<float> a, b, c, sums;
  std::vector<unsigned char> bytes;
  std::vector<unsigned> counts;
  float *da = nullptr, *db = nullptr, *dc = nullptr;
  unsigned char* dbytes = nullptr;
  unsigned* dcounts = nullptr;

  Data() : a(elements), b(elements), c(elements), sums(elements / 256), bytes(elements), counts(256) {
    for (int i = 0; i < elements; ++i) {
      const unsigned mixed = static_cast<unsigned>(i) * 2654435761u;
      a[i] = static_cast<float>(mixed >> 28) - 8.0f;  // small whole numbers: sums are exact in any order
      b[i] = static_cast<float>(mixed >> 24 & 15u) - 8.0f;
      bytes[i] = static_cast<unsigned char>(mixed >> 20);
    }
    to_device(da, a);
    to_device(db, b);
    to_device(dc, c);
    to_device(dbytes, bytes);
    to_device(dcounts, counts);
  }

  template <class T>
  static void to_device(T*& device, const std::vector<T>& host) {
    check(cudaMalloc(&device, host.size() * sizeof(T)));
    check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  template <class T>
  static std::vector<T> from_device(const T* device, std::size_t count) {
    std::vector<T> host(count);
    check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "kernels_bench: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
};

struct Case {
  std::string name;
  std::string peer;
  double count;                   ///< elements of one run
  std::function<void()> split;    ///< as emucc builds it by default
  std::function<void()> fibers;   ///< with --no-fission
  std::function<void()> plain;    ///< OpenMP
  std::function<bool()> correct;  ///< whether a run of the kernel and a run of the loop agree
};

std::vector<Case> cases(Data& d) {
  const auto same_product = [&d] {
    return Data::from_device(d.dc, product * product) ==
           std::vector<float>(d.c.begin(), d.c.begin() + product * product);
  };
  const auto same_sum = [&d] {
    double all = 0, expected = 0;
    for (const float sum : Data::from_device(d.dc, elements / 256)) all += sum;
    for (const float value : d.a) expected += value;
    return all == expected;
  };
  const auto sum = [&d] { d.sums[0] = plain::sum(d.a.data(), elements); };
  std::vector<Case> all;
  all.push_back({"naive product", "i-j-k", product * product,
                 [&d] { split::naive_product(d.da, d.db, d.dc, product); },
                 [&d] { fibers::naive_product(d.da, d.db, d.dc, product); },
                 [&d] { plain::product_ijk(d.a.data(), d.b.data(), d.c.data(), product); }, same_product});
  all.push_back({"tiled product", "i-k-j", product * product,
                 [&d] { split::tiled_product(d.da, d.db, d.dc, product); },
                 [&d] { fibers::tiled_product(d.da, d.db, d.dc, product); },
                 [&d] { plain::product_ikj(d.a.data(), d.b.data(), d.c.data(), product); }, same_product});
  all.push_back({"tree reduction", "sum", elements, [&d] { split::tree_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::tree_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"shuffle reduction", "sum", elements,
                 [&d] { split::shuffle_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::shuffle_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"tree, called", "sum", elements, [&d] { split::called_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::called_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"tree, shared stride", "sum", elements,
                 [&d] { split::decided_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::decided_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"tree, own strides", "sum", elements, [&d] { split::own_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::own_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"tree, by votes", "sum", elements, [&d] { split::voted_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::voted_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"shuffles of a tile", "sum", elements,
                 [&d] { split::groups_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::groups_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"shuffles, divergent", "sum", elements,
                 [&d] { split::divergent_reduction(d.da, d.dc, elements); },
                 [&d] { fibers::divergent_reduction(d.da, d.dc, elements); }, sum, same_sum});
  all.push_back({"vector addition", "c = a + b", elements,
                 [&d] { split::vector_addition(d.da, d.db, d.dc, elements); },
                 [&d] { fibers::vector_addition(d.da, d.db, d.dc, elements); },
                 [&d] { plain::vector_addition(d.a.data(), d.b.data(), d.c.data(), elements); },
                 [&d] { return Data::from_device(d.dc, elements) == d.c; }});
  all.push_back({"histogram", "++count[x]", elements,
                 [&d] { split::histogram(d.dbytes, d.dcounts, elements); },
                 [&d] { fibers::histogram(d.dbytes, d.dcounts, elements); },
                 [&d] { plain::histogram(d.bytes.data(), d.counts.data(), elements); },
                 [&d] { return Data::from_device(d.dcounts, 256) == d.counts; }});
  // Each run of these kernels adds one to each element.
  const auto adds = [&d](std::function<void()> run, std::size_t count, float once) {
    return [&d, run = std::move(run), count, once] {
      Data::check(cudaMemset(d.dc, 0, count * sizeof(float)));
      run();
      return Data::from_device(d.dc, count) == std::vector<float>(count, once);
    };
  };
  const auto tiny = [&d] { split::tiny_launches(d.dc, launches); };
  all.push_back({"tiny launches", "parallel for", launches, tiny,
                 [&d] { fibers::tiny_launches(d.dc, launches); },
                 [&d] { plain::tiny_loops(d.c.data(), launches); }, adds(tiny, 32, launches)});
  const auto nested = [&d] { split::nested_launches(d.dc, parents); };
  all.push_back({"nested launches", "parallel for", parents, nested,
                 [&d] { fibers::nested_launches(d.dc, parents); },
                 [&d] { plain::tiny_loops(d.c.data(), parents); }, adds(nested, 32 * parents, 1.0f)});
  return all;
}

/// Keeps the times of all repetitions and prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) {
        Times& all = times[run.run_name.function_name];
        all.wall.push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
        all.processor.push_back(run.counters.at("processor").value);
      }
  }
  struct Times {
    std::vector<double> wall, processor;  ///< seconds for one run
  };
  std::map<std::string, Times> times;
};

double quantile(std::vector<double> values, double which) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(std::lround(which * static_cast<double>(values.size() - 1)))];
}

void print_table(const std::vector<Case>& all, const Collector& collected) {
  std::printf("\n%-19s %-13s %12s %12s %14s   %-24s %s\n", "kernel", "plain loop", "plain", "emulated",
              "by threads", "ratio (spread)", "by threads, processor time");
  for (const Case& each : all) {
    const auto find = [&](const char* how) -> const Collector::Times* {
      const auto found = collected.times.find(each.name + "/" + how);
      return found == collected.times.end() ? nullptr : &found->second;
    };
    const auto *split = find("emulated"), *fibers = find("by threads"), *plain = find("plain");
    if (split == nullptr || fibers == nullptr || plain == nullptr) continue;
    const auto nanoseconds = [&](const Collector::Times* times) {
      return quantile(times->wall, 0.5) / each.count * 1e9;
    };
    const double base = quantile(plain->wall, 0.5), busy = quantile(plain->processor, 0.5);
    std::printf("%-19s %-13s %9.3f ns %9.3f ns %11.3f ns   %6.2f (%.2f to %.2f) %11.1f %8.2f and %.1f\n",
                each.name.c_str(), each.peer.c_str(), nanoseconds(plain), nanoseconds(split),
                nanoseconds(fibers), quantile(split->wall, 0.5) / base, quantile(split->wall, 0.0) / base,
                quantile(split->wall, 1.0) / base, quantile(fibers->wall, 0.5) / base,
                quantile(split->processor, 0.5) / busy, quantile(fibers->processor, 0.5) / busy);
  }
  std::printf(
      "\nTimes are for one element (of a product: of its result; of launches: one), medians of the "
      "repetitions.\n"
      "Ratios are to the plain loop: emulated; \"by threads\", that is with emucc --no-fission, each thread "
      "on a\n"
      "stack of its own; and both again in processor time, which other programs on the machine disturb "
      "less.\n");
}

void add(const std::string& name, const std::function<void()>& run) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [run](benchmark::State& state) {
                                 // The benchmark library would not count the time of threads that already existed.
                                 const std::clock_t begin = std::clock();
                                 for (auto _ : state) run();
                                 state.counters["processor"] = static_cast<double>(std::clock() - begin) /
                                                               CLOCKS_PER_SEC /
                                                               static_cast<double>(state.iterations());
                               })
      ->UseRealTime()
      ->MinTime(0.1);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char repetitions[] = "--benchmark_repetitions=5";
  char interleaving[] = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, {repetitions, interleaving});
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;

  Data data;
  const std::vector<Case> all = cases(data);
  for (const Case& each : all) {
    each.plain();
    for (const auto* run : {&each.split, &each.fibers}) {
      (*run)();
      Data::check(cudaGetLastError());
      if (each.correct()) continue;
      std::fprintf(stderr, "kernels_bench: %s gives a wrong result\n", each.name.c_str());
      return 1;
    }
    add(each.name + "/emulated", each.split);
    add(each.name + "/by threads", each.fibers);
    add(each.name + "/plain", each.plain);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  print_table(all, collector);
  return 0;
}
