#include "verify/run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace grader {

RunFacts run_facts(const Profile& profile) {
  RunFacts facts;
  const Activity* longest = nullptr;
  for (const Activity& activity : profile.activities) {
    if (activity.kind != Activity::Kind::kernel) continue;
    if (longest == nullptr || activity.duration_s > longest->duration_s) longest = &activity;
  }
  facts.no_kernel = longest == nullptr && profile.complete && !profile.source.empty();
  facts.marked_memory = profile.source == "emulation";
  if (longest == nullptr || longest->grid[0] == 0) return facts;
  facts.launch.emplace();
  std::copy_n(longest->grid, 3, facts.launch->grid);
  std::copy_n(longest->block, 3, facts.launch->block);
  facts.launch->shared = longest->bytes > 0;
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
