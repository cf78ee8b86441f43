// A kernel launches another one in relocatable code (-rdc=true) only, and never calls it.
__global__ void child(int* x) { *x = 1; }
__global__ void launches(int* x) {
  *x = 0;
  child<<<1, 1>>>(x);  // error
}
__global__ void calls(int* x) {
  *x = 0;
  child(x);  // error
}
