// Pointers that a kernel can't use.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdlib>
#include <new>

#include "../pair.cuh"

// The kernel gets the host's pointer instead of the device's.
// pair: host_memory
// exact: host-pointer @write -
// hint: a kernel reaches only memory from cudaMalloc, cudaMallocManaged, cudaMallocHost and __device__
__global__ void fill(int* values) {
  values[threadIdx.x] = 1;  // @write
}
PAIR(host_memory) {
  int* const host = static_cast<int*>(std::calloc(64, sizeof(int)));
  const Zeros<int> device(64);
  fill<<<1, 64>>>(wrong ? host : device.data);
  cudaDeviceSynchronize();
  std::free(host);
}

// A float4 at an address that is not a multiple of 16.
// pair: odd_address
// g++ only
// exact: misaligned @load in
// hint: a GPU stops the kernel here: vector types like float4 need addresses that are multiples of their
__global__ void load(const float* in, float4* out, int first) {
  out[threadIdx.x] = reinterpret_cast<const float4*>(in + first)[threadIdx.x];  // @load
}
PAIR(odd_address) {
  const Zeros<float> in(256);
  const Zeros<float4> out(32);
  load<<<1, 32>>>(in, out, wrong ? 1 : 4);
}

// Sixteen bytes at a multiple of 8, which is enough for two pointers, but not for a float4.
// pair: half_odd
// g++ only
// exact: misaligned @sixteen in
struct TwoPointers {
  void *first, *second;
};
template <class T>
__global__ void copy_one(const char* in, T* out) {
  *out = *reinterpret_cast<const T*>(in + 8);  // @sixteen
}
PAIR(half_odd) {
  const Zeros<char> in(64);
  const Zeros<float4> quads(1);
  const Zeros<TwoPointers> pointers(1);
  if (wrong)
    copy_one<<<1, 1>>>(in.data, quads.data);
  else
    copy_one<<<1, 1>>>(in.data, pointers.data);
}

// One member of a vector type, at an odd address.
// pair: odd_member
// exact: misaligned @member in
__global__ void members(const float* in, float* out, int first) {
  const float4* const quads = reinterpret_cast<const float4*>(in + first);
  out[threadIdx.x] = quads[threadIdx.x].y;  // @member
}
PAIR(odd_member) {
  const Zeros<float> in(256), out(32);
  members<<<1, 32>>>(in, out, wrong ? 2 : 4);
}

// The kernel uses a variable on the host's stack.
// pair: host_variable
// exact: host-pointer @total -
__global__ void add(int* total) {
  atomicAdd(total, 1);  // @total
}
PAIR(host_variable) {
  int on_host = 0;
  const Zeros<int> device(1);
  add<<<1, 4>>>(wrong ? &on_host : device.data);
  cudaDeviceSynchronize();
}

// The kernel uses a global variable of the host.
// pair: host_global
// exact: host-pointer @global -
int host_counter = 0;
__device__ int device_counter = 0;
__global__ void set_counter(int* counter) {
  *counter = 1;  // @global
}
PAIR(host_global) {
  void* device = nullptr;
  cudaGetSymbolAddress(&device, device_counter);
  set_counter<<<1, 1>>>(wrong ? &host_counter : static_cast<int*>(device));
  cudaDeviceSynchronize();
}

// The kernel reads a string literal of the host's. Device code's own literals are right, also those that it prints.
// pair: host_literal
// exact: host-pointer @letter -
// contains: a thread reads a string literal of the host's
// hint: copy them with cudaMemcpy to memory from cudaMalloc
__device__ const char* const endings[] = {"one", "many"};
__device__ int length_of(const char* text) {
  int length = 0;
  while (text[length] != 0) ++length;
  return length;
}
__global__ void count_letters(const char* text, int* length) {
  int letters = 0;
  while (text[letters] != 0) ++letters;  // @letter
  *length = letters + length_of("own letters") + length_of(endings[letters % 2]);
  printf("%s has %d\n", "it", letters);
}
PAIR(host_literal) {
  const Zeros<char> copy(8);
  const Zeros<int> length(1);
  cudaMemcpy(copy, "letters", 8, cudaMemcpyHostToDevice);
  count_letters<<<1, 1>>>(wrong ? "letters" : copy.data, length);
  cudaDeviceSynchronize();
}

