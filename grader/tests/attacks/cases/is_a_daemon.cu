// Starts a daemon that leaves its session and rewrites the result after the program has ended.
// happens: requirement failed: another process was started; it ends when the program ends
// verdict: wrong_answer|requirement_failed|no_output
// says:
int attack(Run& run) {
  run.write(run.on_device(0));
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (;;) run.write(run.on_host());
  }
  return 0;
}
