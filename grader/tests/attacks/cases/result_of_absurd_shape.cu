// Claims a shape whose product does not fit into any number type.
// happens: no output
// verdict: no_output
// says: npy
int attack(Run& run) {
  run.on_device();
  run.write_header("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4), }");
  return 0;
}
