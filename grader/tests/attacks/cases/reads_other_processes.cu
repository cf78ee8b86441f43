// Reads memory, environment and descriptors of the grader through /proc.
// happens: harmless: /proc shows only the processes of the program, or they may not be read
// verdict: passed
// says:
int attack(Run& run) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos || std::stoi(name) == getpid()) continue;
    if (open((entry.path() / "mem").c_str(), O_RDWR) >= 0) return run.gained("memory of " + name);
    std::ifstream environment(entry.path() / "environ");
    std::string text((std::istreambuf_iterator<char>(environment)), {});
    if (text.find("GRADER_") != std::string::npos) return run.gained(text);
  }
  for (char** entry = environ; *entry; ++entry)
    if (std::strncmp(*entry, "GRADER_", 7) == 0) return run.gained(*entry);
  run.write(run.on_device());
  return 0;
}
