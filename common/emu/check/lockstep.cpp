#include "lockstep.hpp"

#include <algorithm>
#include <unordered_map>

namespace cuemu::check {

std::vector<LockStep> in_lockstep(const std::vector<std::vector<std::uint32_t>>& lanes) {
  std::vector<LockStep> steps;
  std::vector<std::size_t> at(lanes.size());
  // How many times each lane has yet to reach a place. It is counted when the lanes first diverge.
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> ahead;
  const auto look_ahead = [&] {
    ahead.resize(lanes.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t i = at[lane]; i < lanes[lane].size(); ++i) ++ahead[lane][lanes[lane][i]];
  };

  const auto waiting_for = [&](std::uint32_t place) {
    std::size_t count = 0;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (at[lane] == lanes[lane].size() || lanes[lane][at[lane]] == place) continue;
      const auto known = ahead[lane].find(place);
      count += known != ahead[lane].end() && known->second != 0 ? 1 : 0;
    }
    return count;
  };
  std::vector<std::uint32_t> places;  // current places of the lanes
  for (;;) {
    places.clear();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      if (at[lane] < lanes[lane].size() && (places.empty() || places.back() != lanes[lane][at[lane]]))
        places.push_back(lanes[lane][at[lane]]);
    if (places.empty()) return steps;
    if (places.size() > 1) {
      std::sort(places.begin(), places.end());
      places.erase(std::unique(places.begin(), places.end()), places.end());
    }
    std::uint32_t chosen = places.front();
    if (places.size() > 1) {
      if (ahead.empty()) look_ahead();
      std::size_t fewest = lanes.size() + 1;
      for (const std::uint32_t place : places)
        if (const std::size_t count = waiting_for(place); count < fewest) {
          fewest = count;
          chosen = place;
        }
    }
    LockStep step;
    step.positions.reserve(lanes.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (at[lane] == lanes[lane].size() || lanes[lane][at[lane]] != chosen) continue;
      step.lanes |= 1u << lane;
      step.positions.push_back(static_cast<std::uint32_t>(at[lane]++));
      if (!ahead.empty()) --ahead[lane][chosen];
    }
    steps.push_back(std::move(step));
  }
}

}  // namespace cuemu::check
