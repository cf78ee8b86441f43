// Answers with NaN, which a careless comparison accepts as equal.
// happens: wrong answer
// verdict: wrong_answer
// says: NaN
int attack(Run& run) {
  run.write(run.on_device(std::nanf("")));
  return 0;
}
