/// @file
/// Gives a program, timed or checked, GPUs for its exclusive use.
#pragma once
#include "build/toolchain.hpp"
#include "model/lab.hpp"
#include "process/devices.hpp"

namespace grader {

/// The GPUs that a program has for itself while this object lives.
struct GpuTurns {
  std::vector<std::unique_ptr<DeviceTurn>> taken;
  std::string visible;  ///< for CUDA_VISIBLE_DEVICES; empty: no choice
};

/// Waits for a turn on any one of the GPUs of the same kind, or on the first `count` of them: a program that uses
/// several runs on as many as exist. @throws Error (environment) after Ctrl-C
GpuTurns take_gpus(const Toolchain& toolchain, int count, Devices& devices);

/// The most GPUs that any case or table of the lab uses.
int most_devices(const Lab& lab);

}  // namespace grader
