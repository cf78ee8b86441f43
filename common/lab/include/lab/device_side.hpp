/// @file
/// LAB_ON_DEVICE is defined where nvcc compiles the device's side of a source.
///
/// Only nvcc reads this file: the emulation compiles code for both sides once, and reads a source a second time where
/// an included file mentions __CUDA_ARCH__.
#pragma once

#ifdef __CUDA_ARCH__
#define LAB_ON_DEVICE 1
#endif