// A kernel prints a text of the host's. Texts of device code and copies are right, also those that end where the format
// says so.
// pair: printed_text
// exact: host-pointer @print -
// contains: a thread reads a string literal of the host's
// hint: copy them with cudaMemcpy to memory from cudaMalloc
__global__ void greet(const char* name, char letter) {
  char own[] = {letter, 'y', 'e', 0};
  const char unfinished[] = {'n', 'o', 'w'};
  printf("%s, %-*s %5.1f %lld%%: %.3s %p\n", own, 4, endings[1], 1.5, 2LL, unfinished, nullptr);
  printf("%c%d %s\n", 'h', static_cast<int>(sizeof own), name);  // @print
}
PAIR(printed_text) {
  const Zeros<char> copy(4);
  cudaMemcpy(copy, "you", 4, cudaMemcpyHostToDevice);
  greet<<<1, 1>>>(wrong ? "you" : copy.data, 'b');
  cudaDeviceSynchronize();
}

// The kernel reads a text on the host's heap.
// pair: printed_text_of_the_heap
// exact: host-pointer @heap -
// contains: a thread reads 1 byte of host memory
__global__ void show(const char* text) {
  printf("%s\n", text);  // @heap
}
PAIR(printed_text_of_the_heap) {
  char* const host = static_cast<char*>(std::malloc(8));
  std::memcpy(host, "secret", 7);
  const Zeros<char> copy(8);
  cudaMemcpy(copy, host, 7, cudaMemcpyHostToDevice);
  show<<<1, 1>>>(wrong ? host : copy.data);
  cudaDeviceSynchronize();
  std::free(host);
}

