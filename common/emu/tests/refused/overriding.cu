// A function that overrides another one must be for the same side.
struct Base {
  __device__ virtual int right() { return 1; }
  __device__ virtual int wrong() { return 1; }
};
struct Derived : Base {
  __device__ int right() override { return 2; }
  int wrong() override { return 2; }  // error
};
