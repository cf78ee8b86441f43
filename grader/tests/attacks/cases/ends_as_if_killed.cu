// Ends with the code of a program that SIGKILL ended, to be run again and not graded.
// happens: crash: a program that sends SIGKILL or ends with its code dies of another signal
// verdict: crash
// says: SIGSYS
int attack(Run&) {
  _exit(128 + SIGKILL);
}
