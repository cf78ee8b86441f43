/// @file
/// Sentences about a stopped kernel and about a CUDA error, made from the records of common/wire.
#pragma once
#include <string>

#include "wire/stop.hpp"

namespace grader {

/// Where the threads are, for a time-out: "kernel product: thread (3, 0, 0) of block (0, 0, 0) was running at k.cu:41; 7
/// of 8 threads wait at __syncthreads() at k.cu:45". Empty if the record does not contain it.
std::string words_of_threads(const kit_wire::Stop& stop);

/// "kernel product, thread (3, 0, 0) of block (0, 0, 0): a write at k.cu:41, outside every allocation of the device"
std::string words_of_stop(const kit_wire::Stop& stop);

/// "CUDA reported an error at matrixmul.cu:80, cudaDeviceSynchronize(): an illegal memory access was encountered"
std::string words_of_error(const kit_wire::CudaError& error);

}  // namespace grader
