// Computes everything on the host and launches nothing.
// happens: requirement failed: no kernel ran
// verdict: requirement_failed
// says: kernel
int attack(Run& run) {
  run.write(run.on_host());
  return 0;
}
