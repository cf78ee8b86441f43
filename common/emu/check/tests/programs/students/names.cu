// An array has the name of the variable that holds it, not of the pointer in the class or function that allocates it.
#include <memory>

#include "../pair.cuh"

template <class T>
class Owner {
 public:
  explicit Owner(int count) { cudaMalloc(&data_, count * sizeof(T)); }
  ~Owner() {
    cudaDeviceSynchronize();
    cudaFree(data_);
  }
  operator T*() const { return data_; }

 private:
  T* data_ = nullptr;
};

// pair: in_an_object
// exact: out-of-bounds @past_object second
__global__ void fill_object(int* values) {
  values[threadIdx.x] = 1;  // @past_object
}
PAIR(in_an_object) {
  Owner<int> first(32), second(wrong ? 31 : 32);
  fill_object<<<1, 32>>>(first);
  fill_object<<<1, 32>>>(second);
}

// pair: by_new
// exact: out-of-bounds @past_new owner
__global__ void fill_new(int* values) {
  values[threadIdx.x] = 1;  // @past_new
}
PAIR(by_new) {
  Owner<int>* owner = new Owner<int>(wrong ? 31 : 32);
  fill_new<<<1, 32>>>(*owner);
  delete owner;
}

// pair: by_make_unique
// exact: out-of-bounds @past_unique owner
__global__ void fill_unique(int* values) {
  values[threadIdx.x] = 1;  // @past_unique
}
PAIR(by_make_unique) {
  const auto owner = std::make_unique<Owner<int>>(wrong ? 31 : 32);
  fill_unique<<<1, 32>>>(*owner);
}

// One object with two arrays.
// pair: two_in_an_object
// exact: out-of-bounds @past_two state.y
struct TwoArrays {
  int *x, *y;
  TwoArrays(int of_x, int of_y) {
    cudaMalloc(&x, of_x * sizeof(int));
    cudaMalloc(&y, of_y * sizeof(int));
  }
  ~TwoArrays() {
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
  }
};
__global__ void fill_two(int* values) {
  values[threadIdx.x] = 1;  // @past_two
}
PAIR(two_in_an_object) {
  TwoArrays state(32, wrong ? 31 : 32);
  fill_two<<<1, 32>>>(state.x);
  fill_two<<<1, 32>>>(state.y);
}

// A function that sets its caller's pointer.
// pair: by_a_helper
// exact: out-of-bounds @past_helper d_layer
template <class T>
void allocate(T** pointer, int count) {
  cudaMalloc(pointer, count * sizeof(T));
}
__global__ void fill_helper(int* values) {
  values[threadIdx.x] = 1;  // @past_helper
}
PAIR(by_a_helper) {
  int* d_layer;
  allocate(&d_layer, wrong ? 31 : 32);
  fill_helper<<<1, 32>>>(d_layer);
  cudaDeviceSynchronize();
  cudaFree(d_layer);
}

// A function that returns the pointer.
// pair: from_a_function
// exact: out-of-bounds @past_result d_values
int* new_array(int count) {
  int* result = nullptr;
  cudaMalloc(&result, count * sizeof(int));
  return result;
}
__global__ void fill_result(int* values) {
  values[threadIdx.x] = 1;  // @past_result
}
PAIR(from_a_function) {
  int* d_values = new_array(wrong ? 31 : 32);
  fill_result<<<1, 32>>>(d_values);
  cudaDeviceSynchronize();
  cudaFree(d_values);
}
