// Passes, and keeps result and input for another run, in files, shared memory, a queue, a socket and a process.
// happens: harmless: none of these exists after the run (the next row)
// verdict: passed
// says:
int attack(Run& run) {
  std::error_code refused;
  for (const std::string& folder : run.folders()) {
    std::ofstream(folder + "/kept.bin") << "kept";
    fs::create_directories(folder + "/output", refused);
    std::ofstream(folder + "/output/kept.bin") << "kept";
  }
  if (const int shared = shm_open("/kept", O_CREAT | O_RDWR, 0666); shared >= 0)
    (void)!ftruncate(shared, 4096);
  shmget(0x6b657074, 4096, IPC_CREAT | 0666);
  mq_open("/kept", O_CREAT | O_RDWR, 0666, nullptr);
  run.write(run.on_device());
  return 0;
}
