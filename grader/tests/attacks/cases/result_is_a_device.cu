// Leaves a link to /dev/zero, which never ends.
// happens: no output
// verdict: no_output
// says: a symbolic link
int attack(Run& run) {
  (void)!symlink("/dev/zero", run.output.c_str());
  return 0;
}
