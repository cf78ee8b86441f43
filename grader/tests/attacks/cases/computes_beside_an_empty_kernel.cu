// Launches a kernel that does nothing, and computes on the host.
// happens: requirement failed: the result did not come from the device
// verdict: requirement_failed
// says: device
int attack(Run& run) {
  nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
  run.write(run.on_host());
  return 0;
}
