// Leaves a hard link to its input as its result.
// happens: no output: the program can make no link to another folder, and such a link would not count
// verdict: no_output
// says: result
int attack(Run& run) {
  if (link(run.input.c_str(), run.output.c_str()) != 0) (void)!symlink(run.input.c_str(), run.output.c_str());
  return 0;
}
