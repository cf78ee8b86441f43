// Its functions come with host_defines.h.
#pragma once

#include "host_defines.h"
