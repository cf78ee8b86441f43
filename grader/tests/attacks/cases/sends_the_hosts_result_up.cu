// Computes on the host, copies the result to the device, and copies it back after an empty kernel.
// happens: requirement failed: the result was copied to the device before it came back
// verdict: requirement_failed
// says: host
int attack(Run& run) {
  std::vector<float> y = run.on_host();
  const std::size_t bytes = y.size() * sizeof(float);
  float* d_y = nullptr;
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice);
  nothing<<<1, 1>>>();
  cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_y);
  run.write(y);
  return 0;
}
