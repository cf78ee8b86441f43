// explanation.cpp: why the combination in parameters.h is a good one. Plain C++; the program prints it.
#include <lab/todo.hpp>

#include "matrixmul.h"

const char* explanation() {
  // ---- part 5: why this combination? (three to six sentences) ---------------------------------------------
  // When you have found your combination (parameters.h), write here why it is good: what limits the kernel
  // without it, what each of the five values does about that, and what the occupancy, the registers and the
  // shared memory have to do with it. Name two or more numbers that you measured (grader table lab3.1, or
  // grader profile lab3.1 --case choice). Put the text between the quotes, and delete the line above them.
  LAB_TODO(5);
  return "";
  // ---- end of part 5 --------------------------------------------------------------------------------------
}
