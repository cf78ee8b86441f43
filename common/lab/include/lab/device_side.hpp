/// @file
/// LAB_ON_DEVICE is defined while nvcc compiles the device's side of a source.
///
/// Only nvcc reads this file. The emulation compiles code for both sides only once, unless an included file mentions
/// __CUDA_ARCH__. So this file must not be included in emulation.
#pragma once

#ifdef __CUDA_ARCH__
#define LAB_ON_DEVICE 1
#endif
