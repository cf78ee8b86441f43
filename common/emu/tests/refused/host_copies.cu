// Device code can't create an object by a host constructor, not even without naming the constructor.
struct Counted {
  int value;
  __host__ __device__ Counted(int v) : value(v) {}
  Counted(const Counted& other) : value(other.value) { ++copies; }
  static int copies;
};
struct Copied {
  int value;
  __host__ __device__ Copied(int v) : value(v) {}
  __host__ __device__ Copied(const Copied& other) : value(other.value) {}
};
struct Plain { int value; };
struct Meters {
  float value;
  Meters(float v) : value(v) {}
};
struct Feet {
  float value;
  __host__ __device__ Feet(float v) : value(v) {}
};
__device__ int of_value(Counted counted) { return counted.value; }
__device__ int of_reference(const Counted& counted) { return counted.value; }
__device__ int of_copied(Copied copied) { return copied.value; }
__device__ float of_meters(const Meters& meters) { return meters.value; }
__device__ float of_feet(Feet feet) { return feet.value; }
Counted on_host(Counted one) { Counted two = one; return two; }

__global__ void kernel(int* x, Counted* all, Copied* copied, Plain* plain) {
  const Counted& one = all[0];
  Counted fresh(3);
  Counted made = Counted(4);
  Copied a = copied[0], b(a);
  Plain c = *plain;
  *x = one.value + fresh.value + made.value + a.value + b.value + c.value;
  *x += of_reference(fresh) + of_copied(a) + of_value(Counted(5)) + of_feet(2);
  Counted first = all[1];     // error
  Counted second(fresh);      // error
  Counted third{*all};        // error
  const auto fourth = fresh;  // error
  *x += of_value(fresh);      // error
  *x += of_value(all[2]);     // error
  Meters length = 2.0f;       // error
  *x += of_meters(3.0f);      // error
  *x += of_meters({3.0f});    // error
}
