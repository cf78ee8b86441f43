// Device code can't copy an object by a host constructor: a result, a base, a member, an argument, or a capture.
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
struct Derived : Counted {
  __host__ __device__ Derived(int v) : Counted(v) {}
};
struct DerivedRight : Copied {
  __host__ __device__ DerivedRight(int v) : Copied(v) {}
};
struct Holder {
  Counted part;
  __host__ __device__ Holder(int v) : part(v) {}
};
struct OwnCopy : Counted {
  __host__ __device__ OwnCopy(int v) : Counted(v) {}
  __host__ __device__ OwnCopy(const OwnCopy& other) : Counted(other.value) {}
};
__device__ Copied right_result(const Copied& one) { return one; }
__device__ Counted fresh_result() { return Counted(3); }
__device__ Counted listed_result() { return 3; }
__device__ const Counted& same(const Counted& one) { return one; }
__device__ int overloaded(int x) { return x; }
__device__ int overloaded(Counted one) { return one.value; }
__device__ int taken(Derived one) { return one.value; }

__device__ Counted named_result(const Counted& one) { return one; }  // error
__device__ Counted made_result() { Counted one(1); return one; }
__device__ Counted chosen_result(Counted* all, int i) { return all[i]; }  // error
__device__ Derived derived_result(const Derived& one) { return one; }  // error anywhere

__global__ void kernel(int* x, Derived* d, DerivedRight* r, Holder* h, OwnCopy* o, Counted* c) {
  DerivedRight a = r[0];
  OwnCopy b = o[0];
  Derived fresh(2);
  *x = a.value + b.value + fresh.value + right_result(r[1]).value + fresh_result().value + listed_result().value + same(c[0]).value;
  Derived copy = d[0];  // error anywhere
  Derived second(fresh);  // error anywhere
  Holder whole = h[0];  // error anywhere
  *x += overloaded(c[0]);  // error
  *x += overloaded(*c);  // error
  *x += taken(d[1]);  // error anywhere
  { auto captured = [=] { return fresh.value; }; *x += captured(); }  // error anywhere
  const Counted& ref = c[3];
  auto byref = [&] { return ref.value; };
  *x += byref();
}
