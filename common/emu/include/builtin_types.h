// driver_types.h declares the functions of this header.
#pragma once

#include "driver_types.h"
