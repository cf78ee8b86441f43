// Atomic functions accept only these types.
__global__ void kernel(int* i, unsigned* u, unsigned long long* ull, float* f, double* d, long long* ll,
                       unsigned long* ul, short* s, char* c) {
  atomicAdd(i, 1);
  atomicAdd(u, 1);
  atomicAdd(ull, 1);
  atomicAdd(f, 1);
  atomicAdd(d, 1);
  atomicMax(ll, 1);
  atomicAdd(ll, 1);   // error
  atomicAdd(ul, 1);   // error
  atomicAdd(s, 1);    // error
  atomicAdd(c, 1);    // error
  atomicMax(f, 1);    // error
  atomicMin(d, 1);    // error
  atomicSub(f, 1);    // error
  atomicExch(d, 1);   // error
  atomicCAS(f, 1, 2); // error
}
