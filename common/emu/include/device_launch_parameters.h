// CUDA's header of this name declares the built-in variables for editors. In emulation the translator knows
// them, so there is nothing left to declare but the types.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"
