/// @file
/// Reserves GPUs for the exclusive use of a program that is timed or checked.
#pragma once
#include "build/toolchain.hpp"
#include "model/lab.hpp"
#include "process/devices.hpp"

namespace grader {

/// The GPUs that only this program may use while this object lives.
struct GpuTurns {
  std::vector<std::unique_ptr<DeviceTurn>> taken;
  std::string visible;  ///< value for CUDA_VISIBLE_DEVICES; empty: it need not be set
};

/// Waits for a turn on any one of the GPUs of the same kind, or with `count` on the first `count` of them. If
/// there are fewer, the program runs on all of them. @throws Error (environment) after Ctrl-C
GpuTurns take_gpus(const Toolchain& toolchain, int count, Devices& devices);

/// The largest number of GPUs that a case or table of the lab uses.
int most_devices(const Lab& lab);

}  // namespace grader
