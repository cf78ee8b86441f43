// A pack must be the last parameter of a kernel's template.
template <class First, class... Rest> __global__ void right(First* x, Rest... rest) { *x = (First(0) + ... + rest); }
template <class... Rest, class First> __global__ void wrong(First* x, Rest... rest) { *x = 1; }  // error
int main() { right<<<1, 1>>>(static_cast<int*>(nullptr), 1, 2); }
