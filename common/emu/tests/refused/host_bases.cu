// A constructor in device code can't call host constructors of its bases and members.
struct OfHost { int value; OfHost() : value(1) {} explicit OfHost(int v) : value(v) {} };
struct OfBoth { int value; __host__ __device__ OfBoth() : value(1) {} };
struct Mixed { int value; Mixed() : value(1) {} __host__ __device__ explicit Mixed(int v) : value(v) {} };
struct Right : OfBoth { __device__ Right() {} };
struct Chosen : Mixed { __device__ Chosen() : Mixed(2) {} };
struct Member { Mixed part{3}; OfBoth other; __device__ Member() {} };
struct Passed { Mixed part; __device__ Passed(int x) : part(x) {} __device__ Passed() : Passed(4) {} };
struct HostsOwn : OfHost { HostsOwn() : OfHost(2) {} };
struct Unused : OfHost { __device__ Unused() {} };
struct ImplicitRight : OfBoth { int more; };
struct Implicit : OfHost { int more; };

__global__ void kernel(int* x) {
  Right right;
  Chosen chosen;
  Member member;
  Passed passed;
  ImplicitRight implicit_right;
  *x = right.value + chosen.value + member.part.value + passed.part.value + implicit_right.value;
  Implicit implicit;  // error anywhere
}
HostsOwn on_host() { return HostsOwn(); }

struct Silent : OfHost { __device__ Silent() {} }; __global__ void silent(int* x) { *x = Silent().value; }  // error
struct Holder { OfHost part; __device__ Holder() {} }; __global__ void holder(int* x) { *x = Holder().part.value; }  // error
struct Listed { OfHost part; __device__ Listed() : part(3) {} }; __global__ void listed(int* x) { *x = Listed().part.value; }  // error
struct Default : Mixed { __device__ Default() {} }; __global__ void of_default(int* x) { *x = Default().value; }  // error anywhere
