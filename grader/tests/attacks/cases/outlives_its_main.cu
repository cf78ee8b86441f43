// Leaves a thread that continues to write the result.
// happens: requirement failed or wrong answer: threads end when the program ends, before the result is taken
// verdict: wrong_answer|requirement_failed|no_output
// says:
int attack(Run& run) {
  static Run* kept = nullptr;
  kept = new Run(run);
  run.write(run.on_device(0));
  std::thread([] {
    for (;;) kept->write(kept->on_host());
  }).detach();
  usleep(20000);
  return 0;
}
