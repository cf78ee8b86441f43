/// @file
/// LAB_ON_DEVICE is defined while nvcc compiles the device's side of a source.
///
/// Only nvcc reads this file. The emulation compiles code for both sides only once, unless an included file mentions
/// __CUDA_ARCH__; this file therefore must not reach the emulation.
#pragma once

#ifdef __CUDA_ARCH__
#define LAB_ON_DEVICE 1
#endif
