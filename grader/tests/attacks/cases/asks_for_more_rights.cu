// Starts programs that give rights, takes priority over others, raises its limits, opens the machine's memory.
// happens: harmless: the sandbox allows none of these
// verdict: passed
// says:
int attack(Run& run) {
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return run.gained("setuid programs");
  if (setpriority(PRIO_PROCESS, 0, -20) == 0) return run.gained("priority");
  sched_param first = {};
  first.sched_priority = 1;
  if (sched_setscheduler(0, SCHED_FIFO, &first) == 0) return run.gained("the processor");
  if (setuid(0) == 0 || setgid(0) == 0) return run.gained("root");
  for (const char* name :
       {"/dev/mem", "/dev/kmsg", "/dev/port", "/dev/sda", "/dev/vda", "/dev/tty", "/proc/kcore"})
    if (open(name, O_RDWR) >= 0) return run.gained(name);
  run.write(run.on_device());
  return 0;
}
