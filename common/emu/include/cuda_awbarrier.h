// Its functions come with cuda_awbarrier_primitives.h.
#pragma once
#define _CUDA_AWBARRIER_H_

#include "cuda_awbarrier_primitives.h"
