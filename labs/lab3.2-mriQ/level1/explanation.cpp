// explanation.cpp: why the combination in computeQ.h is a good one. Plain C++; the program prints it.
#include <lab/todo.hpp>

#include "mriQ.h"

const char* explanation() {
  // TODO part 6: when you have found your combination (computeQ.h), write here in three to six sentences why it is
  // good: what limits the kernel without it, what each of the six values does about that, and which of them
  // make no difference. Then remove the next line.
  LAB_TODO(6);
  return "";
}
