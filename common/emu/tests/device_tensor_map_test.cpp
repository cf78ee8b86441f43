// Tests that each forbidden use of a tensor map stops the kernel with a sentence. The maps are maps that
// kernels change (tensormap.replace), maps of images (im2col) and interleaved maps. The programs tensor_*.cu
// of the extra ptx test the copies.
#include "device_kernel.hpp"

#include <cuda.h>

#include "cuemu/bulk_copy.hpp"

namespace {

using cuemu::bulk::MapField;
using cuemu::bulk::replace_field;

/// A map of 8 x 4 integers. It is zero at first; then every field is set.
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
    cuemu::bulk::store_tile(bytes, cuemu::bulk::Coordinates(2, 0, 0), tile);
  }
};

/// Sets one field of a valid map. A copy with this map must be refused.
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
  expect_refused(MapField::rank, 0, 5, "its rank is not from 1 to 5");
  expect_refused(MapField::rank, 0, 2,
                 "the size of a dimension of its tensor");  // the third was never set
  expect_refused(MapField::rank, 0, 0, "a tensor map of 1 dimensions is used with 2 coordinates",
                 cudaErrorLaunchFailure);
  expect_refused(MapField::box_dim, 1, 257, "the size of a dimension of its box is not from 1 to 256");
  expect_refused(MapField::box_dim, 0, 7, "a row of its box is no multiple of 16 bytes");
  expect_refused(MapField::global_dim, 1, 0, "the size of a dimension of its tensor");
  expect_refused(MapField::global_stride, 0, 36, "one of its strides is no multiple of 16 bytes");
  expect_refused(MapField::element_stride, 1, 265, "one of its element strides is not from 1 to 8");
  expect_refused(MapField::fill_mode, 0, 1, "it fills integers with NaNs");
}

TEST(TensorMapDeathTest, UnsupportedFieldsAreReportedAtOnce) {
  const auto expect_missing = [](const MapField field, const uint64_t value, const char* const message) {
    expect_stopped(
        [=] {
          Map map;
          replace_field(map.bytes, field, 0, value);
        },
        message);
  };
  expect_missing(MapField::elemtype, 13, "4- and 6-bit numbers are not emulated");
  expect_missing(MapField::interleave_layout, 3,
                 "of interleaved layouts those of 16 and 32 bytes are emulated");
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

/// A map of images of 5 x 4 pixels of 8 integers. A filter's corner goes from (`first`, 0) to (4, 2).
CUtensorMap images(int* const memory, const int first = 1) {
  CUtensorMap map;
  const cuuint64_t sizes[] = {8, 5, 4, 2}, strides[] = {32, 160, 640};
  const int lower[] = {first, 0}, upper[] = {0, -1};
  const cuuint32_t steps[] = {1, 1, 1, 1};
  EXPECT_EQ(
      cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, memory, sizes, strides, lower, upper, 8,
                              16, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                              CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
      CUDA_SUCCESS);
  return map;
}
alignas(128) int image_tile[16 * 8], image_memory[8 * 5 * 4 * 2];
/// Stores a column of pixels, as cp.async.bulk.tensor with .im2col_no_offs does.
void store_pixels(const CUtensorMap& map, cuemu::bulk::Coordinates place, const int offset = 0,
                  const bool is_im2col = true) {
  place.is_im2col = is_im2col;
  place.offset[0] = offset;
  cuemu::bulk::store_tile(&map, place, image_tile);
}

TEST(TensorMap, OfImagesIsFoundByName) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &function, 12000, 0, &found),
            cudaSuccess);
  EXPECT_EQ(found, cudaDriverEntryPointSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&cuTensorMapEncodeIm2col));
  function = nullptr;
  EXPECT_EQ(cudaGetDriverEntryPoint("cuTensorMapEncodeIm2col", &function, 0, &found), cudaSuccess);
  EXPECT_EQ(function, reinterpret_cast<void*>(&cuTensorMapEncodeIm2col));
}

TEST(TensorMap, OfImagesGivesItsPixelsInTheOrderOfAFilter) {
  for (int& x : image_memory) x = 0;
  for (int i = 0; i < 16 * 8; ++i) image_tile[i] = i + 1;
  static CUtensorMap map = images(nullptr);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, image_memory), CUDA_SUCCESS);
  EXPECT_EQ(run_kernel(1, 1, [] { store_pixels(map, cuemu::bulk::Coordinates(4, 0, 3, 2, 0)); }),
            cudaSuccess);
  const auto pixel = [](const int x, const int y, const int n) {
    return image_memory[8 * (x + 5 * (y + 4 * n))];
  };
  EXPECT_EQ(pixel(3, 2, 0), 1);
  EXPECT_EQ(pixel(4, 2, 0), 1 + 8);
  EXPECT_EQ(pixel(1, 0, 1), 1 + 8 * 2);
  EXPECT_EQ(pixel(1, 1, 1), 1 + 8 * 6);
  EXPECT_EQ(pixel(4, 2, 1), 1 + 8 * 13);
  EXPECT_EQ(pixel(0, 1, 1), 0);  // not in the box
  EXPECT_EQ(pixel(3, 3, 0), 0);
}

