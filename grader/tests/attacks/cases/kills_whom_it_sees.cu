// Sends SIGKILL to every process to which it may send signals.
// happens: crash: it sees only itself and the processes of its own sandbox
// verdict: crash
// says: SIGKILL
int attack(Run& run) {
  signal(SIGTERM, SIG_IGN);
  kill(-1, SIGKILL);
  kill(getppid(), SIGKILL);
  kill(getpid(), SIGKILL);
  return 0;
}
