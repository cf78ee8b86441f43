// Textures that read an array in another format, copies of boxes in batches, and pools by their location.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

void tell(const char* what, cudaError_t error) {
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

__global__ void read_bits(cudaTextureObject_t texture, unsigned* bits) {
  bits[threadIdx.x] = tex2D<unsigned>(texture, threadIdx.x, 1);
}

constexpr int width = 8, height = 4;

void view(cudaArray_t array) {
  float values[height][width];
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) values[y][x] = y + 0.25f * x;
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values, sizeof values[0], sizeof values[0], height, cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaResourceViewDesc wanted = {}, told = {};
  wanted.format = cudaResViewFormatUnsignedInt1;
  wanted.width = width;
  wanted.height = height;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, &wanted));
  CHECK(cudaGetTextureObjectResourceViewDesc(&told, texture));
  printf("a view of %zu x %zu as %s\n", told.width, told.height,
         told.format == cudaResViewFormatUnsignedInt1 ? "unsigned" : "another");
  unsigned *bits, got[width];
  CHECK(cudaMalloc(&bits, sizeof got));
  read_bits<<<1, width>>>(texture, bits);
  CHECK(cudaMemcpy(got, bits, sizeof got, cudaMemcpyDeviceToHost));
  for (int x = 0; x < width; ++x) {
    float value;
    memcpy(&value, &got[x], sizeof value);
    printf(" %08x=%.2f", got[x], value);
  }
  printf("\n");
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(bits));
}

void copy_boxes(cudaArray_t array, cudaStream_t stream) {
  int host[64], row[8];
  for (int i = 0; i < 64; ++i) host[i] = i;
  int* device;
  CHECK(cudaMalloc(&device, 64 * sizeof(int)));

  cudaMemcpy3DBatchOp ops[2] = {};
  ops[0].src.type = ops[0].dst.type = cudaMemcpyOperandTypePointer;
  ops[0].src.op.ptr.ptr = host;
  ops[0].src.op.ptr.rowLength = 8 * sizeof(int);  // between two pointers, an element is a byte
  ops[0].src.op.ptr.layerHeight = 4;
  ops[0].dst.op.ptr.ptr = device;
  ops[0].extent = make_cudaExtent(4 * sizeof(int), 2, 1);
  ops[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  ops[1] = ops[0];
  ops[1].src.op.ptr.rowLength = 8;
  ops[1].dst.type = cudaMemcpyOperandTypeArray;
  ops[1].dst.op.array.array = array;
  ops[1].dst.op.array.offset.x = 2;
  ops[1].dst.op.array.offset.y = 1;
  ops[1].dst.op.array.offset.z = 0;
  ops[1].extent = make_cudaExtent(3, 2, 1);
  CHECK(cudaMemcpy3DBatchAsync(2, ops, 0, stream));
  CHECK(cudaStreamSynchronize(stream));

  CHECK(cudaMemcpy(row, device, sizeof row, cudaMemcpyDeviceToHost));
  printf("tight:");
  for (int value : row) printf(" %d", value);
  int part[2][3];
  CHECK(cudaMemcpy2DFromArray(part, sizeof part[0], array, 2 * sizeof(int), 1, sizeof part[0], 2,
                              cudaMemcpyDeviceToHost));
  printf("\nin the array: %d %d %d, %d %d %d\n", part[0][0], part[0][1], part[0][2], part[1][0], part[1][1],
         part[1][2]);
  ops[0].extent.depth = 0;
  tell("a flat box", cudaMemcpy3DBatchAsync(1, ops, 0, stream));
  ops[0].extent.depth = 1;
  tell("flags", cudaMemcpy3DBatchAsync(1, ops, 1, stream));
  tell("no list", cudaMemcpy3DBatchAsync(1, nullptr, 0, stream));
  CHECK(cudaFree(device));
}

void find_pools() {
  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  here.id = 0;
  cudaMemPool_t standard, same, mine, now;
  CHECK(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK(cudaMemGetDefaultMemPool(&same, &here, cudaMemAllocationTypePinned));
  CHECK(cudaMemGetMemPool(&now, &here, cudaMemAllocationTypePinned));
  printf("the device's pool: %d %d\n", same == standard, now == standard);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = here;
  CHECK(cudaMemPoolCreate(&mine, &props));
  CHECK(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, mine));
  CHECK(cudaMemGetMemPool(&now, &here, cudaMemAllocationTypePinned));
  CHECK(cudaDeviceGetMemPool(&same, 0));
  printf("another: %d %d\n", now == mine, same == mine);
  cudaMemLocation host = {};
  host.type = cudaMemLocationTypeHost;
  tell("a place that is not the pool's", cudaMemSetMemPool(&host, cudaMemAllocationTypePinned, mine));
  tell("a kind that is not the pool's", cudaMemSetMemPool(&here, cudaMemAllocationTypeManaged, mine));
  tell("no kind", cudaMemGetMemPool(&now, &here, cudaMemAllocationTypeInvalid));
  CHECK(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, standard));
  CHECK(cudaMemPoolDestroy(mine));
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaStream_t stream;
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaStreamCreate(&stream));
  view(array);
  copy_boxes(array, stream);
  find_pools();
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  int most = -1;
  CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
  printf("two ways to ask agree: %d\n", most == prop.persistingL2CacheMaxSize);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeArray(array));
}