TEST(TensorMap, OfImagesGetsAnAddressFromAKernel) {
  for (int& x : image_memory) x = 0;
  image_tile[0] = 77;
  alignas(128) static CUtensorMap map = images(nullptr);
  EXPECT_EQ(run_kernel(1, 1,
                       [] {
                         replace_field(&map, MapField::global_address, 0,
                                       reinterpret_cast<uint64_t>(image_memory));
                         store_pixels(map, cuemu::bulk::Coordinates(4, 0, 1, 0, 0));
                       }),
            cudaSuccess);
  EXPECT_EQ(image_memory[8], 77);
}

TEST(TensorMap, NullCornersAreRefused) {
  CUtensorMap map;
  const cuuint64_t sizes[] = {8, 5, 4}, strides[] = {32, 160};
  const cuuint32_t steps[] = {1, 1, 1};
  const int corner[] = {0};
  const auto encode = [&](const int* const lower, const int* const upper) {
    return cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 3, image_memory, sizes, strides,
                                   lower, upper, 8, 16, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                   CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  EXPECT_EQ(encode(corner, corner), CUDA_SUCCESS);
  EXPECT_EQ(encode(nullptr, corner), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(encode(corner, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST(TensorMapDeathTest, PixelsOfImagesHaveRulesOfTheirOwn) {
  const auto expect = [](const int x, const int y, const int offset, const char* const message) {
    expect_stopped(
        [=] {
          if (cuemu::thread_idx().x == 0)
            store_pixels(images(image_memory), cuemu::bulk::Coordinates(4, 0, x, y, 0), offset);
        },
        message, cudaErrorIllegalInstruction);
  };
  expect(0, 0, 0, "must lie inside of the tensor map's bounding box");
  expect(5, 0, 0, "must lie inside of the tensor map's bounding box");
  expect(1, 3, 0, "must lie inside of the tensor map's bounding box");
  expect(1, 0, 256, "an offset of .im2col must be one from 0 to 255, and is 256");
  expect(1, 0, -1, "an offset of .im2col must be one from 0 to 255, and is -1");
}

TEST(TensorMapDeathTest, StoresNeedABoxInsideOfTheImages) {
  expect_stopped([] { store_pixels(images(image_memory, -1), cuemu::bulk::Coordinates(4, 0, 3, 1, 0)); },
                 "needs a bounding box that lies inside of them", cudaErrorIllegalInstruction);
  expect_stopped([] { store_pixels(images(image_memory), cuemu::bulk::Coordinates(4, 0, 3, 1, -1)); },
                 "stored or reduced must not have a coordinate below zero", cudaErrorIllegalInstruction);
}

TEST(TensorMapDeathTest, MapsOfImagesAndOfBoxesAreNotTheSame) {
  expect_stopped(
      [] { store_pixels(images(image_memory), cuemu::bulk::Coordinates(4, 0, 1, 0, 0), 0, false); },
      "is used by an instruction without .im2col", cudaErrorIllegalInstruction);
  expect_stopped(
      [] {
        Map map;
        map.fill();
        store_pixels(*reinterpret_cast<const CUtensorMap*>(map.bytes), cuemu::bulk::Coordinates(2, 0, 0));
      },
      "a tensor map that cuTensorMapEncodeIm2col did not make", cudaErrorIllegalInstruction);
  expect_stopped(
      [] {
        alignas(128) CUtensorMap map = images(image_memory);
        replace_field(&map, MapField::box_dim, 0, 8);
      },
      "tensormap.replace changes the address alone");
}

/// Two images of 3 slices of 8 x 4 pixels. Each pixel has 8 halves in a slice. Boxes have 8 pixels in 2 rows,
/// or columns of `pixels`.
alignas(128) uint16_t sliced_memory[2 * 3 * 4 * 8 * 8], sliced_tile[16 * 8 * 8];
/// Returns the map. The next call changes the same map.
CUtensorMap& slices(const cuuint32_t pixels = 0, const int corner = 0) {
  static CUtensorMap map;
  const cuuint64_t sizes[] = {8, 4, 3, 2}, strides[] = {128, 512, 1536};
  const cuuint32_t box[] = {8, 2, 1, 1}, steps[] = {1, 1, 1, 1};
  const int lower[] = {corner, 0}, upper[] = {0, 0};
  const auto type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  const auto interleave = CU_TENSOR_MAP_INTERLEAVE_16B;
  EXPECT_EQ(pixels == 0
                ? cuTensorMapEncodeTiled(&map, type, 4, sliced_memory, sizes, strides, box, steps, interleave,
                                         CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
                : cuTensorMapEncodeIm2col(&map, type, 4, sliced_memory, sizes, strides, lower, upper, 8,
                                          pixels, steps, interleave, CU_TENSOR_MAP_SWIZZLE_NONE,
                                          CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
            CUDA_SUCCESS);
  return map;
}
/// Loads a slice in the calling thread only.
void load_slice(const CUtensorMap& map, cuemu::bulk::Coordinates place, const bool is_im2col = false,
                const int offset = 0) {
  place.is_im2col = is_im2col;
  place.offset[0] = offset;
  cuemu::bulk::detail::for_each_piece(
      *reinterpret_cast<const cuemu::TensorMap*>(&map), place, sliced_tile, false,
      ::cuemu::detail::copy_bytes,
      [](void* const to, const uint32_t bytes) { ::cuemu::detail::zero_bytes(to, bytes); });
}

/// Stores a slice in the calling thread only.
void store_slice(const CUtensorMap& map, cuemu::bulk::Coordinates place, const bool is_im2col) {
  place.is_im2col = is_im2col;
  cuemu::bulk::store_tile(&map, place, sliced_tile);
}

TEST(TensorMap, OfSlicesMovesPixelsOfOneSlice) {
  uint16_t next = 1;
  for (uint16_t& x : sliced_memory) x = next++;
  const auto pixel = [](const int x, const int y, const int slice, const int n) {
    return sliced_memory[8 * (x + 8 * (y + 4 * (slice + 3 * n)))];
  };
  EXPECT_EQ(run_kernel(1, 1, [] { load_slice(slices(), cuemu::bulk::Coordinates(4, 3, 1, 2, 1)); }),
            cudaSuccess);
  EXPECT_EQ(sliced_tile[0], pixel(3, 1, 2, 1));
  EXPECT_EQ(sliced_tile[1], pixel(3, 1, 2, 1) + 1);
  EXPECT_EQ(sliced_tile[4 * 8], pixel(7, 1, 2, 1));
  EXPECT_EQ(sliced_tile[5 * 8], 0);  // beyond the row
  EXPECT_EQ(sliced_tile[8 * 8], pixel(3, 2, 2, 1));
  EXPECT_EQ(run_kernel(1, 1, [] { load_slice(slices(4), cuemu::bulk::Coordinates(4, 4, 3, 1, 0), true); }),
            cudaSuccess);
  EXPECT_EQ(sliced_tile[0], pixel(4, 3, 1, 0));
  EXPECT_EQ(sliced_tile[3 * 8 + 7], pixel(7, 3, 1, 0) + 7);
}

TEST(TensorMap, OfSlicesOf32BytesNeedsAddressesOf32) {
  CUtensorMap map;
  const cuuint64_t sizes[] = {8, 3, 2}, strides[] = {256, 768};
  const cuuint32_t box[] = {8, 1, 1}, steps[] = {1, 1, 1};
  const auto encode = [&](const CUtensorMapInterleave interleave) {
    return cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, sliced_memory, sizes, strides,
                                  box, steps, interleave, CU_TENSOR_MAP_SWIZZLE_NONE,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  EXPECT_EQ(encode(CU_TENSOR_MAP_INTERLEAVE_32B), CUDA_SUCCESS);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, sliced_memory + 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, sliced_memory + 16), CUDA_SUCCESS);
  EXPECT_EQ(encode(CU_TENSOR_MAP_INTERLEAVE_16B), CUDA_SUCCESS);
  EXPECT_EQ(cuTensorMapReplaceAddress(&map, sliced_memory + 8), CUDA_SUCCESS);
  EXPECT_EQ(encode(static_cast<CUtensorMapInterleave>(3)), CUDA_ERROR_INVALID_VALUE);
}

const auto sliced_pixel = [](const int x, const int y, const int slice, const int n) {
  return &sliced_memory[8 * (x + 8 * (y + 4 * (slice + 3 * n)))];
};

TEST(TensorMap, OfSlicesHasColumnsThatStayInOne) {
  uint16_t next = 1;
  for (uint16_t& x : sliced_memory) x = next++;
  EXPECT_EQ(run_kernel(1, 1, [] { load_slice(slices(16), cuemu::bulk::Coordinates(4, 5, 3, 1, 0), true); }),
            cudaSuccess);
  EXPECT_EQ(sliced_tile[2 * 8], *sliced_pixel(7, 3, 1, 0));
  EXPECT_EQ(sliced_tile[3 * 8], *sliced_pixel(0, 0, 1, 1));  // the next image
  EXPECT_EQ(sliced_tile[11 * 8], *sliced_pixel(0, 1, 1, 1));
  EXPECT_EQ(
      run_kernel(1, 1, [] { load_slice(slices(16, -1), cuemu::bulk::Coordinates(4, 7, 0, 2, 1), true, 1); }),
      cudaSuccess);
  EXPECT_EQ(sliced_tile[0], 0);  // beyond the row
  EXPECT_EQ(sliced_tile[8], *sliced_pixel(0, 1, 2, 1));
  EXPECT_EQ(run_kernel(1, 1, [] { load_slice(slices(4), cuemu::bulk::Coordinates(4, 0, 0, 3, 0), true); }),
            cudaSuccess);
  EXPECT_EQ(sliced_tile[0], 0);  // no such slice
}

TEST(TensorMap, OfSlicesStoresAndReduces) {
  for (uint16_t& x : sliced_memory) x = 0;
  uint16_t next = 1;
  for (uint16_t& x : sliced_tile) x = next++;
  const auto store = [] {
    cuemu::bulk::store_tile(&slices(), cuemu::bulk::Coordinates(4, 6, 3, 1, 0), sliced_tile);
    cuemu::bulk::reduce_tile<cuemu::bulk::Reduction::add>(&slices(), cuemu::bulk::Coordinates(4, 7, 2, 1, 0),
                                                          sliced_tile);
  };
  EXPECT_EQ(run_kernel(1, 1, store), cudaSuccess);
  EXPECT_EQ(*sliced_pixel(6, 3, 1, 0), 1);
  EXPECT_EQ(*sliced_pixel(7, 3, 1, 0), 1 + 8 + 1 + 8 * 8);
  EXPECT_EQ(*sliced_pixel(7, 2, 1, 0), 1);
  EXPECT_EQ(*sliced_pixel(0, 0, 2, 0), 0);  // of the next slice
  EXPECT_EQ(run_kernel(1, 1, [] { store_slice(slices(4), cuemu::bulk::Coordinates(4, 7, 3, 0, 0), true); }),
            cudaSuccess);
  EXPECT_EQ(*sliced_pixel(7, 3, 0, 0), 1);
  EXPECT_EQ(*sliced_pixel(0, 0, 0, 1), 1 + 8);
}

TEST(TensorMap, OfSlicesIsChangedByKernels) {
  uint16_t next = 1;
  for (uint16_t& x : sliced_memory) x = next++;
  EXPECT_EQ(run_kernel(1, 1,
                       [] {
                         alignas(128) CUtensorMap map = slices();
                         replace_field(&map, MapField::box_dim, 0, 5);  // no multiple of 16 bytes
                         replace_field(&map, MapField::box_dim, 2, 3);  // one slice nevertheless
                         replace_field(&map, MapField::element_stride, 0, 2);
                         replace_field(&map, MapField::global_dim, 0, 6);
                         load_slice(map, cuemu::bulk::Coordinates(4, 2, 1, 1, 1));
                       }),
            cudaSuccess);
  EXPECT_EQ(sliced_tile[8], *sliced_pixel(4, 1, 1, 1));
  EXPECT_EQ(sliced_tile[2 * 8], 0);
  EXPECT_EQ(sliced_tile[3 * 8], *sliced_pixel(2, 2, 1, 1));
}

TEST(TensorMapDeathTest, SlicesHaveRulesOfTheirOwn) {
  const auto expect = [](const cuuint32_t pixels, const int corner, const int x, const int slice,
                         const bool stores, const char* const message) {
    expect_stopped(
        [=] {
          if (cuemu::thread_idx().x != 0) return;
          const cuemu::bulk::Coordinates place(4, x, 0, slice, 0);
          if (stores)
            store_slice(slices(pixels, corner), place, pixels != 0);
          else
            load_slice(slices(pixels, corner), place, pixels != 0);
        },
        message, cudaErrorIllegalInstruction);
  };
  expect(4, 0, -1, 0, false, "must lie inside of the tensor map's bounding box");
  expect(4, 0, 8, 0, false, "must lie inside of the tensor map's bounding box");
  expect(4, -1, 0, 0, true, "needs a bounding box that lies inside of them");
  expect(4, 0, 0, -1, true, "stored or reduced must not have a coordinate below zero");
  expect(0, 0, 0, -1, true, "stored or reduced must not have a coordinate below zero");
  expect(0, 0, -1, 0, true, "stored or reduced must not have a coordinate below zero");
  expect_stopped(
      [] {
        alignas(128) CUtensorMap map = slices();
        replace_field(&map, MapField::interleave_layout, 0, 0);
      },
      "how an interleaved tensor map becomes a plain one is not known");
  expect_stopped(
      [] {
        alignas(128) CUtensorMap map = slices(4);
        replace_field(&map, MapField::box_dim, 0, 8);
      },
      "tensormap.replace changes the address alone");
}

}  // namespace
