// Launches the kernel from another thread into another stream, where the timers of the program do not see it.
// happens: harmless: times come from the profile, which has the kernels of all streams
// verdict: passed
// says:
int attack(Run& run) {
  std::vector<float> y;
  std::thread helper([&] { y = run.on_device(2, true); });
  helper.join();
  run.write(y);
  return 0;
}
