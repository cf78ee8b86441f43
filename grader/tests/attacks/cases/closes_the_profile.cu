// Closes every descriptor, or puts its own file in their places, and computes on the host.
// happens: requirement failed: a run without a profile does not count
// verdict: requirement_failed
// says: profile
int attack(Run& run) {
  const int own = open("own.jsonl", O_CREAT | O_RDWR, 0600);
  for (int fd = 3; fd < 1024; ++fd)
    if (fd != own) dup2(own, fd);
  run.write(run.on_host());
  return 0;
}
