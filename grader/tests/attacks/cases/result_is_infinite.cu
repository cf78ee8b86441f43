// Answers with infinity, which a relative tolerance takes for near everything.
// happens: wrong answer
// verdict: wrong_answer
// says: inf
int attack(Run& run) {
  run.write(run.on_device(INFINITY));
  return 0;
}
