/// @file
/// The GPUs that the kit knows, with values from their datasheets. The emulation takes its device from this table
/// (CUEMU_DEVICE), and the grader predicts kernel times on these GPUs.
#pragma once
#include <cstddef>

namespace cuda_lab_profile {

/// Properties of one GPU: programs can read them, and they limit launches.
struct Device {
  const char* key;  ///< value of CUEMU_DEVICE
  const char* name;
  int major, minor;
  int multiprocessors;
  std::size_t memory;            ///< bytes
  std::size_t shared_per_block;  ///< bytes, without opt-in
  std::size_t shared_per_block_optin;
  std::size_t shared_per_multiprocessor;
  std::size_t shared_reserved;  ///< bytes of each block that the system reserves
  int registers_per_block;
  int registers_per_multiprocessor;
  int threads_per_block;
  int threads_per_multiprocessor;
  int blocks_per_multiprocessor;
  int max_grid_x;
  int clock_khz;
  int memory_clock_khz;
  int memory_bus_bits;
  int l2_bytes;
  int double_ratio;  ///< how many times slower double precision is than single precision
};

// Columns: shared memory of a block, with opt-in, of a multiprocessor, reserved by the system; registers of a block and
// of a multiprocessor; threads of a block and of a multiprocessor; blocks of a multiprocessor. Clocks in kHz.
// key, name, compute capability, multiprocessors, memory; shared memory; registers, threads and blocks; grid's largest
// x, clock, memory's clock and bus, L2, how many times slower double precision is. clang-format off
inline constexpr Device devices[] = {
    {"h200",    "NVIDIA H200", 9,       0,       132,   150109880320, 48 << 10,
     227 << 10, 228 << 10,     1 << 10, 65536,   65536, 1024,         2048,
     32,        2147483647,    1980000, 3201000, 6144,  60 << 20,     2},
    {"h100",    "NVIDIA H100 80GB HBM3",
     9,         0,
     132,       84929347584,
     48 << 10,  227 << 10,
     228 << 10, 1 << 10,
     65536,     65536,
     1024,      2048,
     32,        2147483647,
     1980000,   2619000,
     5120,      50 << 20,
     2},
    {"a100",    "NVIDIA A100-SXM4-40GB",
     8,         0,
     108,       42405855232,
     48 << 10,  163 << 10,
     164 << 10, 1 << 10,
     65536,     65536,
     1024,      2048,
     32,        2147483647,
     1410000,   1215000,
     5120,      40 << 20,
     2},
    {"t4",  "Tesla T4", 7,    5,  40,         15843721216, 48 << 10, 64 << 10, 64 << 10, 0, 65536,
     65536, 1024,       1024, 16, 2147483647, 1590000,     5001000,  256,      4 << 20,  32},
    {"gtx960", "GeForce GTX 960",
     5,        2,
     8,        std::size_t{2048} << 20,
     48 << 10, 48 << 10,
     96 << 10, 0,
     65536,    65536,
     1024,     2048,
     32,       2147483647,
     1178000,  3505000,
     128,      1 << 20,
     32},
    {"k40c",   "Tesla K40c", 3,        5,          15,     std::size_t{11441} << 20,
     48 << 10, 48 << 10,     48 << 10, 0,          65536,  65536,
     1024,     2048,         16,       2147483647, 745000, 3004000,
     384,      1536 * 1024,  3},
    {"gtx280", "GeForce GTX 280",
     1,        3,
     30,       std::size_t{1024} << 20,
     16 << 10, 16 << 10,
     16 << 10, 0,
     16384,    16384,
     512,      1024,
     8,        65535,
     1296000,  1107000,
     512,      0,
     8},
};
// clang-format on

}  // namespace cuda_lab_profile
