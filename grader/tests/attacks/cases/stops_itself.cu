// Ignores and blocks every signal, stops itself, and never ends.
// happens: time-out by wall-clock time: the program is killed without a request to end
// time_out: 1
// verdict: time_out
// says: was stopped
int attack(Run&) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (int number = 1; number < 64; ++number) signal(number, SIG_IGN);
  for (;;) raise(SIGSTOP);
}
