// Its functions come with mma.h.
#pragma once

#include "mma.h"
