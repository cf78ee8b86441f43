// Claims a shape whose product is too large for any number.
// happens: no output
// verdict: no_output
// says: npy
int attack(Run& run) {
  run.on_device();
  run.write_header("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4), }");
  return 0;
}
