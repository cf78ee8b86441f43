// Cube maps: textures that are read by a direction, single and in layers, and surfaces that write the faces.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

constexpr int width = 4;  // of a face

/// The direction of place (u, v) on a face; u and v are in [-1, 1].
__host__ __device__ float3 direction(int face, float u, float v) {
  switch (face) {
    case 0: return make_float3(1, -v, -u);
    case 1: return make_float3(-1, -v, u);
    case 2: return make_float3(u, 1, v);
    case 3: return make_float3(u, -1, -v);
    case 4: return make_float3(u, -v, 1);
    default: return make_float3(-u, -v, -1);
  }
}

__global__ void middles(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float3 d = direction(face, (x + 0.5f) / width * 2 - 1, (y + 0.5f) / width * 2 - 1);
  // The length of a direction has no effect.
  const float scale = 1.0f + x;
  out[(face * width + y) * width + x] = texCubemap<float>(texture, d.x * scale, d.y * scale, d.z * scale);
}
__global__ void layers(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x, layer = blockIdx.y;
  const float3 d = direction(face, (x + 0.5f) / width * 2 - 1, (y + 0.5f) / width * 2 - 1);
  float value;
  texCubemapLayered(&value, texture, d.x, d.y, d.z, layer);
  out[((layer * 6 + face) * width + y) * width + x] = value;
}
__global__ void between(cudaTextureObject_t texture, float* out) {
  const float3 d = direction(threadIdx.x, 0.0f, 0.25f);
  out[threadIdx.x] = texCubemapLod<float>(texture, d.x, d.y, d.z, 0);
}
__global__ void paint(cudaSurfaceObject_t surface, int faces) {
  const int x = threadIdx.x, y = threadIdx.y;
  for (int face = 0; face < faces; ++face)
    surfCubemapLayeredwrite(static_cast<float>(1000 * face + 10 * y + x), surface, x * 4, y, face);
}
__global__ void paint_one(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float before = surfCubemapread<float>(surface, x * 4, y, face);
  surfCubemapwrite(before + 0.5f, surface, x * 4, y, face);
}

cudaArray_t cube(int layers, unsigned flags, const std::vector<float>& values) {
  cudaArray_t array;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(width, width, 6 * layers);
  CHECK(cudaMalloc3DArray(&array, &desc, extent, flags));
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(values.data()), width * sizeof(float), width, width);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}
cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter) {
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description;
  memset(&description, 0, sizeof description);
  for (auto& mode : description.addressMode) mode = cudaAddressModeWrap;
  description.filterMode = filter;
  description.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

int main() {
  const int count = 3 * 6 * width * width;
  float* out;
  CHECK(cudaMallocManaged(&out, count * sizeof(float)));
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = i * 0.5f + 1;

  const cudaArray_t one = cube(1, cudaArrayCubemap | cudaArraySurfaceLoadStore, values);
  const cudaTextureObject_t nearest = texture_of(one, cudaFilterModePoint);
  const cudaTextureObject_t linear = texture_of(one, cudaFilterModeLinear);
  middles<<<6, dim3(width, width)>>>(nearest, out);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < 6 * width * width; ++i) wrong += out[i] != values[i];
  printf("middles of texels: %d wrong\n", wrong);
  middles<<<6, dim3(width, width)>>>(linear, out);
  CHECK(cudaDeviceSynchronize());
  wrong = 0;
  for (int i = 0; i < 6 * width * width; ++i) wrong += out[i] != values[i];
  printf("with a filter: %d wrong\n", wrong);
  between<<<1, 6>>>(linear, out);
  CHECK(cudaDeviceSynchronize());
  for (int face = 0; face < 6; ++face) printf("%g ", out[face]);
  printf("between four\n");

  const cudaResourceDesc of_one = resource_of(one);
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &of_one));
  paint_one<<<6, dim3(width, width)>>>(surface);
  middles<<<6, dim3(width, width)>>>(nearest, out);
  CHECK(cudaDeviceSynchronize());
  wrong = 0;
  for (int i = 0; i < 6 * width * width; ++i) wrong += out[i] != values[i] + 0.5f;
  printf("painted: %d wrong\n", wrong);
  CHECK(cudaDestroySurfaceObject(surface));

  const cudaArray_t many = cube(3, cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore, values);
  const cudaTextureObject_t layered = texture_of(many, cudaFilterModePoint);
  layers<<<dim3(6, 3), dim3(width, width)>>>(layered, out);
  CHECK(cudaDeviceSynchronize());
  wrong = 0;
  for (int i = 0; i < count; ++i) wrong += out[i] != values[i];
  printf("layers: %d wrong\n", wrong);
  const cudaResourceDesc of_many = resource_of(many);
  CHECK(cudaCreateSurfaceObject(&surface, &of_many));
  paint<<<1, dim3(width, width)>>>(surface, 18);
  layers<<<dim3(6, 3), dim3(width, width)>>>(layered, out);
  CHECK(cudaDeviceSynchronize());
  printf("painted: %g %g %g\n", out[0], out[7 * 16 + 6], out[17 * 16 + 15]);
  CHECK(cudaDestroySurfaceObject(surface));

  cudaArray_t none;
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  printf("five faces: %s\n",
         cudaGetErrorName(cudaMalloc3DArray(&none, &desc, make_cudaExtent(4, 4, 5), cudaArrayCubemap)));
  printf("no square: %s\n",
         cudaGetErrorName(cudaMalloc3DArray(&none, &desc, make_cudaExtent(4, 8, 6), cudaArrayCubemap)));
  cudaGetLastError();

  for (const cudaTextureObject_t texture : {nearest, linear, layered}) CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(one));
  CHECK(cudaFreeArray(many));
  CHECK(cudaFree(out));
  return 0;
}