// A kernel's memcpy accesses the host's memory. Large parameters, local arrays and their copies are right.
// pair: host_memory_copied
// exact: host-pointer @memcpy -
// contains: a thread reads 256 bytes of host memory
struct Large {
  int values[64];
};
__device__ __noinline__ int sum_of(Large large) {
  for (int i = 1; i < 64; ++i) large.values[0] += large.values[i];
  return large.values[0];
}
__global__ void take(Large argument, const int* from, int* out) {
  __shared__ Large shared;
  Large own, copy = argument;
  int steps[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  memcpy(&own, from, sizeof own);  // @memcpy
  memset(&copy, steps[threadIdx.x], sizeof copy);
  memcpy(&shared, &copy, sizeof copy);
  *out = sum_of(own) + sum_of(shared) + sum_of(copy) + sum_of(argument);
}
PAIR(host_memory_copied) {
  Large host{};
  const Zeros<int> device(64), out(1);
  take<<<1, 1>>>(host, wrong ? host.values : device.data, out);
  cudaDeviceSynchronize();
}

// A kernel clears the host's memory.
// pair: host_memory_cleared
// exact: host-pointer @memset -
// contains: a thread writes 64 bytes of host memory
__global__ void clear(char* bytes) {
  memset(bytes, 0, 64);  // @memset
}
PAIR(host_memory_cleared) {
  char host[64];
  const Zeros<char> device(64);
  clear<<<1, 1>>>(wrong ? host : device.data);
  cudaDeviceSynchronize();
}

// A structure holds the address of a constant array of the host's. The constant arrays of device code are right, also
// if the kernel has their addresses from a __device__ variable.
// pair: host_constant
// exact: host-pointer @weight -
// contains: of weights_of_host, a constant of the host's
// hint: or write them into device code, as a literal in the kernel or a __constant__ array
static const float weights_of_host[4] = {1, 2, 2, 1};
__constant__ float weights_of_device[4] = {1, 2, 2, 1};
struct Filter {
  int size;
  const float* weights;
};
__device__ int twice(int value) {
  return 2 * value;
}
__device__ int (*const doubled)(int) = twice;
__global__ void weigh(Filter filter, int (*function)(int), float* out) {
  static constexpr int order[] = {3, 2, 1, 0, 3, 2, 1, 0};
  const unsigned i = threadIdx.x;
  out[i] = filter.weights[order[i]] * static_cast<float>(function(order[7 - i]));  // @weight
}
PAIR(host_constant) {
  const Zeros<float> out(4);
  void* device = nullptr;
  cudaGetSymbolAddress(&device, weights_of_device);
  int (*function)(int) = nullptr;
  cudaMemcpyFromSymbol(&function, doubled, sizeof function);
  weigh<<<1, 4>>>({4, wrong ? weights_of_host : static_cast<const float*>(device)}, function, out);
  cudaDeviceSynchronize();
}

// A structure's copy still contains the pointer to the host's memory.
// pair: pointer_in_a_copy
// exact: host-pointer @weights filter
// contains: a thread reads 4 bytes of host memory, by a pointer in filter
// hint: allocate what they point to with cudaMalloc, copy it there, and copy a structure that has the new addresses
// hint: the host put this pointer into filter, and a copy of a structure has the same pointers
// hint: the host put this pointer into
// hint: , and a copy of a structure has the same pointers: allocate what they point to with cudaMalloc, copy it there, and
__global__ void weigh_by(const Filter* filter, float* out) {
  out[threadIdx.x] = filter->weights[threadIdx.x];  // @weights
}
PAIR(pointer_in_a_copy) {
  float* const weights = new float[4]();
  float* on_device = nullptr;
  cudaMalloc(&on_device, 4 * sizeof(float));
  cudaMemcpy(on_device, weights, 4 * sizeof(float), cudaMemcpyHostToDevice);
  const Filter host{4, wrong ? weights : on_device};
  Filter* filter = nullptr;
  cudaMalloc(&filter, sizeof host);
  cudaMemcpy(filter, &host, sizeof host, cudaMemcpyHostToDevice);
  const Zeros<float> out(4);
  weigh_by<<<1, 4>>>(filter, out);
  cudaDeviceSynchronize();
  cudaFree(filter);
  cudaFree(on_device);
  delete[] weights;
}

// A structure in constant memory points to a constant of the host's. The initial pointer of a device variable is right.
// pair: constant_in_a_copy
// exact: host-pointer @by_symbol chosen
// contains: of weights_of_host, a constant of the host's, by a pointer in chosen
// hint: the host put this pointer into chosen
__constant__ Filter chosen;
__device__ const float* ready = weights_of_device;
__device__ const char* names_of_device[] = {"first", "second"};
__global__ void weigh_chosen(float* out) {
  const float letter = static_cast<float>(names_of_device[threadIdx.x % 2][threadIdx.x]);
  out[threadIdx.x] = letter + ready[threadIdx.x];
  out[threadIdx.x] += chosen.weights[threadIdx.x];  // @by_symbol
}
PAIR(constant_in_a_copy) {
  void* device = nullptr;
  cudaGetSymbolAddress(&device, weights_of_device);
  const Filter host{4, wrong ? weights_of_host : static_cast<const float*>(device)};
  cudaMemcpyToSymbol(chosen, &host, sizeof host);
  const Zeros<float> out(4);
  weigh_chosen<<<1, 4>>>(out);
  cudaDeviceSynchronize();
}

// A table of the host's texts is copied to the device.
// pair: texts_in_a_copy
// exact: host-pointer @initial table
// contains: a thread reads a string literal of the host's, by a pointer in table
// hint: the host put this pointer into table
__global__ void initials(const char* const* table, char* out) {
  out[threadIdx.x] = table[threadIdx.x][0];  // @initial
}
PAIR(texts_in_a_copy) {
  const char* const names[] = {"Ada", "Alan"};
  const Zeros<char> texts(8), out(2);
  const char* copies[] = {texts.data, texts.data + 4};
  for (int i = 0; i < 2; ++i) cudaMemcpy(texts.data + 4 * i, names[i], 4, cudaMemcpyHostToDevice);
  const char** table = nullptr;
  cudaMalloc(&table, sizeof names);
  cudaMemcpy(table, wrong ? names : copies, sizeof names, cudaMemcpyHostToDevice);
  initials<<<1, 2>>>(table, out);
  cudaDeviceSynchronize();
  cudaFree(table);
}

// An array for textures instead of plain memory: a cudaArray_t is not an address that a kernel may use.
// pair: array_as_argument
// exact: host-pointer @element -
// contains: a thread writes 4 bytes of a cudaArray's handle
// contains: a cudaArray_t is no pointer to its elements
__global__ void set_elements(float* values) {
  values[threadIdx.x] = 1;  // @element
}
PAIR(array_as_argument) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 32, 0);
  const Zeros<float> plain(32);
  set_elements<<<1, 4>>>(wrong ? reinterpret_cast<float*>(array) : plain.data);
  cudaDeviceSynchronize();
  cudaFreeArray(array);
}

// The program never sets the pointer to the address of any memory.
// pair: null_pointer
// exact: null-pointer @null -
// hint: check that cudaMalloc succeeded, and that the right pointer is passed to the kernel
__global__ void put(int* values) {
  values[threadIdx.x] = 1;  // @null
}
PAIR(null_pointer) {
  int* values = nullptr;
  if (!wrong) cudaMalloc(&values, 64 * sizeof(int));
  put<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}

