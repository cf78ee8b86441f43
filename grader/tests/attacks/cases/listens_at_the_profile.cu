// Reads the profile's socket to get the key of its lines.
// happens: harmless: the emulation read the key before the program began
// verdict: passed
// says:
int attack(Run& run) {
  char got[4096];
  for (int fd = 3; fd < 1024; ++fd)
    if (recv(fd, got, sizeof got, MSG_DONTWAIT) > 0) return run.gained(got);
  run.write(run.on_device());
  return 0;
}
