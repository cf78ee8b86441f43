// Leaves a pipe instead of its result, for which a reader would wait forever.
// happens: no output
// verdict: no_output
// says: does not count
int attack(Run& run) {
  mkfifo(run.output.c_str(), 0666);
  return 0;
}
