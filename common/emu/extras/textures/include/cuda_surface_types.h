// surface_types.h declares the functions of this header.
#pragma once

#include "surface_types.h"
