// helloworld.h: declarations for the three sources of this lab.
//
//   helloworld.cu          main: the launch (part 1)
//   helloworld_kernel.cu   what each thread does (part 2)
//   experiment.cu          launches with sizes from the command line; there is nothing to do
#ifndef HELLOWORLD_H
#define HELLOWORLD_H

// Each thread prints its indices.
__global__ void helloWorld();

// Launches with the sizes that the options give, and prints the error that CUDA returns. Returns the exit
// code.
int experiment(int argc, char** argv);

#endif
