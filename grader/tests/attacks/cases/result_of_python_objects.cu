// Leaves an array of pickled Python objects, which NumPy would execute when it loads them.
// happens: no output: another type is expected
// verdict: no_output
// says: npy
int attack(Run& run) {
  run.on_device();
  run.write_header("{'descr': '|O', 'fortran_order': False, 'shape': (1000,), }");
  return 0;
}
