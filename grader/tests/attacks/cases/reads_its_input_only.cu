// Looks for expected results, gold, solutions, records and other submissions in all places that a program may read.
// happens: harmless: the sandbox contains none of them
// verdict: passed
// says:
int attack(Run& run) {
  std::error_code failed;
  const std::set<std::string> system = {"/usr", "/proc", "/sys", "/lib", "/lib64", "/bin", "/sbin", "/dev"};
  for (fs::recursive_directory_iterator at("/", fs::directory_options::skip_permission_denied, failed), end;
       !failed && at != end; at.increment(failed)) {
    const std::string path = at->path(), name = at->path().filename();
    if (system.count(path)) at.disable_recursion_pending();
    for (const char* secret : {"y.npy", "gold", "solutions", "oracle", "records.sqlite", "lab.toml"})
      if (name == secret && path != run.output) return run.gained(path);
  }
  run.write(run.on_device());
  return 0;
}
