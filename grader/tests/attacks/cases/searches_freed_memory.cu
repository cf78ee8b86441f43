// Searches fresh memory of the device and of the host for a reference result that another program left there.
// happens: wrong answer: no reference result was computed in this process, and fresh device memory contains NaN
// verdict: wrong_answer
// says: never filled
int attack(Run& run) {
  const std::size_t bytes = run.n * sizeof(float);
  for (int k = 0; k < 64; ++k) {
    auto* const host = static_cast<float*>(std::malloc(bytes << (k % 8)));
    if (host[0] == 2 * run.x.data[0] && host[1] == 2 * run.x.data[1]) return run.gained("in freed memory");
  }
  float* d_y = nullptr;
  cudaMalloc(&d_y, bytes);
  std::vector<float> y(run.n);
  nothing<<<1, 1>>>();
  cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_y);
  run.write(y);
  return 0;
}
