// Tries small numbers and the time of day as the seed of the inputs.
// happens: harmless: the seed is 64 random bits, drawn for each grading
// verdict: passed
// says:
int attack(Run& run) {
  const auto fits = [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < 8; ++i)
      if (run.x.data[i] != static_cast<float>(1 + random() % 1000)) return false;
    return true;
  };
  for (std::uint64_t seed = 0; seed < 3000; ++seed)
    if (fits(seed) || fits(std::time(nullptr) - seed) || fits(getpid() + seed))
      return run.gained("seed " + std::to_string(seed));
  for (int i = 1; i < run.argc; ++i)
    if (!std::strcmp(run.argv[i], "--seed")) return run.gained("the seed is an argument");
  run.write(run.on_device());
  return 0;
}
