// Is a fork bomb.
// happens: too many processes
// verdict: process_limit
// says: too many processes
int attack(Run& run) {
  for (;;) fork();
  return 0;
}
