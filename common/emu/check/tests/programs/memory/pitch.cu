// Rows of cudaMallocPitch: the bytes between a row's width and the pitch are padding.
#include "../pair.cuh"

// One column too many: in each row except the last, the access is in the padding after the row.
// pair: into_the_padding
// exact: out-of-bounds @cell image
// hint: the pitch only leads from row to row: `(T*)((char*)p + y * pitch) + x`, with x below the width
__global__ void clear(char* image, size_t pitch, int width, int height) {
  const int x = threadIdx.x;
  for (int y = 0; y < height; ++y)
    if (x < width) reinterpret_cast<float*>(image + y * pitch)[x] = 0;  // @cell
}
PAIR(into_the_padding) {
  char* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, 20 * sizeof(float), 4);
  clear<<<1, 32>>>(image, pitch, wrong ? 21 : 20, 4);
  cudaDeviceSynchronize();
  cudaFree(image);
}

// The width is used instead of the pitch: rows overlap the padding.
// pair: width_for_pitch
// exact: out-of-bounds @overlap rows
__global__ void fill_rows(char* rows, size_t step) {
  for (int y = 0; y < 4; ++y) reinterpret_cast<int*>(rows + y * step)[threadIdx.x] = y;  // @overlap
}
PAIR(width_for_pitch) {
  char* rows;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, 40 * sizeof(int), 4);
  fill_rows<<<1, 40>>>(rows, wrong ? 40 * sizeof(int) : pitch);
  cudaDeviceSynchronize();
  cudaFree(rows);
}

// A copy of rows back to the host that ignores the pitch.
// pair: pitched_copy
// exact: copy @copy -
PAIR(pitched_copy) {
  char* plane;
  size_t pitch;
  cudaMallocPitch(&plane, &pitch, 40, 4);
  cudaMemset2D(plane, pitch, 1, 40, 4);
  char host[160];
  cudaMemcpy2D(host, 40, plane, pitch, 40, wrong ? 5 : 4, cudaMemcpyDeviceToHost);  // @copy
  cudaFree(plane);
}

// The pitch is in bytes, but + on an int* adds elements.
// pair: pitch_in_elements
// exact: copy @rows volume
// contains: the destination of a copy begins just past the end of volume
// hint: the pitch is counted in bytes, and `p + n` in elements of what p points to: `(T*)((char*)p + y * pitch)` is row y
PAIR(pitch_in_elements) {
  int* volume;
  size_t pitch;
  const int values[3][10] = {};
  cudaMallocPitch(&volume, &pitch, 10 * sizeof(int), 12);
  for (int slice = 0; slice < 4; ++slice) {
    int* const rows = wrong ? volume + slice * 3 * pitch : (int*)((char*)volume + slice * 3 * pitch);
    cudaMemcpy2D(rows, pitch, values, 40, 40, 3, cudaMemcpyHostToDevice);  // @rows
  }
  cudaFree(volume);
}

// Widths in elements: a row is wider than the given distance to the next row.
// pair: width_in_elements
// exact: copy @width -
// hint: , but the rows begin every
// hint: widths and pitches are in bytes, and no width is larger than a pitch
PAIR(width_in_elements) {
  int* plane;
  size_t pitch;
  const int values[4][10] = {};
  cudaMallocPitch(&plane, &pitch, 10 * sizeof(int), 4);
  cudaMemcpy2D(plane, pitch, values, wrong ? 10 : 40, 40, 4, cudaMemcpyHostToDevice);  // @width
  cudaFree(plane);
}

// The host's rows, which have no padding, are copied in one piece.
// pair: rows_without_padding
// contains: uninitialised: padded
// hint: each row of pitched memory ends with padding, which the host's rows lack: copy them with cudaMemcpy2D
__global__ void double_rows(float* data, size_t pitch, int width) {
  float* const row = (float*)((char*)data + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] *= 2;
}
PAIR(rows_without_padding) {
  const int width = 20, height = 4;
  const float rows[height][width] = {};
  float* padded;
  size_t pitch;
  cudaMallocPitch(&padded, &pitch, width * sizeof(float), height);
  if (wrong)
    cudaMemcpy(padded, rows, sizeof rows, cudaMemcpyHostToDevice);
  else
    cudaMemcpy2D(padded, pitch, rows, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  double_rows<<<height, 32>>>(padded, pitch, width);
  cudaDeviceSynchronize();
  cudaFree(padded);
}

// The width of a copy in elements: a kernel reads the rest of the rows.
// pair: copied_width_in_elements
// exact: uninitialised @narrow,@rest wide
// contains: sets 20 of 80 bytes of each row
// hint: widths and pitches are in bytes, not in elements: width * sizeof(type)
__global__ void double_wide(float* data, size_t pitch, int width) {
  float* const row = (float*)((char*)data + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] *= 2;  // @rest
}
PAIR(copied_width_in_elements) {
  const int width = 20, height = 4;
  const float rows[height][width] = {};
  float* wide;
  size_t pitch;
  cudaMallocPitch(&wide, &pitch, width * sizeof(float), height);
  const size_t bytes = width * (wrong ? 1 : sizeof(float));
  cudaMemcpy2D(wide, pitch, rows, width * sizeof(float), bytes, height, cudaMemcpyHostToDevice);  // @narrow
  double_wide<<<height, 32>>>(wide, pitch, width);
  cudaDeviceSynchronize();
  cudaFree(wide);
}

// A copy of a part of each row. A kernel then reads whole rows.
// pair: copied_part_of_rows
// exact: uninitialised @part,@rest plane
// hint: only the first 48 bytes of each row were set: is the width that of the whole row?
__global__ void halve_wide(float* data, size_t pitch, int width) {
  float* const row = (float*)((char*)data + blockIdx.x * pitch);
  if (threadIdx.x < width) row[threadIdx.x] /= 2;  // @rest
}
PAIR(copied_part_of_rows) {
  const int width = 20, height = 4;
  const float rows[height][width] = {};
  float* plane;
  size_t pitch;
  cudaMallocPitch(&plane, &pitch, width * sizeof(float), height);
  const size_t bytes = (wrong ? 12 : width) * sizeof(float);
  cudaMemcpy2D(plane, pitch, rows, width * sizeof(float), bytes, height, cudaMemcpyHostToDevice);  // @part
  halve_wide<<<height, 32>>>(plane, pitch, width);
  cudaDeviceSynchronize();
  cudaFree(plane);
}
