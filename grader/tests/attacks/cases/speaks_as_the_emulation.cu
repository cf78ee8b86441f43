// Prints the emulation's message on a kernel that ran too long.
// happens: crash: the emulation sends this report as a sealed record; a program's text is only quoted
// verdict: crash
// says: CUDA reported an error
// never: the limit of this case
int attack(Run& run) {
  std::fputs("cuemu: kernel twice was stopped: it ran longer than CUEMU_TIMEOUT allows\n", stderr);
  return 3;
}
