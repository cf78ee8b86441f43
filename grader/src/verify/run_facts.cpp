#include "verify/run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace grader {

double threads_of(const Activity& launch) {
  double threads = 1;
  for (int i = 0; i < 3; ++i) threads *= static_cast<double>(launch.grid[i]) * launch.block[i];
  return threads;
}

RunFacts run_facts(const Profile& profile) {
  RunFacts facts;
  const Activity* largest = nullptr;
  const auto order = [](const Activity& kernel) { return std::pair(threads_of(kernel), kernel.duration_s); };
  for (const Activity& activity : profile.activities) {
    if (activity.kind != Activity::Kind::kernel) continue;
    if (largest == nullptr || order(activity) > order(*largest)) largest = &activity;
  }
  facts.no_kernel = largest == nullptr && profile.complete && !profile.source.empty();
  facts.marked_memory = profile.source == "emulation";
  if (largest == nullptr || largest->grid[0] == 0) return facts;
  facts.launch.emplace();
  std::copy_n(largest->grid, 3, facts.launch->grid);
  std::copy_n(largest->block, 3, facts.launch->block);
  facts.launch->shared = largest->bytes > 0;
  return facts;
}

std::string extent_words(const std::size_t (&extent)[3], int least) {
  int count = 3;
  while (count > least && extent[count - 1] == 1) --count;
  std::string words = std::to_string(extent[0]);
  for (int i = 1; i < count; ++i) words += fmt::format(" × {}", extent[i]);
  return words;
}

}  // namespace grader
