// vector_functions.h declares the functions of this header.
#pragma once

#include "vector_functions.h"
