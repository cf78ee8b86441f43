// Prints endlessly.
// happens: output limit
// verdict: output_limit
// says: printed without end
int attack(Run& run) {
  const std::string line(1 << 16, 'x');
  for (;;) std::fwrite(line.data(), 1, line.size(), stdout);
  return 0;
}
