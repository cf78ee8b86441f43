// Leaves files whose names control terminals, reverse lines, or resemble the name of its result.
// happens: harmless: no program reads or prints them
// verdict: passed
// says:
int attack(Run& run) {
  for (const char* name :
       {"\x1b[2J", "a\u202E", "\u009b31m", "y.npy\n", "y\u200b.npy", "\u0443.npy", "-rf", "*", " "})
    std::ofstream(name) << "x";
  run.write(run.on_device());
  return 0;
}
