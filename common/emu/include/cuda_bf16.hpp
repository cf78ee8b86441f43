// cuda_bf16.h declares the functions of this header.
#pragma once

#include "cuda_bf16.h"
