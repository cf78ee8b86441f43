// Answers with infinity, which any relative tolerance accepts.
// happens: wrong answer
// verdict: wrong_answer
// says: inf
int attack(Run& run) {
  run.write(run.on_device(INFINITY));
  return 0;
}
