// Ends with the exit code and the words of a setpriv that can't start a program.
// happens: crash: the grader checks with the system whether the program can be started
// verdict: crash
// says: exit code 127
int attack(Run&) {
  std::fputs("setpriv: failed to execute the program: No such file or directory\n", stderr);
  return 127;
}
