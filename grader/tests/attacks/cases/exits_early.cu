// Ends with exit code 0 before anything was computed.
// happens: no output
// verdict: no_output
// says: without writing its result
int attack(Run& run) {
  std::_Exit(0);
  return 0;
}
