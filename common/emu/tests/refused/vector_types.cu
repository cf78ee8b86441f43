// Vector types have no operators and no constructors.
__global__ void kernel(float4* v) {
  v[0] = make_float4(1, 2, 3, 4);
  v[1] = {1, 2, 3, 4};
  v[0] = v[0] + v[1];         // error
  v[1] = float4(1, 2, 3, 4);  // error
  v[1][0] = 1;                // error
}
