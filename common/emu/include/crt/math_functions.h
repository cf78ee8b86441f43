// math_functions.h declares the functions of this header.
#pragma once

#include "math_functions.h"
