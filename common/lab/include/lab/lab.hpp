/// @file
/// Headers for a lab's main program. Kernels need less: check.hpp or todo.hpp compile faster.
///
/// | header | what for | host only |
/// |---|---|---|
/// | args.hpp | the command line | yes |
/// | arrays.hpp | arrays from and to .npy files | yes |
/// | check.hpp | CUDA_CHECK, CUDA_CHECK_LAUNCH | |
/// | compare.hpp | compares an array with the expected one | yes |
/// | exit.hpp | exit codes | yes |
/// | gpu_timer.hpp | times on the device | |
/// | memory.hpp | host arrays, with a clear error if they are too large | yes |
/// | product.hpp | checks P = M · N in O(n²) | yes |
/// | random.hpp | reproducible random numbers | yes |
/// | sums.hpp | terms with exact sums, and the allowed error of a sum | yes |
/// | timer.hpp | times on the host, and how to print them | yes |
/// | todo.hpp | LAB_TODO, lab::finish | in g++ |
#pragma once
#include "args.hpp"
#include "arrays.hpp"
#include "check.hpp"
#include "compare.hpp"
#include "exit.hpp"
#include "gpu_timer.hpp"
#include "memory.hpp"
#include "random.hpp"
#include "timer.hpp"
#include "todo.hpp"
