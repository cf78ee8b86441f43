// Fails with the words of a bubblewrap that can't start a program.
// happens: no output: the sandbox reports its failures to a place where no program can write
// verdict: no_output
// says: without writing its result
int attack(Run&) {
  std::fputs("bwrap: Can't mount proc on /newroot/proc: No space left on device\n", stderr);
  return 1;
}
