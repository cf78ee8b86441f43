#include "run/turns.hpp"

#include <algorithm>

namespace grader {

GpuTurns take_gpus(const Toolchain& toolchain, int count, Devices& devices) {
  GpuTurns turns;
  std::vector<std::string> alike = toolchain.devices();
  if (count == 1) {
    turns.taken.push_back(devices.take(alike));
  } else {
    // All graders reserve GPUs in the same order, so that no two of them deadlock.
    alike.resize(std::min(alike.size(), static_cast<std::size_t>(count)));
    std::sort(alike.begin(), alike.end());
    for (const std::string& device : alike) turns.taken.push_back(devices.take({device}));
  }
  if (toolchain.names_device())
    for (const auto& turn : turns.taken) turns.visible += (turns.visible.empty() ? "" : ",") + turn->device();
  return turns;
}

int most_devices(const Lab& lab) {
  int most = 1;
  for (const Case& c : lab.cases) most = std::max(most, c.devices);
  for (const TableSpec& table : lab.tables) most = std::max(most, table.devices);
  return most;
}

}  // namespace grader
