// Forms that a managed variable can't have.
__managed__ int right;
const __managed__ int fixed = 1;   // error
__managed__ __constant__ int two;  // error
__managed__ int& reference = right;  // error
__constant__ __shared__ int other;  // error
