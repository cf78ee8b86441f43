// cuda_fp16.h declares the functions of this header.
#pragma once

#include "cuda_fp16.h"
