// Its functions come with surface_types.h.
#pragma once

#include "surface_types.h"
