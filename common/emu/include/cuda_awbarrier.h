// cuda_awbarrier_primitives.h declares the functions of this header.
#pragma once
#define _CUDA_AWBARRIER_H_

#include "cuda_awbarrier_primitives.h"
