// Ends as if the system or the grader had stopped it.
// happens: crash: only limits that the grader itself has observed count
// verdict: crash
// says: crashed
int attack(Run& run) {
  std::fputs("The grader's disk is full: No space left on the device\n", stdout);
  std::fflush(stdout);
  raise(SIGXCPU);
  return 0;
}
