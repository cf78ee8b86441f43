// cuda_runtime.h declares the functions of this header.
#pragma once

#include "cuda_runtime.h"
