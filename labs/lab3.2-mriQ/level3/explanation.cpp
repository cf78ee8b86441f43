// explanation.cpp: why the combination in computeQ.h is a good one. Plain C++; the program prints it.
#include <lab/todo.hpp>

#include "computeQ.h"

const char* explanation() {
  return "Each pair of a voxel and a sample needs a cosine and a sine, and the special function units "
         "deliver\n"
         "16 of them a cycle on a multiprocessor: that is the limit, and the other values must not stand in "
         "its\n"
         "way. TRIG 2 uses those units and nothing else, where cosf and sinf take dozens of instructions.\n"
         "REGISTERS takes seven accesses to global memory out of each round, CONSTANT reads a sample once "
         "for a\n"
         "whole warp through a cache of its own. CONDITIONALS and UNROLL leave little beside the pair's own\n"
         "work. Blocks of 256 threads fill a multiprocessor; larger and smaller ones do that as well.";
}
