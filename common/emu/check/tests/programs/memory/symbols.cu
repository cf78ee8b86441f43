// Host code names device variables. There each name means a copy that belongs to the host.
#include "../pair.cuh"

__device__ int table[4];

int* address_of_table() {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, table);
  return static_cast<int*>(address);
}

// The launch passes the host's name of the array as an argument.
// pair: symbol_as_argument
// exact: host-pointer @add table
// contains: reads 4 bytes of the host's copy of table
// hint: or pass the address that cudaGetSymbolAddress gives
__global__ void add_five(int* values) {
  values[threadIdx.x] += 5;  // @add
}
PAIR(symbol_as_argument) {
  if (wrong)
    add_five<<<1, 4>>>(table);
  else
    add_five<<<1, 4>>>(address_of_table());
  cudaDeviceSynchronize();
}

// The same mistake through a pointer.
// pair: symbol_in_pointer
// exact: host-pointer @set table
// contains: writes 4 bytes of the host's copy of table
// hint: or pass the address that cudaGetSymbolAddress gives
__global__ void set_five(int* values) {
  values[threadIdx.x] = 5;  // @set
}
PAIR(symbol_in_pointer) {
  int* values = wrong ? table : address_of_table();
  set_five<<<1, 4>>>(values);
  cudaDeviceSynchronize();
}

// The kernel gets the address of one variable.
__device__ int total;
// pair: symbol_by_address
// exact: host-pointer @count total
// hint: use the name in the kernel
__global__ void count(int* to) {
  atomicAdd(to != nullptr ? to : &total, 1);  // @count
}
PAIR(symbol_by_address) {
  count<<<1, 32>>>(wrong ? &total : nullptr);
  cudaDeviceSynchronize();
}

// The host's name is the destination of a copy.
// pair: symbol_copied_to
// exact: copy @copy table
// contains: cudaMemcpyToSymbol takes
// hint: takes the variable on the device; cudaMemcpy takes the address
PAIR(symbol_copied_to) {
  const int values[4] = {1, 2, 3, 4};
  if (wrong)
    cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice);  // @copy
  else
    cudaMemcpyToSymbol(table, values, sizeof values);
}

// The host's name is the source of a copy.
// pair: symbol_copied_from
// exact: copy @copy table
// hint: cudaMemcpyFromSymbol takes the variable on the device
PAIR(symbol_copied_from) {
  int values[4] = {};
  if (wrong)
    cudaMemcpy(values, table, sizeof values, cudaMemcpyDeviceToHost);  // @copy
  else
    cudaMemcpyFromSymbol(values, table, sizeof values);
}

// The host's name is the memory to be set.
// pair: symbol_filled
// exact: copy @fill table
// hint: cudaMemset takes the address that cudaGetSymbolAddress gives
PAIR(symbol_filled) {
  cudaMemset(wrong ? table : address_of_table(), 0, sizeof table);  // @fill
}

// Host code sets its own copy.
// pair: symbol_set_on_host
// exact: device-pointer @set_copy limit
// contains: host code writes its own copy of limit, not the variable that kernels use
// hint: cudaMemcpyToSymbol and cudaMemcpyFromSymbol reach the device's limit
// hint: ; a __managed__ variable is the same for both sides
__device__ int limit;
PAIR(symbol_set_on_host) {
  const int value = 5;
  if (wrong)
    limit = value;  // @set_copy
  else
    cudaMemcpyToSymbol(limit, &value, sizeof value);
}
