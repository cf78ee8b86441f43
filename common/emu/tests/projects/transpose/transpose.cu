// Matrix transpose, the classic sequence: copy, naive, coalesced, no bank conflicts, diagonal. After M. Harris's post.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

// Convenience function for checking CUDA runtime API results
// can be wrapped around any runtime API call. No-op in release builds.
inline
cudaError_t checkCuda(cudaError_t result)
{
#if defined(DEBUG) || defined(_DEBUG)
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    assert(result == cudaSuccess);
  }
#endif
  return result;
}

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;
const int NUM_REPS = 2;

// Check errors and print GB/s
bool postprocess(const char *name, const float *ref, const float *res, int n, float ms)
{
  bool passed = true;
#pragma omp parallel for reduction(&& : passed)
  for (int i = 0; i < n; i++)
    if (res[i] != ref[i]) passed = false;
  printf("%25s%s\n", name, passed ? "  ok" : "  *** FAILED ***");
  if (ms >= 0) fprintf(stderr, "%20.2f GB/s\n", 2 * n * sizeof(float) * 1e-6 * NUM_REPS / ms);
  return passed;
}

__global__ void copy(float *odata, const float *idata, int width, int)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j+= BLOCK_ROWS)
    odata[(y+j)*width + x] = idata[(y+j)*width + x];
}

__global__ void copySharedMem(float *odata, const float *idata, int width, int)
{
  __shared__ float tile[TILE_DIM * TILE_DIM];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
     tile[(threadIdx.y+j)*TILE_DIM + threadIdx.x] = idata[(y+j)*width + x];
  __syncthreads();
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
     odata[(y+j)*width + x] = tile[(threadIdx.y+j)*TILE_DIM + threadIdx.x];
}

__global__ void transposeNaive(float *odata, const float *idata, int width, int height)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j+= BLOCK_ROWS)
    odata[x*height + (y+j)] = idata[(y+j)*width + x];
}

// PAD 0: bank conflicts, PAD 1: none
template <int PAD>
__global__ void transposeTiled(float *odata, const float *idata, int width, int height)
{
  __shared__ float tile[TILE_DIM][TILE_DIM+PAD];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
     tile[threadIdx.y+j][threadIdx.x] = idata[(y+j)*width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;  // transpose block offset
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
     odata[(y+j)*height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transposeDiagonal(float *odata, const float *idata, int width, int height)
{
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int bid = blockIdx.x + gridDim.x * blockIdx.y;
  int by = bid % gridDim.y, bx = ((bid / gridDim.y) + by) % gridDim.x;
  int x = bx * TILE_DIM + threadIdx.x, y = by * TILE_DIM + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = by * TILE_DIM + threadIdx.x;
  y = bx * TILE_DIM + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
  const int nx = argc > 1 ? atoi(argv[1]) : 1024;
  const int ny = argc > 2 ? atoi(argv[2]) : 1024;
  const int mem_size = nx*ny*sizeof(float);
  if (nx % TILE_DIM || ny % TILE_DIM) {
    printf("nx and ny must be a multiple of TILE_DIM\n");
    return 1;
  }
  dim3 dimGrid(nx/TILE_DIM, ny/TILE_DIM, 1);
  dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  printf("Matrix size: %d %d, Block size: %d %d, Tile size: %d %d\n", nx, ny, TILE_DIM, BLOCK_ROWS, TILE_DIM, TILE_DIM);
  printf("dimGrid: %d %d %d. dimBlock: %d %d %d\n", dimGrid.x, dimGrid.y, dimGrid.z, dimBlock.x, dimBlock.y, dimBlock.z);

  float *h_idata = (float*)malloc(mem_size);
  float *h_tdata = (float*)malloc(mem_size);
  float *gold    = (float*)malloc(mem_size);
  float *d_idata, *d_tdata;
  checkCuda( cudaMalloc(&d_idata, mem_size) );
  checkCuda( cudaMalloc(&d_tdata, mem_size) );
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      h_idata[j*nx + i] = j*nx + i;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      gold[i*ny + j] = h_idata[j*nx + i];
  checkCuda( cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice) );

  cudaEvent_t startEvent, stopEvent;
  checkCuda( cudaEventCreate(&startEvent) );
  checkCuda( cudaEventCreate(&stopEvent) );
  float ms;
  bool all = true;

  typedef void (*Kernel)(float *, const float *, int, int);
  struct Routine { const char *name; Kernel kernel; const float *gold; };
  const Routine routines[] = {
    {"copy", copy, h_idata}, {"shared memory copy", &copySharedMem, h_idata}, {"naive transpose", transposeNaive, gold},
    {"coalesced transpose", transposeTiled<0>, gold}, {"conflict-free transpose", transposeTiled<1>, gold}, {"diagonal transpose", transposeDiagonal, gold},
  };
  for (const Routine &r : routines) {
    checkCuda( cudaMemset(d_tdata, 0, mem_size) );
    // warm up
    r.kernel<<<dimGrid, dimBlock>>>(d_tdata, d_idata, nx, ny);
    checkCuda( cudaEventRecord(startEvent, 0) );
    for (int i = 0; i < NUM_REPS; i++)
      r.kernel<<<dimGrid, dimBlock>>>(d_tdata, d_idata, nx, ny);
    checkCuda( cudaEventRecord(stopEvent, 0) );
    checkCuda( cudaEventSynchronize(stopEvent) );
    checkCuda( cudaEventElapsedTime(&ms, startEvent, stopEvent) );
    checkCuda( cudaMemcpy(h_tdata, d_tdata, mem_size, cudaMemcpyDeviceToHost) );
    all &= postprocess(r.name, r.gold, h_tdata, nx * ny, ms);
  }
  checkCuda( cudaEventDestroy(startEvent) );
  checkCuda( cudaEventDestroy(stopEvent) );
  checkCuda( cudaFree(d_tdata) );
  checkCuda( cudaFree(d_idata) );
  free(h_idata);
  free(h_tdata);
  free(gold);
  return all ? 0 : 1;
}
