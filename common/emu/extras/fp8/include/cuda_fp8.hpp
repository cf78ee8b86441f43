// cuda_fp8.h declares the functions of this header.
#pragma once

#include "cuda_fp8.h"
