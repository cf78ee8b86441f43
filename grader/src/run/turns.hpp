/// @file
/// Whoever starts a program on a GPU, for its times or for a look, takes its turns here.
#pragma once
#include "build/toolchain.hpp"
#include "model/lab.hpp"
#include "process/devices.hpp"

namespace grader {

/// The GPUs that a program has to itself, as long as this lives.
struct GpuTurns {
  std::vector<std::unique_ptr<DeviceTurn>> taken;
  std::string visible;  ///< for CUDA_VISIBLE_DEVICES; empty: there is nothing to choose from
};

/// Waits for a turn on any one of the GPUs that are alike, or on the first ones of them: a program that uses several runs on as
/// many as there are. @throws Error (environment) after Ctrl-C
GpuTurns take_gpus(const Toolchain& toolchain, int count, Devices& devices);

/// GPUs that the lab's program uses at most, whatever its arguments.
int most_devices(const Lab& lab);

}  // namespace grader
