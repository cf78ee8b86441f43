// Looks for a result of the previous run, to hand it in without computing it.
// happens: no output: each run has its own folders, shared memory and queues
// verdict: no_output
// says: without writing its result
int attack(Run& run) {
  bool found =
      shm_open("/kept", O_RDWR, 0) >= 0 || shmget(0x6b657074, 4096, 0) >= 0 || mq_open("/kept", O_RDWR) >= 0;
  for (const std::string& folder : run.folders())
    found |= fs::exists(folder + "/kept.bin") || fs::exists(folder + "/output/kept.bin");
  if (found) run.write(run.on_device());
  return 0;
}
