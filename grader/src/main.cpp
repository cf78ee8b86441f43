// The grader's main(). The code is in cli.cpp, so that tests can call it, too.
#include "cli/cli.hpp"

int main(int argc, char** argv) {
  return grader::cli_main(argc, argv);
}
