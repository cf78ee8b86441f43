// Leaves a result without elements, none of which can be wrong.
// happens: no output: another shape is expected
// verdict: no_output
// says: shape
int attack(Run& run) {
  run.on_device();
  lab::write_npy(run.output, {0}, run.x.data.data());
  return 0;
}
