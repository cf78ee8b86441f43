// Writes endlessly into several files.
// happens: output limit
// verdict: output_limit
// says: wrote more to the disk
int attack(Run& run) {
  for (int k = 0; k < 8; ++k) {
    const int file = open(("big" + std::to_string(k)).c_str(), O_CREAT | O_WRONLY, 0600);
    if (posix_fallocate(file, 0, 900ll << 20) != 0) break;
  }
  for (;;) pause();
  return 0;
}
