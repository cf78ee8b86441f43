// Writes endlessly into files that it has removed, so that they have no name.
// happens: output limit
// verdict: output_limit
// says: wrote more to the disk
int attack(Run&) {
  for (int k = 0; k < 8; ++k) {
    const int file = open("unseen", O_CREAT | O_WRONLY, 0600);
    unlink("unseen");
    if (posix_fallocate(file, 0, 900ll << 20) != 0) break;
  }
  for (;;) pause();
  return 0;
}
