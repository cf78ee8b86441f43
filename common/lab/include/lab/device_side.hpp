/// @file
/// LAB_ON_DEVICE is defined while nvcc compiles the device's side of a source.
///
/// Only nvcc reads this file. The emulation compiles code for both sides only once, but not if an included file
/// mentions __CUDA_ARCH__; so the emulation must not read this file.
#pragma once

#ifdef __CUDA_ARCH__
#define LAB_ON_DEVICE 1
#endif
