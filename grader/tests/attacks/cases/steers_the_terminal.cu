// Prints commands for the reader's terminal, and a script for the reader's browser.
// happens: crash; the report shows control characters as ?
// verdict: crash
// says: code 9
int attack(Run& run) {
  std::fputs("\x1b]0;owned\a\x1b[2J\u009b31m\u202Edessap<script>alert(1)</script>\n", stderr);
  return 9;
}
