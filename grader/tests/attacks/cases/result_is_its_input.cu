// Leaves a second name of its input as its result.
// happens: no output: no link to another folder can be made, and none would count
// verdict: no_output
// says: result
int attack(Run& run) {
  if (link(run.input.c_str(), run.output.c_str()) != 0) (void)!symlink(run.input.c_str(), run.output.c_str());
  return 0;
}
