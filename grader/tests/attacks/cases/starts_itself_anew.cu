// Starts itself again with its own library in LD_PRELOAD.
// happens: requirement failed: exec closes the profile's descriptor, and the new program lacks the key of its lines
// verdict: requirement_failed
// says: profile
int attack(Run& run) {
  if (std::getenv("LD_PRELOAD") == nullptr) {
    setenv("LD_PRELOAD", "/tmp/patched.so", 1);
    execv("/proc/self/exe", run.argv);
    return run.gained("exec");
  }
  run.write(run.on_device());
  return 0;
}
