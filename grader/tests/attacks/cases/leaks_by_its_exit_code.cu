// Encodes its inputs in its exit code, in a case whose inputs students must not see.
// visibility: hidden
// happens: crash; the exit code is not shown
// verdict: crash
// says:
// never: exit code 113
int attack(Run& run) {
  return 113;
}
