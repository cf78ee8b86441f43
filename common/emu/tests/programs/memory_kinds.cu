// Kinds of memory: pinned, mapped, registered, managed, pitched, 3D; and the attributes of their pointers.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t e_ = (call);                                                        \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)); \
  } while (0)
__global__ void add(int* data, int n, int value) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += value;
}
__global__ void rows(float* data, size_t pitch, int width, int height) {
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    float* const row = reinterpret_cast<float*>(reinterpret_cast<char*>(data) + y * pitch);
    for (int x = threadIdx.x; x < width; x += blockDim.x) row[x] = row[x] * 2 + y;
  }
}
__global__ void slices(cudaPitchedPtr box, cudaExtent extent) {
  const size_t slice = box.pitch * extent.height;
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y) {
      short* const row = reinterpret_cast<short*>(static_cast<char*>(box.ptr) + z * slice + y * box.pitch);
      for (size_t x = threadIdx.x; x < extent.width / sizeof(short); x += blockDim.x)
        row[x] = static_cast<short>(row[x] + 100 * z + 10 * y + x);
    }
}
static const char* kind(const void* p) {
  cudaPointerAttributes a;
  if (cudaPointerGetAttributes(&a, p) != cudaSuccess) return "error";
  switch (a.type) {
    case cudaMemoryTypeUnregistered:
      return "unregistered";
    case cudaMemoryTypeHost:
      return a.hostPointer != nullptr ? "host" : "host?";
    case cudaMemoryTypeDevice:
      return a.devicePointer == p && a.device == 0 ? "device" : "device?";
    case cudaMemoryTypeManaged:
      return "managed";
  }
  return "?";
}
int main() {
  int *pinned, *mapped, *mapped_device, *managed, *device, plain[16];
  CHECK(cudaMallocHost(&pinned, 16 * sizeof(int)));
  CHECK(cudaHostAlloc(&mapped, 16 * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  CHECK(cudaHostGetDevicePointer(&mapped_device, mapped, 0));
  CHECK(cudaMallocManaged(&managed, 16 * sizeof(int)));
  CHECK(cudaMalloc((void**)&device, 16 * sizeof(int)));
  printf("%s %s %s %s %s\n", kind(plain), kind(pinned), kind(mapped), kind(managed), kind(device + 3));
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, mapped));
  printf("mapped %d\n", (flags & cudaHostAllocMapped) != 0);

  for (int i = 0; i < 16; ++i) mapped[i] = managed[i] = pinned[i] = i;
  add<<<1, 8>>>(mapped_device, 16, 5);
  add<<<1, 8>>>(managed, 16, 6);
  add<<<1, 8>>>(pinned, 16, 7);  // unified addressing
  CHECK(cudaDeviceSynchronize());
  printf("%d %d %d\n", mapped[3], managed[15], pinned[0]);

  int* registered = (int*)malloc(4096 * sizeof(int));
  for (int i = 0; i < 4096; ++i) registered[i] = i;
  CHECK(cudaHostRegister(registered, 4096 * sizeof(int), cudaHostRegisterDefault));
  int* alias;
  CHECK(cudaHostGetDevicePointer((void**)&alias, registered, 0));
  add<<<1, 32>>>(alias, 4096, 1);
  CHECK(cudaDeviceSynchronize());
  printf("registered %s %d\n", kind(registered), registered[4095]);
  CHECK(cudaHostUnregister(registered));
  free(registered);

  const int width = 10, height = 5;
  float *pitched, host[height][width], back[width * height];
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) host[y][x] = x + y / 10.f;
  CHECK(cudaMemcpy2D(pitched, pitch, host, sizeof host[0], width * sizeof(float), height,
                     cudaMemcpyHostToDevice));
  rows<<<1, dim3(4, 2)>>>(pitched, pitch, width, height);
  memset(back, 0, sizeof back);
  CHECK(cudaMemcpy2D(back, 4 * sizeof(float), pitched + 3, pitch, 4 * sizeof(float), height,
                     cudaMemcpyDeviceToHost));
  printf("pitch %d: %g %g %g\n", pitch >= width * sizeof(float) && pitch % 32 == 0, back[0], back[7],
         back[16]);
  CHECK(cudaMemset2D(pitched, pitch, 0, 2 * sizeof(float), 3));
  CHECK(cudaMemcpy2D(back, sizeof host[0], pitched, pitch, sizeof host[0], height, cudaMemcpyDefault));
  printf("memset2D %g %g %g\n", back[1], back[2], back[31]);
  printf("too wide: %s\n",
         cudaGetErrorName(cudaMemcpy2D(back, 8, pitched, pitch, 16, 2, cudaMemcpyDeviceToHost)));
  cudaGetLastError();

  const cudaExtent extent = make_cudaExtent(6 * sizeof(short), 4, 3);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  CHECK(cudaMemset3D(box, 0, extent));
  slices<<<1, 4>>>(box, extent);
  short cube[3][4][6] = {};
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = box;
  parms.dstPtr = make_cudaPitchedPtr(cube, 6 * sizeof(short), 6, 4);
  parms.extent = extent;
  parms.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&parms));
  printf("3D %d %d %d\n", cube[0][0][5], cube[2][3][5], cube[1][2][0]);
  parms.srcPos = make_cudaPos(2 * sizeof(short), 1, 1);
  parms.extent = make_cudaExtent(3 * sizeof(short), 2, 2);
  memset(cube, 0, sizeof cube);
  CHECK(cudaMemcpy3D(&parms));
  printf("part %d %d %d %d\n", cube[0][0][0], cube[0][1][2], cube[1][0][1], cube[1][1][3]);

  CHECK(cudaMemset(device, 0xff, 16 * sizeof(int)));
  CHECK(cudaMemcpy(device + 4, plain, 0, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device + 8, managed, 4 * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemcpy(pinned, device, 16 * sizeof(int), cudaMemcpyDefault));
  printf("memset %d, default %d\n", pinned[2], pinned[9]);
  CHECK(cudaMemcpy(plain, pinned, sizeof plain, cudaMemcpyHostToHost));
  int first[4] = {1, 2, 3, 4}, second[8] = {5, 6, 7, 8, 9, 10, 11, 12}, together[12] = {};
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  void* to[2] = {device, device + 4};
  const void* from[2] = {first, second};
  const size_t sizes[2] = {sizeof first, sizeof second};
  cudaMemcpyAttributes copies[2] = {};
  copies[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  copies[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t begin[2] = {0, 1};
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, copies, begin, 2, stream));
  first[3] = 0;
  add<<<1, 32, 0, stream>>>(device, 12, 100);
  CHECK(cudaMemcpyAsync(together, device, sizeof together, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("a batch %d %d %d\n", together[0], together[3], together[11]);
  printf("its order: %s\n", cudaGetErrorName(cudaMemcpyBatchAsync(to, from, sizes, 2, cudaMemcpyAttributes{}, stream)));
  begin[0] = 1;
  printf("its first attribute: %s\n", cudaGetErrorName(cudaMemcpyBatchAsync(to, from, sizes, 2, copies, begin, 2, stream)));
  cudaGetLastError();
  CHECK(cudaStreamDestroy(stream));
  printf("host to host %d\n", plain[9]);
  size_t free_bytes, total;
  CHECK(cudaMemGetInfo(&free_bytes, &total));
  printf("%d\n", free_bytes > 0 && free_bytes < total);
  CHECK(cudaFree(nullptr));
  CHECK(cudaFree(device));
  CHECK(cudaFree(managed));
  CHECK(cudaFree(pitched));
  CHECK(cudaFree(box.ptr));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFreeHost(nullptr));
  printf("twice: %s\n", cudaGetErrorName(cudaFree(device)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
