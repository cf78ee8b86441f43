// Starts threads until the system refuses more.
// happens: too many processes
// verdict: process_limit|crash
// says:
int attack(Run& run) {
  for (int k = 0; k < 10000; ++k) std::thread([] { pause(); }).detach();
  for (;;) pause();
  return 0;
}
