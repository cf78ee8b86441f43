// Ends with the exit code of a program that SIGKILL ended, so that it is run again and not graded.
// happens: crash: a program that sends SIGKILL, or ends with the code for it, dies of another signal
// verdict: crash
// says: SIGSYS
int attack(Run&) {
  _exit(128 + SIGKILL);
}
