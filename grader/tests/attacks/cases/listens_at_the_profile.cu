// Reads the profile's socket for the key of its lines.
// happens: harmless: the key was read before the program began
// verdict: passed
// says:
int attack(Run& run) {
  char got[4096];
  for (int fd = 3; fd < 1024; ++fd)
    if (recv(fd, got, sizeof got, MSG_DONTWAIT) > 0) return run.gained(got);
  run.write(run.on_device());
  return 0;
}
