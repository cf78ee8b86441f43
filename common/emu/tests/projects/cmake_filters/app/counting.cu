__device__ unsigned counter;

__device__ unsigned next() { return atomicInc(&counter, 0xffffffffu); }
