// A variable in device code can't be constructed by a host function.
struct Made { int value; Made() : value(1) {} };
struct Filled { int value; __device__ Filled() : value(1) {} };
struct Plain { int value; };
struct Freed { int value; ~Freed() { value = 0; } };
struct Holder { int number; Made made; };
struct PlainHolder { int number; Plain plain; };

__global__ void kernel(int* x) {
  PlainHolder plain_holder;
  plain_holder.number = 1;
  *x = plain_holder.number;
  Filled* const fresh = new Filled;
  delete fresh;
  Filled filled;
  Plain plain{2};
  *x += filled.value + plain.value;
  Made made;    // error
  Freed freed{1};  // error
  Holder holder;   // error anywhere
  Made* const fresh_made = new Made;  // error
}
