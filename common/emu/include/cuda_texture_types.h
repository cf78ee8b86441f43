// Its functions come with texture_types.h.
#pragma once

#include "texture_types.h"
