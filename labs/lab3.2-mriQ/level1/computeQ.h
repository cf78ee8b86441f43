// computeQ.h: the parameters of computeQ.cu, which are what this lab is about.
//
// Edit the six values, or try others without editing: nvcc -DUNROLL=4 -DTRIG=1 …
#ifndef COMPUTEQ_H
#define COMPUTEQ_H

// Values given with -D are a trial: only the combination in this file is the one to be explained.
#if defined(BLOCK_SIZE) || defined(UNROLL) || defined(REGISTERS) || defined(CONSTANT) || \
    defined(CONDITIONALS) || defined(TRIG)
#define TRIAL 1
#else
#define TRIAL 0
#endif

// TODO part 6: find six values for which Q of 10,000 samples on 128³ voxels is computed nearly as fast as with
// the best combination, and explain them in explanation.cpp. The tables of the handout show what each of them
// does alone.

// Threads of a block.   a multiple of 32, up to 1024
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 32
#endif

// How many samples stand in one round of the loop over them.   0 (as written), 2, 4, 8, 16
#ifndef UNROLL
#define UNROLL 0
#endif

// 1: a voxel's place and its two sums are kept in registers, not read and written at each sample.   0, 1
#ifndef REGISTERS
#define REGISTERS 0
#endif

// 1: the samples are read from constant memory instead of global memory.   0, 1
#ifndef CONSTANT
#define CONSTANT 0
#endif

// 1: the conditions are evaluated once, before the loop, and not at each sample.   0, 1
#ifndef CONDITIONALS
#define CONDITIONALS 0
#endif

// 0: cosf and sinf; 1: sincosf; 2: the phase reduced to one cycle, __cosf and __sinf.
#ifndef TRIG
#define TRIG 0
#endif

// Samples that one launch takes: 16 bytes each, and constant memory has 64 KiB for the whole program.
#define K_TILE 1024

static_assert(BLOCK_SIZE >= 1 && BLOCK_SIZE <= 1024, "BLOCK_SIZE must be from 1 to 1024");
static_assert(UNROLL >= 0, "UNROLL must be 0 or more");
static_assert((REGISTERS == 0 || REGISTERS == 1) && (CONSTANT == 0 || CONSTANT == 1) &&
                  (CONDITIONALS == 0 || CONDITIONALS == 1),
              "REGISTERS, CONSTANT and CONDITIONALS are 0 or 1");
static_assert(TRIG >= 0 && TRIG <= 2, "TRIG must be 0, 1 or 2");

#endif
