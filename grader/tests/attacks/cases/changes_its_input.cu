// Overwrites, replaces or removes the input, so that the expected result is zero, too.
// happens: harmless: inputs are read-only
// verdict: passed
// says:
int attack(Run& run) {
  chmod(run.input.c_str(), 0666);
  if (open(run.input.c_str(), O_RDWR) >= 0 || truncate(run.input.c_str(), 0) == 0 ||
      unlink(run.input.c_str()) == 0 || rename(run.input.c_str(), "x.npy") == 0 ||
      rename("/tmp", run.input.substr(0, run.input.rfind('/')).c_str()) == 0)
    return run.gained("the input can be changed");
  run.write(run.on_device());
  return 0;
}
