// Prints its inputs, in a case whose inputs students must not see.
// visibility: hidden
// happens: crash; only the verdict of a hidden case is shown
// verdict: crash
// says:
// never: LEAKED
int attack(Run& run) {
  std::printf("LEAKED %f\n", static_cast<double>(run.x.data[0]));
  std::fprintf(stderr, "LEAKED %f\n", static_cast<double>(run.x.data[0]));
  return 99;
}
