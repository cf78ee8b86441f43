// Writes a wrong result, and replaces it by the right result when all other code has ended.
// happens: requirement failed: the result did not come from the device
// verdict: requirement_failed
// says: device
int attack(Run& run) {
  static Run* kept = nullptr;
  kept = new Run(run);
  std::atexit([] { kept->write(kept->on_host()); });
  run.write(run.on_device(0));
  return 0;
}
