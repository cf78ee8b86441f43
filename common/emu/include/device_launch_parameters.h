// CUDA's header of this name declares the built-in variables for editors. The emulation's translator knows them, so
// only the types are declared.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"
