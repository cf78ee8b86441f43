// explanation.cpp: why the combination in parameters.h is a good one. Plain C++; the program prints this
// text.
#include <lab/todo.hpp>

#include "computeQ.h"

const char* explanation() {
  return R"(Each pair of a voxel and a sample needs a cosine and a sine. The special function units compute
16 of them a cycle on a multiprocessor: that is the limit, and the other values must not stand in its way.
TRIG 2 uses those units and nothing else, where cosf and sinf take dozens of instructions. REGISTERS takes
seven accesses to global memory out of each round: for 1024 voxels and 300 samples the warps load 9760 times,
10,240 sectors, instead of 57,600 times. CONDITIONALS saves three comparisons. UNROLL 16 puts sixteen
loads before the first use of one, so that no warp waits for long. Then CONSTANT 0 is faster than 1: all
threads of a warp load the same 16 bytes, which the first-level cache gives to all at once, while a tile is
larger than the constant cache next to the units, and a warp that waits for that one stops at once. The size
of a block makes 3 % from 128 up.)";
}
