// Leaves a pipe in the place of its result, at which a reader waits forever.
// happens: no output
// verdict: no_output
// says: does not count
int attack(Run& run) {
  mkfifo(run.output.c_str(), 0666);
  return 0;
}
