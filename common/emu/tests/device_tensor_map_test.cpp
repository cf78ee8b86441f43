// Tensor maps that kernels change (tensormap.replace): what must not be done with them stops the kernel with a sentence. What
// they copy, programs/tensor_maps.cu shows.
#include "device_kernel.hpp"

#include <cuda.h>

#include <cuda/ptx>

namespace {

namespace ptx = cuda::ptx;
using cuemu::bulk::MapField;
using cuemu::bulk::replace_field;

/// A map of 8 x 4 integers, whose fields are all given to zeros.
struct Map {
  alignas(128) unsigned char bytes[128] = {};
  alignas(16) int matrix[32] = {};

  void fill() {
    replace_field(bytes, MapField::global_address, 0, reinterpret_cast<uint64_t>(matrix));
    replace_field(bytes, MapField::rank, 0, 1);
    replace_field(bytes, MapField::elemtype, 0, 3);
    for (unsigned d = 0; d < 2; ++d) {
      replace_field(bytes, MapField::global_dim, d, d == 0 ? 8 : 4);
      replace_field(bytes, MapField::box_dim, d, d == 0 ? 8 : 4);
      replace_field(bytes, MapField::element_stride, d, 1);
    }
    replace_field(bytes, MapField::global_stride, 0, 32);
  }
  void copy() {
    alignas(128) static int tile[32];
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, bytes, {0, 0}, tile);
  }
};

/// Sets one field of a map that is right, and copies by it.
void expect_refused(const MapField field, const unsigned dimension, const uint64_t value,
                    const char* const message, const cudaError_t error = cudaErrorIllegalInstruction) {
  expect_stopped(
      [=] {
        if (cuemu::thread_idx().x != 0) return;
        Map map;
        map.fill();
        replace_field(map.bytes, field, dimension, value);
        map.copy();
      },
      message, error);
}

TEST(TensorMap, OfZerosIsOneWhenAllItsFieldsAreGiven) {
  EXPECT_EQ(run_kernel(1, 1,
                       [] {
                         Map map;
                         map.fill();
                         map.copy();
                       }),
            cudaSuccess);
}

TEST(TensorMapDeathTest, FieldsAreLookedAtWhenATileIsCopied) {
  expect_refused(MapField::global_address, 0, 8,
                 "by this tensor map: its tensor's address is no multiple of 16");
  expect_refused(MapField::rank, 0, 5, "it has no rank from 1 to 5");
  expect_refused(MapField::rank, 0, 2, "a dimension of its tensor has no size");  // the third was never given
  expect_refused(MapField::rank, 0, 0, "a tensor map of 1 dimensions is used with 2 coordinates",
                 cudaErrorLaunchFailure);
  expect_refused(MapField::box_dim, 1, 257, "a dimension of its box has no size from 1 to 256");
  expect_refused(MapField::box_dim, 0, 7, "a row of its box is no multiple of 16 bytes");
  expect_refused(MapField::global_dim, 1, 0, "a dimension of its tensor has no size");
  expect_refused(MapField::global_stride, 0, 36, "one of its strides is no multiple of 16 bytes");
  expect_refused(MapField::element_stride, 1, 265, "one of its element strides is not from 1 to 8");
  expect_refused(MapField::fill_mode, 0, 1, "it fills integers with NaNs");
}

TEST(TensorMapDeathTest, WhatIsNotEmulatedIsSaidAtOnce) {
  const auto expect_missing = [](const MapField field, const uint64_t value, const char* const message) {
    expect_stopped(
        [=] {
          Map map;
          replace_field(map.bytes, field, 0, value);
        },
        message);
  };
  expect_missing(MapField::elemtype, 13, "4- and 6-bit numbers are not emulated");
  expect_missing(MapField::interleave_layout, 1, "interleaved layouts are not emulated");
  expect_missing(MapField::swizzle_mode, 4, "of swizzles those of 32, 64 and 128 bytes are emulated");
  expect_missing(MapField::swizzle_atomicity, 1, "those of 16 bytes are emulated");
}

TEST(TensorMapDeathTest, OnlyMapsAndZerosAreChanged) {
  expect_stopped(
      [] {
        Map map;
        map.bytes[5] = 1;
        replace_field(map.bytes, MapField::rank, 0, 1);
      },
      "changes something that is no tensor map");
  expect_stopped(
      [] {
        Map map;
        replace_field(map.bytes, MapField::global_stride, 4, 16);
      },
      "a tensor map has 5 dimensions, from 0 on, and 4 strides");
  expect_stopped(
      [] {
        Map map;
        replace_field(map.bytes + 16, MapField::rank, 0, 1);
      },
      "the address of a tensor map must be a multiple of 64", cudaErrorMisalignedAddress);
}

}  // namespace
