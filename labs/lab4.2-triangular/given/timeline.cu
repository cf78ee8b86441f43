// timeline.cu: when each launch of a map was at work, from its first block that has work to its last one. Blocks
// read the device's clock, whose steps may be as long as a microsecond.
#include <lab/check.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

#include "triangular.h"

namespace {

constexpr int most_lines = 32;
constexpr int width = 48;  // characters of the longest bar

struct Span {
  std::uint32_t launch;
  unsigned long long begin, end;  // ns
};

// The launches that have done anything, in the order of their beginnings.
std::vector<Span> spansOf(const std::vector<unsigned long long>& times) {
  std::vector<Span> spans;
  for (std::uint32_t i = 0; i < most_timed; ++i)
    if (times[2 * i + 1] != 0) spans.push_back({i, times[2 * i], times[2 * i + 1]});
  std::stable_sort(spans.begin(), spans.end(),
                   [](const Span& a, const Span& b) { return a.begin < b.begin; });
  return spans;
}

}  // namespace

void startTimeline(unsigned long long* times) {
  std::vector<unsigned long long> none(2 * most_timed, 0);
  for (std::size_t i = 0; i < none.size(); i += 2) none[i] = ~0ull;
  CUDA_CHECK(cudaMemcpy(times, none.data(), none.size() * sizeof none[0], cudaMemcpyHostToDevice));
}

void printTimeline(const unsigned long long* d_times) {
  std::vector<unsigned long long> times(2 * most_timed);
  CUDA_CHECK(cudaMemcpy(times.data(), d_times, times.size() * sizeof times[0], cudaMemcpyDeviceToHost));
  const std::vector<Span> spans = spansOf(times);
  if (spans.empty()) return;
  const unsigned long long begin = spans.front().begin;
  unsigned long long end = begin, busy = 0;
  for (const Span& span : spans) {
    if (span.end > end) busy += span.end - std::max(span.begin, end);
    end = std::max(end, span.end);
  }
  const double all = std::max<double>(1, static_cast<double>(end - begin));
  std::printf("Launch   from (us)     to (us)\n");
  for (std::size_t i = 0; i < spans.size() && i < most_lines; ++i) {
    const double from = static_cast<double>(spans[i].begin - begin),
                 to = static_cast<double>(spans[i].end - begin);
    const int left = static_cast<int>(from / all * (width - 1));
    const int right = static_cast<int>(to / all * (width - 1));
    std::printf("%6u %11.3f %11.3f  %s%s\n", spans[i].launch, from / 1e3, to / 1e3,
                std::string(left, ' ').c_str(), std::string(right - left + 1, '=').c_str());
  }
  if (spans.size() > most_lines) std::printf("… and %zu more\n", spans.size() - most_lines);
  std::printf("From the first block to the last: %.6f (ms)\n", all / 1e6);
  std::printf("At least one launch at work: %.6f (ms)\n", static_cast<double>(busy) / 1e6);
  std::printf("Share without any: %.3f\n", 1 - static_cast<double>(busy) / all);
}