// An access far past a null pointer.
// pair: null_with_offset
// exact: null-pointer @offset -
__global__ void put_far(int* values, int offset) {
  values[offset + threadIdx.x] = 1;  // @offset
}
PAIR(null_with_offset) {
  int* values = nullptr;
  if (!wrong) cudaMalloc(&values, 10'064 * sizeof(int));
  put_far<<<1, 64>>>(values, 10'000);
  cudaDeviceSynchronize();
  cudaFree(values);
}

// A member of a structure that is null.
// pair: null_member
// exact: null-pointer @member -
struct Node {
  int value;
  Node* next;
};
__global__ void second(const Node* list, int* out) {
  *out = list->next != nullptr || list->value == 1 ? list->next->value : 0;  // @member
}
PAIR(null_member) {
  const Zeros<Node> list(1);
  const Zeros<int> out(1);
  const int value = wrong ? 1 : 0;
  cudaMemcpy(list, &value, sizeof value, cudaMemcpyHostToDevice);
  second<<<1, 1>>>(list, out);
}

// A double at an address that is not a multiple of 8.
// pair: odd_double
// exact: misaligned @double bytes
__global__ void as_double(char* bytes, int offset) {
  *reinterpret_cast<double*>(bytes + offset) = 1.0;  // @double
}
PAIR(odd_double) {
  const Zeros<char> bytes(64);
  as_double<<<1, 1>>>(bytes, wrong ? 12 : 16);
}

// The same mistake in shared memory.
// pair: odd_shared
// exact: misaligned @shared bytes
__global__ void shared_words(int* out, int offset) {
  __shared__ __align__(16) char bytes[64];
  if (threadIdx.x == 0) {
    *reinterpret_cast<int*>(bytes + offset) = 5;  // @shared
    *out = bytes[offset];
  }
}
PAIR(odd_shared) {
  const Zeros<int> out(1);
  shared_words<<<1, 32>>>(out, wrong ? 6 : 8);
}

// The host reads through the device's pointer.
// pair: device_pointer_on_host
// exact: device-pointer @host result
// hint: the host can't follow a device pointer: copy the data with cudaMemcpy(…, cudaMemcpyDeviceToHost),
PAIR(device_pointer_on_host) {
  int* result;
  cudaMalloc(&result, 4 * sizeof(int));
  cudaMemset(result, 0, 4 * sizeof(int));
  int on_host[4];
  cudaMemcpy(on_host, result, sizeof on_host, cudaMemcpyDeviceToHost);
  const int sum = wrong ? result[2] : on_host[2];  // @host
  std::printf("%d\n", sum);
  cudaFree(result);
}

// The host writes through the device's pointer.
// pair: device_pointer_written
// exact: device-pointer @initial data
PAIR(device_pointer_written) {
  float* data;
  cudaMalloc(&data, 4 * sizeof(float));
  const float one = 1;
  if (wrong)
    data[0] = one;  // @initial
  else
    cudaMemcpy(data, &one, sizeof one, cudaMemcpyHostToDevice);
  cudaFree(data);
}

// The program allocates rows into a table on the device, but cudaMalloc runs on the host.
// pair: table_on_the_device
// exact: device-pointer @row table
// hint: cudaMalloc runs on the host, and table lies on the device: let it fill a table of the host's, and copy that to
// hint: cudaMalloc runs on the host, and
// hint: lies on the device: let it fill a table of the host's, and copy that to
// hint: let it fill a table of the host's, and copy that to table with cudaMemcpy(…, cudaMemcpyHostToDevice)
__global__ void fill_rows(int** rows) {
  rows[blockIdx.x][threadIdx.x] = 1;
}
PAIR(table_on_the_device) {
  int** table;
  int* rows[4];
  cudaMalloc(&table, sizeof rows);
  if (wrong)
    cudaMalloc(&table[0], 64);  // @row
  for (int*& row : rows) cudaMalloc(&row, 64);
  cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
  fill_rows<<<4, 16>>>(table);
  for (int* const row : rows) cudaFree(row);
  cudaFree(table);
}

// The same with the member of a structure on the device.
// pair: member_on_the_device
// exact: device-pointer @member list
// hint: lies on the device: let it set a member of a structure of the host's, and copy that to
struct List {
  int* values;
  int count;
};
__global__ void fill_list(List* list) {
  if (threadIdx.x < list->count) list->values[threadIdx.x] = threadIdx.x;
}
PAIR(member_on_the_device) {
  List* list;
  List of_host{nullptr, 16};
  cudaMalloc(&list, sizeof of_host);
  if (wrong)
    cudaMalloc(&list->values, 64);  // @member
  cudaMalloc(&of_host.values, 64);
  cudaMemcpy(list, &of_host, sizeof of_host, cudaMemcpyHostToDevice);
  fill_list<<<1, 32>>>(list);
  cudaFree(of_host.values);
  cudaFree(list);
}

// Thrust gets a raw pointer, and assumes that it points to host memory.
// pair: raw_pointer_for_thrust
// exact: device-pointer @sort keys
// hint: Thrust takes a raw pointer for one to the host's memory: give it the policy thrust::device first, or
// hint: give it the policy thrust::device first, or thrust::device_pointer_cast(keys)
PAIR(raw_pointer_for_thrust) {
  int* keys;
  cudaMalloc(&keys, 64 * sizeof(int));
  cudaMemset(keys, 0, 64 * sizeof(int));
  cudaDeviceSynchronize();
  if (wrong)
    thrust::sort(keys, keys + 64);  // @sort
  else
    thrust::sort(thrust::device, keys, keys + 64);
  cudaFree(keys);
}

// The kernel gets the address of a function that host code takes. On a GPU, a kernel has the function elsewhere.
// pair: function_of_host
// exact: host-pointer @call -
// contains: a thread calls a __device__ function at the address that host code took
// hint: take it in device code, as the value of a __device__ variable, and read that with cudaMemcpyFromSymbol
using Unary = int (*)(int);
__device__ int tripled(int x) {
  return 3 * x;
}
__device__ Unary address_of_tripled = tripled;
__global__ void apply(int* values, Unary function) {
  values[threadIdx.x] = function(values[threadIdx.x]);  // @call
}
PAIR(function_of_host) {
  const Zeros<int> values(4);
  Unary function = tripled;
  if (!wrong) cudaMemcpyFromSymbol(&function, address_of_tripled, sizeof function);
  apply<<<1, 4>>>(values, function);
  cudaDeviceSynchronize();
}

// The kernel reads an array of textures as memory.
// pair: array_as_pointer
// exact: host-pointer @pixel -
// hint: a cudaArray_t is no pointer to its elements: kernels read them through a texture object
__global__ void read_pixel(float* out, const float* pixels, cudaTextureObject_t image) {
  out[0] = pixels != nullptr ? pixels[0]  // @pixel
                             : tex2D<float>(image, 0, 0);
}
PAIR(array_as_pointer) {
  const Zeros<float> out(1);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t pixels;
  cudaMallocArray(&pixels, &format, 8, 8);
  const float zeros[64] = {};
  cudaMemcpy2DToArray(pixels, 0, 0, zeros, 32, 32, 8, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  const cudaTextureDesc how = {};
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &how, nullptr);
  read_pixel<<<1, 1>>>(out, wrong ? reinterpret_cast<const float*>(pixels) : nullptr, image);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
}

// The host's array of device pointers. The pointers that a kernel would read from it cause no further finding.
// pair: table_of_the_host
// exact: host-pointer @row -
__global__ void first_of_each(int** rows) {
  rows[threadIdx.x][0] = 1;  // @row
}
PAIR(table_of_the_host) {
  int* rows[4];
  for (int*& row : rows) cudaMalloc(&row, 16);
  int** table;
  cudaMalloc(&table, sizeof rows);
  cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
  first_of_each<<<1, 4>>>(wrong ? rows : table);
  cudaDeviceSynchronize();
  cudaFree(table);
  for (int* row : rows) cudaFree(row);
}

// The same where the kernel reads the pointer at one line and uses it at the next: the cause is reported first.
// pair: pointer_of_the_host
// first: host-pointer @pointer -
__global__ void first_of_row(int** rows) {
  int* const row = rows[threadIdx.x];  // @pointer
  row[0] = 1;
}
PAIR(pointer_of_the_host) {
  int* rows[4];
  for (int*& row : rows) cudaMalloc(&row, 16);
  int** table;
  cudaMalloc(&table, sizeof rows);
  cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
  first_of_row<<<1, 4>>>(wrong ? rows : table);
  cudaDeviceSynchronize();
  cudaFree(table);
  for (int* row : rows) cudaFree(row);
}

// One line with two mistakes: the array that it writes is too short, and a pointer that it reads leads nowhere.
// pair: two_mistakes_at_one_line
// exact: out-of-bounds @both out
// exact: wild-pointer @both -
__global__ void gather(int** table, int* out) {
  out[threadIdx.x] = *table[threadIdx.x];  // @both
}
PAIR(two_mistakes_at_one_line) {
  const Zeros<int> values(4), out(wrong ? 2 : 4);
  int* rows[4] = {values.data, values.data + 1, values.data + 2, values.data + 3};
  if (wrong) rows[3] = reinterpret_cast<int*>(0x12345678000);
  const Zeros<int*> table(4);
  cudaMemcpy(table.data, rows, sizeof rows, cudaMemcpyHostToDevice);
  gather<<<1, 4>>>(table.data, out);
}
