// A kernel can launch another kernel only in relocatable code (-rdc=true), and can't call it.
__global__ void child(int* x) { *x = 1; }
__global__ void launches(int* x) {
  *x = 0;
  child<<<1, 1>>>(x);  // error
}
__global__ void calls(int* x) {
  *x = 0;
  child(x);  // error
}
