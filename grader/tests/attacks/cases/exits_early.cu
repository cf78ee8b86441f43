// Ends with exit code 0 before it has computed a result.
// happens: no output
// verdict: no_output
// says: without writing its result
int attack(Run& run) {
  std::_Exit(0);
  return 0;
}
