// Its functions come with cuda_runtime_api.h.
#pragma once
#define cuda_profiler_H

#include "cuda_runtime_api.h"
