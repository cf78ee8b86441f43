// The include guards of headers that nvcc's cuda_runtime.h includes. In the emulation, these headers are parts of one.
//
// Programs test the guards (for example `#ifdef __CUDA_RUNTIME_H__` before a helper for cudaError_t), so each of the
// emulation's headers defines NVIDIA's name after its #pragma once. This file defines the names of the other headers.
#pragma once

#define __CUDA_RUNTIME_H__
#define __HOST_CONFIG_H__
#define __DEVICE_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __COMMON_FUNCTIONS_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_HPP__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_HPP__
#define __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_ATOMIC_FUNCTIONS_HPP__
#define __SM_20_INTRINSICS_H__
#define __SM_20_INTRINSICS_HPP__
#define __SM_30_INTRINSICS_H__
#define __SM_30_INTRINSICS_HPP__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_ATOMIC_FUNCTIONS_HPP__
#define __SM_32_INTRINSICS_H__
#define __SM_32_INTRINSICS_HPP__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_INTRINSICS_H__
#define __SM_60_ATOMIC_FUNCTIONS_H__
#define __SM_60_ATOMIC_FUNCTIONS_HPP__
#define __SM_61_INTRINSICS_H__
#define __SM_61_INTRINSICS_HPP__
#define __SM_70_RT_H__
#define __SM_70_RT_HPP__
#define __SM_80_RT_H__
#define __SM_80_RT_HPP__
#define __SM_90_RT_H__
#define __SM_90_RT_HPP__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
