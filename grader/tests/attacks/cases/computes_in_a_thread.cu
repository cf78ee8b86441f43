// Lets a thread of the host compute while a kernel keeps the device busy.
// happens: requirement failed: the result did not come from the device
// verdict: requirement_failed
// says: device
int attack(Run& run) {
  std::vector<float> y;
  std::thread helper([&] { y = run.on_host(); });
  run.on_device(3);
  helper.join();
  run.write(y);
  return 0;
}
