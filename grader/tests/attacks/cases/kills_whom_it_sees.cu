// Sends SIGKILL to every process that it may.
// happens: crash: it sees none but itself, and what belongs to its own sandbox
// verdict: crash
// says: SIGKILL
int attack(Run& run) {
  signal(SIGTERM, SIG_IGN);
  kill(-1, SIGKILL);
  kill(getppid(), SIGKILL);
  kill(getpid(), SIGKILL);
  return 0;
}
