// Its functions come with driver_types.h.
#pragma once

#include "driver_types.h"
