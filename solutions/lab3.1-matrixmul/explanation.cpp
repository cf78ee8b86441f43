// explanation.cpp: why the combination in parameters.h is a good one. Plain C++; the program prints it.
#include <lab/todo.hpp>

#include "matrixmul.h"

const char* explanation() {
  return R"(The inner product waits for shared memory: two loads for each multiplication with one tile of P.
With four tiles a value of M serves four multiplications, which leaves five loads for four of them: for
128 × 128 the warps load from shared memory 81,920 times instead of 131,072. The whole inner product unrolled
lets the compiler load several values of M at once and drop the loop's own instructions. Tiles of 32 halve the
traffic of tiles of 16, to 2560 loads from global memory, and a warp then reads one whole row of 32 banks.
Spilling frees a register that is not needed, at the price of a load. Prefetching has the next tiles on their
way while these are multiplied; the other warps of a multiprocessor hide most of that wait already, so it
gains 2 %, and there are registers enough for it.)";
}
