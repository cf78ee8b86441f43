// Textures and surfaces: arrays of one to three dimensions and layers, linear and pitched memory, point and
// linear filters, every address mode, normalised integers, surface reads and writes.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void sample1d(cudaTextureObject_t texture, const float* at, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1D<float>(texture, at[i]);
}
__global__ void fetch(cudaTextureObject_t texture, int4* out) {
  out[threadIdx.x] = tex1Dfetch<int4>(texture, static_cast<int>(threadIdx.x) - 1);
}
__global__ void sample2d(cudaTextureObject_t texture, float scale, float shift, float* out, int width,
                         int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = tex2D<float>(texture, x * scale + shift, y * scale + shift);
}
__global__ void pixels(cudaTextureObject_t bytes, cudaTextureObject_t fractions, uchar4* out,
                       float4* normal) {
  out[threadIdx.x] = tex2D<uchar4>(bytes, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
  normal[threadIdx.x] = tex2D<float4>(fractions, threadIdx.x % 4 + 1.0f, threadIdx.x / 4 + 0.5f);
}
__global__ void volume(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex3D<float>(texture, 1.0f + threadIdx.x * 0.25f, 1.5f, 1.0f + threadIdx.x * 0.125f);
}
__global__ void layers(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2DLayered<float>(texture, 1.5f, 0.5f, threadIdx.x);
}
__global__ void gather(cudaTextureObject_t texture, float4* out) {
  *out = tex2Dgather<float4>(texture, 2.0f, 2.0f);
}
__global__ void transpose(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  const float value = surf2Dread<float>(in, x * 4, y);
  surf2Dwrite(value * 2, out, y * 4, x);
}
__global__ void edges(cudaSurfaceObject_t surface, float* out) {
  surf2Dread(out, surface, -4, 0, cudaBoundaryModeZero);
  surf2Dread(out + 1, surface, -4, 1, cudaBoundaryModeClamp);
  out[2] = surf2Dread<float>(surface, 400, 1, cudaBoundaryModeClamp);
}

std::vector<cudaTextureObject_t> made;  // created, and not destroyed yet

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureAddressMode mode,
                               cudaTextureFilterMode filter, bool normalized,
                               cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc description;
  memset(&description, 0, sizeof description);
  for (auto& each : description.addressMode) each = mode;
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  if (error != cudaSuccess) printf("no texture: %s\n", cudaGetErrorString(error));
  made.push_back(texture);
  return texture;
}
cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main() {
  float* out;
  cudaMallocManaged(&out, 4096 * sizeof(float));

  // One dimension, each address mode and filter.
  const int n = 8;
  float line[n],
      positions[] = {-0.25f, 0.0f, 0.25f, 0.5f, 1.0f, 1.3125f, 3.75f, 7.5f, 8.0f, 9.75f, 12.125f, -5.0f};
  const int count = sizeof positions / sizeof *positions;
  for (int i = 0; i < n; ++i) line[i] = static_cast<float>(i * i + 1);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &floats, n);
  cudaMemcpy2DToArray(array, 0, 0, line, sizeof line, sizeof line, 1, cudaMemcpyHostToDevice);
  float* at;
  cudaMallocManaged(&at, sizeof positions);
  for (const bool normalized : {false, true}) {
    for (const auto mode :
         {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror}) {
      for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        for (int i = 0; i < count; ++i) at[i] = normalized ? positions[i] / n : positions[i];
        const cudaTextureObject_t texture = texture_of(resource_of(array), mode, filter, normalized);
        sample1d<<<1, 32>>>(texture, at, out, count);
        cudaDeviceSynchronize();
        printf("line %d %d %d:", normalized, mode, filter);
        for (int i = 0; i < count; ++i) printf(" %.3f", out[i]);
        printf("\n");
        cudaDestroyTextureObject(texture);
        made.pop_back();
      }
    }
  }

  // Linear memory.
  int4* words;
  cudaMalloc(&words, 6 * sizeof *words);
  std::vector<int4> host(6);
  for (int i = 0; i < 6; ++i) host[i] = make_int4(i, -i, i * 100, 7);
  cudaMemcpy(words, host.data(), 6 * sizeof(int4), cudaMemcpyHostToDevice);
  cudaResourceDesc linear;
  memset(&linear, 0, sizeof linear);
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = words;
  linear.res.linear.desc = cudaCreateChannelDesc<int4>();
  linear.res.linear.sizeInBytes = 6 * sizeof(int4);
  const cudaTextureObject_t words_texture =
      texture_of(linear, cudaAddressModeClamp, cudaFilterModePoint, false);
  int4* fetched;
  cudaMallocManaged(&fetched, 8 * sizeof *fetched);
  fetch<<<1, 8>>>(words_texture, fetched);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("(%d %d %d %d) ", fetched[i].x, fetched[i].y, fetched[i].z, fetched[i].w);
  printf("\n");
  texture_of(linear, cudaAddressModeClamp, cudaFilterModeLinear, false);

  // Pitched memory, enlarged with a linear filter.
  const int width = 5, height = 4;
  float image[height][width];
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image[y][x] = static_cast<float>(x * 10 + y);
  float* pitched;
  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(pitched, pitch, image, sizeof image[0], sizeof image[0], height, cudaMemcpyHostToDevice);
  cudaResourceDesc plane;
  memset(&plane, 0, sizeof plane);
  plane.resType = cudaResourceTypePitch2D;
  plane.res.pitch2D.devPtr = pitched;
  plane.res.pitch2D.desc = floats;
  plane.res.pitch2D.width = width;
  plane.res.pitch2D.height = height;
  plane.res.pitch2D.pitchInBytes = pitch;
  const cudaTextureObject_t enlarged = texture_of(plane, cudaAddressModeClamp, cudaFilterModeLinear, false);
  sample2d<<<dim3(2, 2), dim3(8, 8)>>>(enlarged, 0.5f, 0.25f, out, 10, 8);
  cudaDeviceSynchronize();
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 10; ++x) printf(" %g", out[y * 10 + x]);
    printf("\n");
  }

  // Bytes, as integers and as fractions.
  uchar4 colours[4][4];
  for (int i = 0; i < 16; ++i)
    colours[i / 4][i % 4] =
        make_uchar4(static_cast<unsigned char>(i * 17), static_cast<unsigned char>(255 - i * 17),
                    static_cast<unsigned char>(i), 255);
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
  cudaArray_t picture;
  cudaMallocArray(&picture, &bytes, 4, 4);
  cudaMemcpy2DToArray(picture, 0, 0, colours, sizeof colours[0], sizeof colours[0], 4,
                      cudaMemcpyHostToDevice);
  uchar4* raw;
  float4* normal;
  cudaMallocManaged(&raw, 16 * sizeof *raw);
  cudaMallocManaged(&normal, 16 * sizeof *normal);
  pixels<<<1, 16>>>(texture_of(resource_of(picture), cudaAddressModeClamp, cudaFilterModePoint, false),
                    texture_of(resource_of(picture), cudaAddressModeClamp, cudaFilterModeLinear, false,
                               cudaReadModeNormalizedFloat),
                    raw, normal);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; i += 3)
    printf("pixel %d: %d %d %d %d  %.4f %.4f %.4f\n", i, raw[i].x, raw[i].y, raw[i].z, raw[i].w, normal[i].x,
           normal[i].y, normal[i].w);

  // Three dimensions and layers, filled by cudaMemcpy3D.
  float cube[3][3][4];
  for (int i = 0; i < 36; ++i) (&cube[0][0][0])[i] = static_cast<float>(i);
  for (const unsigned flags : {0u, static_cast<unsigned>(cudaArrayLayered)}) {
    cudaArray_t whole;
    cudaMalloc3DArray(&whole, &floats, make_cudaExtent(4, 3, 3), flags);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cube, 4 * sizeof(float), 4, 3);
    copy.dstArray = whole;
    copy.extent = make_cudaExtent(4, 3, 3);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    const cudaTextureObject_t texture =
        texture_of(resource_of(whole), cudaAddressModeClamp, cudaFilterModeLinear, false);
    if (flags == 0)
      volume<<<1, 8>>>(texture, out);
    else
      layers<<<1, 5>>>(texture, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < (flags == 0 ? 8 : 5); ++i) printf(" %g", out[i]);
    printf("\n");
    cudaFreeArray(whole);
  }

  // Surfaces.
  cudaArray_t from, to;
  cudaMallocArray(&from, &floats, width, height, cudaArraySurfaceLoadStore | cudaArrayTextureGather);
  cudaMallocArray(&to, &floats, height, width, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(from, 0, 0, image, sizeof image[0], sizeof image[0], height, cudaMemcpyHostToDevice);
  cudaSurfaceObject_t source, target;
  const cudaResourceDesc in = resource_of(from), result = resource_of(to);
  cudaCreateSurfaceObject(&source, &in);
  cudaCreateSurfaceObject(&target, &result);
  transpose<<<1, dim3(8, 8)>>>(source, target, width, height);
  float turned[width][height];
  cudaMemcpy2DFromArray(turned, sizeof turned[0], to, 0, 0, sizeof turned[0], width, cudaMemcpyDeviceToHost);
  for (const auto& row : turned) {
    for (const float value : row) printf(" %g", value);
    printf("\n");
  }
  edges<<<1, 1>>>(source, out);
  float4* four;
  cudaMallocManaged(&four, sizeof *four);
  gather<<<1, 1>>>(texture_of(in, cudaAddressModeClamp, cudaFilterModePoint, false), four);
  cudaDeviceSynchronize();
  printf("edges %g %g %g, gathered %g %g %g %g\n", out[0], out[1], out[2], four->x, four->y, four->z,
         four->w);
  cudaChannelFormatDesc described;
  cudaExtent extent;
  unsigned flags;
  cudaArrayGetInfo(&described, &extent, &flags, picture);
  printf("array %d %d %d %d kind %d, %zu x %zu x %zu\n", described.x, described.y, described.z, described.w,
         described.f, extent.width, extent.height, extent.depth);
  for (const cudaTextureObject_t texture : made) cudaDestroyTextureObject(texture);
  cudaDestroySurfaceObject(source);
  cudaDestroySurfaceObject(target);
  for (const cudaArray_t each : {array, picture, from, to}) cudaFreeArray(each);
  cudaGetLastError();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
