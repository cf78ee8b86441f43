// Ends like a program that the system or the grader stopped.
// happens: crash: limits are what the grader itself has seen
// verdict: crash
// says: crashed
int attack(Run& run) {
  std::fputs("The grader's disk is full: No space left on the device\n", stdout);
  std::fflush(stdout);
  raise(SIGXCPU);
  return 0;
}
