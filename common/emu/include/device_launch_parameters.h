// CUDA's header of this name declares the built-in variables for editors. The emulation's translator knows these
// variables, so this header declares only their types.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"
