// Its functions come with math_functions.h.
#pragma once

#include "math_functions.h"
