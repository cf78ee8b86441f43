// cuda_runtime_api.h declares the functions of this header.
#pragma once
#define cuda_profiler_H

#include "cuda_runtime_api.h"
