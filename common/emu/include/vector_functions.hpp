// Its functions come with vector_functions.h.
#pragma once

#include "vector_functions.h"
