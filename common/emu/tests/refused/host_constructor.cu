// A variable of device code is made by device code.
struct Made { int value; Made() : value(1) {} };
struct Filled { int value; __device__ Filled() : value(1) {} };
struct Plain { int value; };
struct Freed { int value; ~Freed() { value = 0; } };

__global__ void kernel(int* x) {
  Filled filled;
  Plain plain{2};
  *x = filled.value + plain.value;
  Made made;    // error
  Freed freed{1};  // error
}
