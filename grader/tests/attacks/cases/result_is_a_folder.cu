// Leaves a folder instead of its result.
// happens: no output
// verdict: no_output
// says: does not count
int attack(Run& run) {
  mkdir(run.output.c_str(), 0777);
  return 0;
}
