// Compiles the functions of the headers that need no CUDA once (LAB_LIBRARY), for tests that are linked with them.
#include "lab/impl/args.hpp"
#include "lab/impl/arrays.hpp"
#include "lab/impl/exit.hpp"
#include "lab/impl/memory.hpp"
#include "lab/impl/npy.hpp"
#include "lab/impl/timer.hpp"
